/* What a page can do besides being read. Without a script nothing of its content is missing. */

const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const said = document.querySelector("#said")
const root = document.documentElement

/** Have a screen reader say something, also if it is the same as before. */
const say = text => {
  said.textContent = ""
  setTimeout(() => { said.textContent = text }, 50)
}

/** What this browser remembers. It leaves the browser never, and may be forbidden or damaged. */
const memory = {
  get: key => { try { return localStorage.getItem(key) } catch { return null } },
  set: (key, value) => { try { localStorage.setItem(key, value) } catch { /* then not */ } },
}

/* ---------------------------------------------------------------------------------- the palette */

const scheme = document.querySelector(".scheme")
const night = matchMedia("(prefers-color-scheme: dark)")
const isDark = () => root.dataset.scheme ? root.dataset.scheme === "dark" : night.matches
const nameScheme = () => {
  scheme.title = scheme.ariaLabel = isDark() ? scheme.dataset.light : scheme.dataset.dark
}
scheme.addEventListener("click", () => {
  root.dataset.scheme = isDark() ? "light" : "dark"
  memory.set("lessons.scheme", root.dataset.scheme)
  nameScheme()
})
night.addEventListener("change", nameScheme)
nameScheme()

/* --------------------------------------------------------------------------------- the language */

// both editions have the same anchors, so changing the language keeps the place in the page
for (const link of all(".editions a")) {
  link.addEventListener("click", () => { link.hash = location.hash })
}

/* ------------------------------------------------------------------------------------ the code */

/** Return what a reader wants to run: of a console session the lines typed, without prompts. */
const source = code => {
  const copy = code.cloneNode(true)
  for (const part of all(".gp, .go, .gt", copy)) part.remove()
  const lines = copy.textContent.split("\n")
  return code.querySelector(".gp") ? lines.filter(line => line.trim()).join("\n") : lines.join("\n")
}

const offerCopy = block => {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "copy",
    textContent: said.dataset.copy,
  })
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source(block.querySelector("code")).trimEnd())
    button.textContent = said.dataset.copied
    say(said.dataset.copied)
    setTimeout(() => { button.textContent = said.dataset.copy }, 2000)
  })
  block.append(button)
}

// a page has dozens of blocks, so each gets its button when a reader comes near
const near = new IntersectionObserver(entries => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue
    near.unobserve(target)
    offerCopy(target)
  }
}, { rootMargin: "50%" })
for (const block of all(".highlight:not(.output, .doc-signature)")) near.observe(block)

/* ------------------------------------------------------------------ what is wider than its place */

// a box that scrolls can be reached from the keyboard, one that doesn't is no stop on the way
const fit = new ResizeObserver(entries => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0
    else target.removeAttribute("tabindex")
  }
})
for (const box of all(".table, div.formula, .highlight pre, .plot details")) fit.observe(box)

/* ----------------------------------------------------------------------- where in the page we are */

const headingOf = link => document.getElementById(decodeURIComponent(link.hash.slice(1)))
const places = new Map(all(".toc a").map(link => [headingOf(link), link]))
const follow = () => {
  const line = innerHeight / 4
  let current
  for (const [heading, link] of places) {
    link.removeAttribute("aria-current")
    if (heading && heading.getBoundingClientRect().top < line) current = link
  }
  if (!current) return
  current.ariaCurrent = "true"
  const menu = current.closest(".menu")
  const { top, bottom } = current.getBoundingClientRect()
  const box = menu.getBoundingClientRect()
  if (top < box.top || bottom > box.bottom - 40) menu.scrollTop += top - box.top - box.height / 2
}
// a heading is in sight of this one from the line upwards, however far a jump goes
const passed = new IntersectionObserver(follow, { rootMargin: "9999999px 0px -75% 0px" })
for (const heading of places.keys()) if (heading) passed.observe(heading)

// a link in the menu leads to its place, and the menu is out of the way
for (const link of all(".toc a")) {
  link.addEventListener("click", () => link.closest("[popover]:popover-open")?.hidePopover())
}

/* ----------------------------------------------------------------------- what has been read so far */

const read = new Set((memory.get("lessons.read") ?? "").split(" ").filter(Boolean))
const end = document.querySelector("[data-reads]")
const showRead = () => {
  for (const link of all("[data-page]")) link.classList.toggle("is-done", read.has(link.dataset.page))
  end?.classList.toggle("is-shown", read.has(end.dataset.reads))
}
const keep = () => {
  memory.set("lessons.read", [...read].join(" "))
  showRead()
}
if (end) {
  new IntersectionObserver(([entry], observer) => {
    if (!entry.isIntersecting) return
    observer.disconnect()
    read.add(end.dataset.reads)
    keep()
  }).observe(end)
  end.querySelector("button").addEventListener("click", () => {
    read.clear()
    keep()
  })
}
showRead()

/* ------------------------------------------------------------------------------------- on paper */

let opened = []
addEventListener("beforeprint", () => {
  opened = all("details:not([open])")
  for (const each of opened) each.open = true
})
addEventListener("afterprint", () => {
  for (const each of opened) each.open = false
})

/* ------------------------------------------------------------------------------------- the search */

// the field opens at once; what answers is loaded only for readers who search
const dialog = document.querySelector("dialog.search")
const answer = () => import("./search/dialog.js")
const open = () => {
  if (!dialog.open) dialog.showModal()
  dialog.querySelector("input").select()
  answer()
}
const button = document.querySelector("[data-open=search]")
button.addEventListener("pointerenter", answer, { once: true })
button.addEventListener("click", open)
addEventListener("keydown", event => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]")
  const asked = event.key === "/" ? !typing : event.key === "k" && (event.ctrlKey || event.metaKey)
  if (!asked || event.altKey) return
  event.preventDefault()
  open()
})
if (new URLSearchParams(location.search).has("h")) (await import("./search/found.js")).mark()
