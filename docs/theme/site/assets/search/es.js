/* Spanish stems: of words without accents, so that those who type none find the same. */

export const stop = new Set(`a al algo ante aqui asi aun aunque cada como con cual cuando cuanta
  cuanto de del desde donde e el ella ellas ello ellos en entre era es esa ese eso esta estan este
  esto ha hace han hasta hay la las le les lo los mas me mi mientras muy ni no nos o otra otro para
  pero por porque pues que quien se sea ser si sin sino sobre solo son su sus tambien tan te tiene
  tienen todo tu u un una unas uno unos va y ya yo
  falta necesita necesito usa usar uso`.split(/\s+/))

const PLURAL = /(?<=[aeiou])s$|(?<=[^aeious])es$/
const CLITIC = /(?<=[aei]r|ando|iendo)(?:se|me|te|nos|les?|l[oa]s?)$/
const ENDINGS = [
  // what makes nouns and adjectives out of verbs
  "amiento imiento acion icion idad mente ador edor idor adora edora idora ante iente ancia",
  "encia able ible ativ[oa] itiv[oa] iv[oa] os[oa] ion",
  // what conjugates them
  "ar er ir ando iendo yendo ad[oa] id[oa] aba abamos aban ia iamos ian are ara aremos aran ere era",
  "eremos eran ire ira iremos iran aria ariamos arian eria erian iria irian aste iste aron ieron",
  "io amos emos imos ais eis an en ase iese [aeo]",
].join(" ").split(" ")
const ENDING = new RegExp(`^(.{3,}?)(?:${ENDINGS.join("|")})$`)

/** Return what the inflections of a word have in common. */
export const stem = word => {
  if (word.length < 4 || /[^a-z]/.test(word)) return word
  return word.replace(PLURAL, "").replace(CLITIC, "").replace(ENDING, "$1").replace(/i$/, "").replace(/qu$/, "c")
}
