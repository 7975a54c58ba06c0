/* Marks, on the page that a search has led to, the words that it found. */

import { parts, words } from "./words.js"

export const mark = () => {
  if (!CSS.highlights) return
  const found = new Set(new URLSearchParams(location.search).get("h").split(" "))
  const texts = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT)
  const ranges = []
  while (texts.nextNode()) {
    for (const { word, start, end } of words(texts.currentNode.data)) {
      if (!parts(word).some(part => found.has(part))) continue
      const range = new Range()
      range.setStart(texts.currentNode, start)
      range.setEnd(texts.currentNode, end)
      ranges.push(range)
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges))
}
