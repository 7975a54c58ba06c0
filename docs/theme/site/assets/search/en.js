/* English stems. */

export const stop = new Set(`a about all an and any are as at be because been but by can could did do
  does for from get had has have he her his how i if in into is it its just may me more most my no
  not of on one only or other our out over she should so some than that the their them then there
  these they this those to too under up us was we were what when where which while who whose why
  will with would you your need needs use used uses using d ll m re s t ve`.split(/\s+/))

const PLURAL = /(?<=ss|sh|ch|x)es$|(?<=[^siu])s$/
const ENDINGS = [
  "ations? ating ated ates? ators? ative ition izing ized izes? ization ements? ments? ances? ence",
  "ants? ents? ions? ives? ables? ibles? ingly edly ing ed al ally ness ful less ly ity e",
].join(" ").split(" ")
const ENDING = new RegExp(`^(.{3,}?)(?:${ENDINGS.join("|")})$`)

/** Return what the inflections of a word have in common. */
export const stem = word => {
  if (word.length < 4 || /[^a-z]/.test(word)) return word
  const short = word.replace(/ies$/, "y").replace(PLURAL, "")
  const [, root = short] = short.match(ENDING) ?? []
  if (!/[aeiouy]/.test(root)) return short
  return root.replace(/([bdglmnprt])\1$/, "$1").replace(/y$/, "i")
}
