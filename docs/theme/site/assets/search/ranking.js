/* Sections ranked by BM25, as the lessons take it apart: once for the title, once for the text,
   and a little for the page around them. The figures are those that put the expected sections first. */

import { parts, words } from "./words.js"

const K1 = 1.2
const B = 0.2
const FIELDS = { title: 5, text: 1, page: 1 } // how much a word counts, by where it stands
const PREFIX = 0.6 // … that only begins like the one still being typed
const PAIR = 0.5 // … that stands beside another as it was asked for
const ASIDE = /^(?:api|corpus)\/|#(?:exercise|summary|resources|connection|description)/ // says it again
const ASIDE_WEIGHT = 0.6
const AUTHORS = /^contributing\/#/ // only shows the terms of the course, as examples
const AUTHORS_WEIGHT = 0.4
const ENTRY_WEIGHT = 1.5 // the beginning of a page
const CODE_WEIGHT = 0.3
const PER_PAGE = 3
const MOST = 10
const EXCERPT = 180

const CODE = /[^<>]*<pre>.*?<\/pre>/gs // with the title above it
const ENTITIES = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" }
const plain = html => html
  .replace(/<\/?(?:p|li|ul|ol|pre)>/g, " ")
  .replace(/<[^>]*>/g, "")
  .replace(/&(lt|gt|amp|quot|#39);/g, (_, name) => ENTITIES[name])
  .replace(/\s+/g, " ")
  .trim()

/** What stands in one field of all sections: how often each term does, and how long it is. */
class Field {
  terms = new Map()
  lengths = []

  add(place, terms, weight = 1) {
    for (const term of terms) {
      const places = this.terms.get(term) ?? this.terms.set(term, new Map()).get(term)
      places.set(place, (places.get(place) ?? 0) + weight)
    }
    this.lengths[place] = (this.lengths[place] ?? 0) + weight * terms.length
  }

  get mean() {
    const all = Object.values(this.lengths)
    return all.reduce((sum, length) => sum + length, 0) / all.length
  }

  /** Return each place of a term, with what its frequency there is worth: 0 to 1. */
  * worth(term) {
    const mean = this.average ??= this.mean
    for (const [place, tf] of this.terms.get(term) ?? []) {
      yield [place, tf / (tf + K1 * (1 - B + B * this.lengths[place] / mean))]
    }
  }
}

const weight = location =>
  (location.includes("#") ? 1 : ENTRY_WEIGHT)
  * (AUTHORS.test(location) ? AUTHORS_WEIGHT : ASIDE.test(location) ? ASIDE_WEIGHT : 1)

/** Return an index of the sections that the build has written. */
export const build = (docs, { stem, stop }) => {
  const fields = { title: new Field(), text: new Field(), page: new Field() }
  const forms = new Map() // the words that share a stem
  const terms = text => {
    const found = []
    let before
    for (const { word } of words(text)) {
      for (const part of parts(word)) {
        const root = stem(part)
        found.push(root)
        const family = forms.get(root) ?? forms.set(root, new Set()).get(root)
        family.add(part)
      }
      if (stop.has(word)) continue
      if (before) found.push(`${before} ${stem(word)}`)
      before = stem(word)
    }
    return found
  }
  // the beginning of a page that has a description says only how long reading takes
  const describes = place => docs[place + 1]?.location === `${docs[place].location}#description`
  const pages = []
  const sections = docs.map(({ location, title, text }, place) => {
    if (!location.includes("#")) pages.push(plain(title))
    const section = {
      location,
      title: plain(title),
      text: describes(place) ? "" : plain(text.replace(CODE, " ")),
      code: plain((text.match(CODE) ?? []).join(" ")),
      page: pages.length - 1,
      weight: weight(location),
    }
    const own = terms(section.title)
    const said = terms(section.text)
    const coded = terms(section.code)
    fields.title.add(place, own)
    fields.text.add(place, said)
    fields.text.add(place, coded, CODE_WEIGHT)
    fields.page.add(section.page, [...own, ...said])
    fields.page.add(section.page, coded, CODE_WEIGHT)
    return section
  })
  sections.forEach((section, place) => {
    if (describes(place)) section.text = sections[place + 1].text // to be shown
  })
  return { sections, pages, fields, forms, stem, stop }
}

/** Return what a query asks for: of each word the terms that will do, and how well they do. */
const wanted = (query, { fields, forms, stem, stop }) => {
  const known = term => fields.page.terms.has(term)
  const typed = words(query).flatMap(({ word, end }) => {
    const spelled = known(stem(word)) ? [word] : parts(word).slice(-2)
    return spelled.map(part => ({ word: part, open: end === query.length && part.length > 1 }))
  })
  const telling = typed.filter(({ word }) => !stop.has(word))
  const asked = (telling.length ? telling : typed).map(({ word, open }) => {
    const terms = new Map([[stem(word), 1]])
    if (!open) return terms
    for (const [root, family] of forms) {
      if (!terms.has(root) && [...family].some(form => form.startsWith(word))) terms.set(root, PREFIX)
    }
    return terms
  })
  const roots = asked.map(terms => terms.keys().next().value)
  const pairs = roots.slice(1).map((root, n) => `${roots[n]} ${root}`).filter(known)
  return { asked, pairs: pairs.map(pair => new Map([[pair, PAIR]])) }
}

/** Return the best sections for a query, each with the words found in it. */
export const search = (query, index) => {
  const { sections, fields, forms } = index
  const { asked, pairs } = wanted(query, index)
  const rarity = term => {
    const n = fields.text.terms.get(term)?.size ?? 0
    return Math.log(1 + (sections.length - n + 0.5) / (n + 0.5))
  }
  const scores = new Map()
  const found = [...asked, ...pairs].map((terms, number) => {
    const best = new Map()
    let limit = Infinity // a word that only begins like it is never worth more than the word
    for (const [term, weight] of terms) {
      if (!fields.page.terms.has(term)) continue
      const idf = Math.min(limit, rarity(term))
      if (weight === 1) limit = idf
      const here = new Map()
      for (const field of ["title", "text"]) {
        for (const [place, worth] of fields[field].worth(term)) {
          here.set(place, (here.get(place) ?? 0) + FIELDS[field] * weight * idf * worth)
        }
      }
      const around = new Map(fields.page.worth(term))
      for (const [place, score] of here) {
        const all = score + FIELDS.page * weight * idf * (around.get(sections[place].page) ?? 0)
        if (all > (best.get(place)?.score ?? 0)) best.set(place, { score: all, term })
      }
    }
    for (const [place, { score, term }] of best) {
      const entry = scores.get(place) ?? { score: 0, covered: 0, terms: [] }
      entry.score += score
      if (number < asked.length) {
        entry.covered += 1
        entry.terms.push(term)
      }
      scores.set(place, entry)
    }
    return number < asked.length && best.size > 0
  })
  const most = found.filter(Boolean).length
  const perPage = new Map()
  return [...scores]
    .map(([place, { score, covered, terms }]) => {
      const section = sections[place]
      return { section, terms, score: score * section.weight * covered / most }
    })
    .sort((a, b) => b.score - a.score)
    .filter(({ section: { page } }) => {
      perPage.set(page, (perPage.get(page) ?? 0) + 1)
      return perPage.get(page) <= PER_PAGE
    })
    .slice(0, MOST)
    .map(({ section, terms }) => {
      const matched = new Set(terms.flatMap(term => [...forms.get(term)]))
      const page = index.pages[section.page]
      return {
        location: section.location,
        page: page === section.title ? "" : page,
        title: marked(section.title, matched),
        text: marked(excerpt(section.text || section.code, matched), matched),
        found: [...matched].slice(0, 12),
      }
    })
}

const among = (word, matched) => parts(word).some(part => matched.has(part))

/** Return a text in parts, of which every second one is a word that was asked for. */
const marked = (text, matched) => {
  const pieces = []
  let last = 0
  for (const { word, start, end } of words(text)) {
    if (!among(word, matched)) continue
    pieces.push(text.slice(last, start), text.slice(start, end))
    last = end
  }
  return [...pieces, text.slice(last)]
}

/** Return the stretch of a text in which most different words that were asked for stand. */
const excerpt = (text, matched) => {
  const hits = words(text).filter(({ word }) => among(word, matched))
  let best = { start: 0, kinds: 0 }
  for (const { start } of hits) {
    const near = hits.filter(hit => hit.start >= start && hit.end < start + EXCERPT - 30)
    const kinds = new Set(near.map(({ word }) => word)).size
    if (kinds > best.kinds) best = { start, kinds }
  }
  const from = best.start < 60 ? 0 : text.lastIndexOf(" ", best.start - 30) + 1
  const to = from + EXCERPT < text.length ? text.lastIndexOf(" ", from + EXCERPT) : text.length
  return `${from ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`
}
