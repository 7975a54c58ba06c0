"""What readers type, and where it ought to lead: a small evaluation set of the search itself.

A place is a page and a section, `04#entries`; a page alone is anything on it. Any of the places of
a line will do. The held-out half was written before anybody had seen what the search answers to it.
"""

PAGES = {
    "03": "lessons/03-evaluation-set/",
    "04": "lessons/04-recall-at-k/",
    "05": "lessons/05-precision-at-k/",
    "06": "lessons/06-anatomy-of-the-trap/",
    "07": "lessons/07-fixing-the-trap/",
    "ref": "reference/recall-and-precision/",
    "about": "about-the-numbers/",
}

# places | in Spanish; another | in English; another
TUNED = """
04#entries 06#verdict 06#summary | ¿por qué la trampa necesita k=6? | why does the trap need k=6?
04#entries 06#verdict 06#summary | trampa k=6 | trap k=6
04#entries 06#verdict 06#summary | por qué hace falta k=6; trampa puesto 6 | why k=6; trap rank 6
glossary 04 | recuperacion; recuperar | retrieval
glossary 04 | recuperación de información | information retrieval
glossary 04#formula 04#description 04# | exhaustividad; cobertura | sensitivity; true positive rate
04# 04#formula 04#description | recall; qué es el recall | recall; what is recall
05# 05#formula 05#description | precisión; precision@k | precision; precision@k
07#luck ref#ab-tests | prueba de significación | significance test
07#luck ref#ab-tests | ¿es significativa la diferencia? | is the difference significant?
04 05 06 ref | recall@6 | recall@6
start#install start | instalar; pip; cómo instalo esto | install; pip; how do I install it
start | cuaderno; jupyter; descargar cuaderno | notebook; jupyter; download notebook
ref#ties 03#search | empates | ties
06#bm25-by-hand 06#sum 06#description 06# glossary | bm25 | bm25
ref#choosing-k | elegir k; qué k uso | choosing k; which k should I use
03#chunks | chunks; partir documentos | chunks; split documents
ref#balance | map | map
03# 03#eval-set | set de evaluación | evaluation set
ref#one-liners | numpy | numpy
"""

HELD_OUT = """
03#tokens glossary | qué es un token | what is a token
03#why-fixed | por qué fijar el set | why keep the set fixed
03#ground-truth | ground truth | ground truth
04#formula ref#formulas | fórmula del recall | recall formula
04#mrr | mrr | mrr
05#divisor 05#few-results 05#mistake-returned | dividir entre k | divide by k
05#ceiling 05#mistake-gate | techo de la precisión | precision ceiling
05#identity ref#balance 05#mistake-units | f1 | f1
06#idf | palabras raras idf | rare words idf
06#length 06#suspect-length | longitud del chunk | chunk length
06#suspect-headings 07#titles | títulos | headings
07#tokens 07#mistake-list | palabras vacías | stop words
07#tokens | sinónimos | synonyms
07#cuts 03#chunks | chunks más grandes | bigger chunks
ref#disagreements | trec_eval | trec_eval
ref#ab-tests | test a/b | a/b test
ref#macro-mean | media macro | macro average
ref#nothing-relevant | query sin nada relevante | query with nothing relevant
about#stamp about#checked | qué significa verificado | what does verified mean
contributing | cómo contribuir | how to contribute
04#mistake-budget 04#blind-spots | recall@20 | recall@20
corpus | corpus | corpus
07#luck api | intervalo de wilson | wilson interval
explorer | explorador | explorer
glossary | glosario | glossary
"""

# Words in other forms than the pages have them in their titles: without stems, most are lost.
INFLECTED = """
ref#ties 03#search | empatados; empate | tied; tie
05#divisor | denominadores | denominators
07#remedies | remedio | remedy
06#suspects | sospecha | suspicion
07#titles 06#suspect-headings | titular | heading
03#tokens | token | token
04#formula 05#formula ref#formulas | fórmulas | formulae; formulas
ref#applications | aplicación | application
"""


def read(table: str) -> dict[str, list[tuple[str, list[str]]]]:
    """Return, for each language, its queries with the places that answer them."""
    queries: dict[str, list[tuple[str, list[str]]]] = {"es": [], "en": []}
    for line in table.strip().splitlines():
        places, *typed = line.split(" | ")
        for lang, column in zip(queries, typed, strict=True):
            queries[lang] += [(query, places.split()) for query in column.split("; ")]
    return queries


def answers(place: str, location: str) -> bool:
    """Say whether a result is the place, or on the page, that was expected."""
    page, hash_, section = place.partition("#")
    page = PAGES.get(page, f"{page}/")
    wanted = f"{page}#{section}" if section else page
    return location == wanted if hash_ else location.startswith(page)
