/* Changing the language keeps the place in the page: both editions have the same anchors. */
document.addEventListener("click", event => {
  const link = event.target instanceof Element && event.target.closest(".editions a")
  if (link) link.hash = location.hash
}, true)

/* What the theme's script adds to a page after it has loaded, made fit for assistive software. */
const mend = () => {
  // what scrolls sideways can be reached from the keyboard
  for (const table of document.querySelectorAll(".md-typeset__scrollwrap")) table.tabIndex = 0
  // the buttons of a code block and the nested lists of contents are no landmarks
  for (const nav of document.querySelectorAll("nav.md-code__nav, .md-nav--secondary nav")) {
    nav.removeAttribute("aria-label")
    nav.removeAttribute("aria-labelledby")
    nav.setAttribute("role", "none")
  }
}
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true })
mend()
