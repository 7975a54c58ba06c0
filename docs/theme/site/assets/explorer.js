/* The ranking explorer. All that it shows at first is in the page; this follows what a reader
   chooses. The numbers come from a file that the build took from the library. */

{
  const source = new URL("explorer.json", document.currentScript.src)
  let data
  const load = () => data ??= fetch(source).then(response => {
    if (!response.ok) throw new Error(`${source} ${response.status}`)
    return response.json()
  })

  const shown = number => number.toFixed(4)
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])
  const element = (tag, text, attributes = {}) => {
    const made = Object.assign(document.createElement(tag), attributes)
    made.append(text)
    return made
  }

  /* The words of the query in a text are marked, the heavier the stronger. */
  const mark = (text, asked) => {
    const weights = new Map(asked.map(word => [word.word, Math.min(3, 1 + Math.floor(word.idf))]))
    return text.split(/([a-z0-9]+)/i).map(part => {
      const weight = weights.get(part.toLowerCase())
      if (!weight) return part
      const marked = element("mark", part)
      marked.dataset.weight = weight
      return marked
    })
  }

  /* The same rows as the build wrote for the opening query. */
  const contributions = (asked, result) => {
    const most = Math.max(...result.adds) || 1
    return asked.map((word, at) => {
      const adds = result.adds[at]
      const name = element("th", word.word, { scope: "row" })
      if (word.count > 1) name.append(" ", element("small", `×${word.count}`))
      const last = element("td", shown(adds))
      last.style.setProperty("--width", `${Math.round(100 * adds / most)}%`)
      const row = element("tr", name, { className: adds ? "" : "is-nil" })
      row.append(
        element("td", word.chunks),
        element("td", shown(word.idf) + (word.floor ? " ε" : "")),
        element("td", result.times[at]),
        last,
      )
      return row
    })
  }

  const explore = root => {
    const all = selector => [...root.querySelectorAll(selector)]
    const one = selector => root.querySelector(selector)
    const words = JSON.parse(root.dataset.words)
    const choices = all("[type=radio]")
    // each query has two circles: one beside it, and one beside k
    const [states, strip] = [all(".explorer__query .explorer__state"), all(".explorer__strip > *")]
    const [range, rows, status] = [one("[type=range]"), all(".explorer__row"), one("[role=status]")]
    let listed = Number(root.dataset.query)
    let later

    const list = (ranking, data) => {
      const best = ranking.results[0]?.score ?? 1
      rows.forEach((row, at) => {
        const result = ranking.results[at]
        row.hidden = !result
        if (!result) return
        const { doc_id: doc, heading, text, anchor } = data.chunks[result.chunk]
        const put = (name, ...content) => row.querySelector(name).replaceChildren(...content)
        row.classList.toggle("is-right", doc === ranking.expected)
        put(".explorer__heading", ...mark(heading, ranking.words))
        put(".explorer__document code", doc)
        if (root.dataset.corpus) row.querySelector("a").href = `${root.dataset.corpus}#${anchor}`
        put(".explorer__text", ...mark(text, ranking.words))
        put(".explorer__number", shown(result.score))
        put(".explorer__bar", ...result.adds.filter(Boolean).map(adds => {
          const piece = document.createElement("i")
          piece.style.flex = adds
          return piece
        }))
        row.querySelector(".explorer__bar").style.setProperty("--width", `${100 * result.score / best}%`)
        put("tbody", ...contributions(ranking.words, result))
        put("tfoot td", shown(result.score))
        put(".explorer__factor span", filled(words.factor, { factor: shown(result.factor) }))
      })
      const n = ranking.found - ranking.results.length
      one(".explorer__rest").textContent = filled(words.rest, { n })
    }

    const says = (ranking, k, data) => {
      if (ranking.rank === null) return filled(words.nowhere, { k })
      const sentence = ranking.rank <= k ? words.found : words.missed
      const beyond = k > data.max_k ? words.beyond : ""
      return filled(sentence, { k, rank: ranking.rank }) + beyond
    }

    const show = async () => {
      const data = await load()
      // read now, not when it was called: the last choice counts
      const [query, k] = [choices.findIndex(choice => choice.checked), Number(range.value)]
      const ranking = data.rankings[query]
      if (query !== listed) list(ranking, data)
      listed = query

      rows.forEach((row, at) => {
        row.classList.toggle("is-inside", at < k)
        row.classList.toggle("is-last", at === k - 1)
      })
      data.rankings.forEach(({ rank }, at) => {
        for (const state of [states[at], strip[at]]) {
          state.dataset.state = rank !== null && rank <= k ? "inside" : "outside"
          state.classList.toggle("is-chosen", at === query)
        }
        states[at].firstElementChild.textContent = words[states[at].dataset.state]
      })
      for (const at of all(".explorer__at")) at.textContent = k
      const [every, sum] = [data.rankings, numbers => numbers.reduce((one, other) => one + other)]
      const fractions = {
        recall: [`${ranking.recall[k - 1]}/1`, `${sum(every.map(each => each.recall[k - 1]))}/${every.length}`],
        precision: [`${ranking.hits[k - 1]}/${k}`, `${sum(every.map(each => each.hits[k - 1]))}/${k * every.length}`],
      }
      for (const metric of ["recall", "precision"]) {
        const row = one(`.explorer__figures .explorer__${metric}`)
        row.querySelector(".explorer__own").textContent = shown(ranking[metric][k - 1])
        row.querySelector(".explorer__mean").textContent = shown(data[metric][k - 1])
        row.querySelectorAll("small").forEach((small, at) => {
          small.textContent = fractions[metric][at]
        })
        const place = all(`.explorer__plot .explorer__${metric} .explorer__place`)[k - 1]
        const dot = one(`.explorer__plot .explorer__${metric} .explorer__dot`)
        for (const axis of ["cx", "cy"]) dot.setAttribute(axis, place.getAttribute(axis))
      }
      const sentence = says(ranking, k, data)
      one(".explorer__says").textContent = sentence
      // aloud only when the reader has come to rest: the slider says its own value at each step
      clearTimeout(later)
      later = setTimeout(() => {
        const figures = filled(words.measured, {
          k,
          recall: shown(ranking.recall[k - 1]),
          mean_recall: shown(data.recall[k - 1]),
          precision: shown(ranking.precision[k - 1]),
          mean_precision: shown(data.precision[k - 1]),
        })
        status.textContent = `${sentence} ${figures}`
      }, 800)
    }

    root.addEventListener("input", () => show().catch(() => root.classList.add("explorer--still")))
    // the file is fetched when the reader comes near, not with the page
    new IntersectionObserver((entries, observer) => {
      if (!entries.some(entry => entry.isIntersecting)) return
      observer.disconnect()
      load().catch(() => root.classList.add("explorer--still"))
    }, { rootMargin: "50%" }).observe(root)
  }

  document.querySelectorAll(".explorer").forEach(explore)
}
