/* How text falls into words, for the index and for what readers type alike. */

const WORD = /\p{N}+(?:[.,]\p{N}+)*|[\p{L}_][\p{L}\p{N}_]*(?:\s?[=@]\s?\p{N}+)?/gu

/** Return a text without accents, in lower case; each letter keeps its place. */
export const fold = text => text.replace(/[^\x00-\x7f]/g, letter => {
  const [base] = letter.normalize("NFD")
  return base.length === letter.length ? base : letter
}).toLowerCase()

/** Return each word of a text, folded, with the place where it begins and ends. */
export const words = text => Array.from(fold(text).matchAll(WORD), match => ({
  word: match[0].replace(/\s/g, ""),
  start: match.index,
  end: match.index + match[0].length,
}))

/** Return a word and what it is made of: `k=6` is also `k` and `6`, `recall_at_k` also `recall`. */
export const parts = word => {
  const pieces = word.split(/[=@_]+/).filter(Boolean)
  return pieces.length > 1 ? [word, ...pieces] : [word]
}
