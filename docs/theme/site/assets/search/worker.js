/* Searches beside the page, so that typing never waits: worker.js?lang=es&index=ADDRESS. */

import { build, search } from "./ranking.js"

const options = new URLSearchParams(location.search)
const index = Promise.all([fetch(options.get("index")), import(`./${options.get("lang")}.js`)])
  .then(async ([response, language]) => build((await response.json()).docs, language))

addEventListener("message", async ({ data: query }) => {
  postMessage({ query, results: query.trim() ? search(query, await index) : [] })
})
