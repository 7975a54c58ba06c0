/* The search as readers see it: a field, and the sections that answer while they type. */

const dialog = document.querySelector("dialog.search")
const input = dialog.querySelector("input")
const count = dialog.querySelector(".search__count")
const list = dialog.querySelector(".search__results")
const index = new URL(dialog.dataset.index, location)
const site = new URL("..", index)

const options = new URLSearchParams({ lang: document.documentElement.lang, index })
const worker = new Worker(new URL(`worker.js?${options}`, import.meta.url), { type: "module" })

const element = (name, className, ...content) => {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...content)
  return made
}

/** Every second part is a word that was asked for. */
const highlighted = parts => parts.map((part, n) => n % 2 ? element("mark", "", part) : part)

const result = ({ location: place, page, title, text, found }) => {
  const link = element("a", "",
    ...page ? [element("span", "search__page", page)] : [],
    element("span", "search__title", ...highlighted(title)),
    element("span", "search__text", ...highlighted(text)))
  const address = new URL(place, site)
  address.searchParams.set("h", found.join(" "))
  link.href = address
  return element("li", "", link)
}

const ask = () => {
  if (!count.textContent) count.textContent = dialog.dataset.wait
  worker.postMessage(input.value)
}
input.addEventListener("input", ask)
if (input.value) ask() // typed while this was loading

worker.addEventListener("message", ({ data: { query, results } }) => {
  if (query !== input.value) return // an answer to what was typed before
  dialog.dataset.answered = query
  list.replaceChildren(...results.map(result))
  dialog.scrollTop = 0
  const { none, one, other } = dialog.dataset
  const words = results.length === 0 ? none : results.length === 1 ? one : other
  count.textContent = query.trim() ? words.replace("{n}", results.length) : ""
})

const links = () => [...list.querySelectorAll("a")]

dialog.querySelector("form").addEventListener("submit", event => {
  event.preventDefault()
  links()[0]?.click()
})

dialog.addEventListener("keydown", event => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const stops = [input, ...links()]
  const next = stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length]
  next.focus()
})

dialog.addEventListener("click", event => {
  if (event.target === dialog || event.target.closest("a, .search__close")) dialog.close()
})
