"""What may help a search whose words are not those of the documents: one remedy, one parameter.

`build_index` takes those that change its tokens; `rechunk` cuts the documents again.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cache, lru_cache
from itertools import pairwise
from numbers import Integral

from retrieval_lessons.chunks import Chunk

Tokenizer = Callable[[str], list[str]]

_LUCENE = """
a an and are as at be but by for if in into is it no not of on or such that the their then there
these they this to was will with
"""
STOP_WORDS: frozenset[str] = frozenset(_LUCENE.split())
"""The 33 English stop words of Lucene, which Elasticsearch calls `_english_`.

Lists differ, and so does what they lose: scikit-learn's has 318 words, "show" and "up" among them.
"""

_WORDNET = """
booking reservation
bookings reservations
comforts amenities conveniences
damage harm impairment
discount deduction
door doorway threshold
drink beverage drinkable potable
food nutrient
help aid assist assistance
invoice bill account
length duration
networks webs
part portion component constituent
payment defrayal defrayment
price cost
property belongings holding
refund repayment
sound audio
team squad
tier grade level
tiers grades levels
transfer transference
visitors visitants
vouchers coupons
wifi wlan
"""
SYNONYMS: tuple[tuple[str, ...], ...] = tuple(
    tuple(group.split()) for group in _WORDNET.strip().split("\n")
)
"""Synonyms for the nouns in the headings of the Reservo corpus, each group under that noun.

They come by a rule, so that no query could have a say in them: of each noun as it stands in a
heading, the one-word synonyms that WordNet 3.0 (Princeton University, 2006) has for the sense that
it has there, in the same number. Nouns without such synonyms are left out.
"""

_STEMS_KEPT = 100_000  # more different words than most corpora have


def remedied(
    tokenizer: Tokenizer,
    *,
    stop_words: Collection[str] = (),
    synonyms: Iterable[Iterable[str]] = (),
    stem: bool = False,
) -> Tokenizer:
    """Return a tokenizer that leaves out, unites or stems what another one makes.

    Stop words go first, then synonyms become one word, then that word loses its ending.

    Args:
        tokenizer: The other one; it is returned as it is if there is nothing to do.
        stop_words: Tokens to leave out.
        synonyms: Groups of tokens. The first of a group stands for all of them.
        stem: Whether to cut each token to its stem, by Snowball's rules for English.

    Raises:
        TypeError: If `stem` is not a bool.
        ValueError: If a stop word or a synonym is not a single token, so that it could never be
            found, if a group has one word only, or if a word is in two groups.

    The stems are those of Porter, *Snowball: A language for stemming algorithms*, 2001.

    Examples:
        >>> from retrieval_lessons import STOP_WORDS, tokenize
        >>> from retrieval_lessons.remedies import remedied
        >>> tokens = remedied(
        ...     tokenize, stop_words=STOP_WORDS, synonyms=[("refund", "repayment")], stem=True
        ... )
        >>> tokens("There is no repayment for cancelled bookings.")
        ['refund', 'cancel', 'book']
    """
    if not isinstance(stem, bool):
        raise TypeError(f"stem must be True or False, given {stem!r}: there is English only")
    stopped = frozenset(_single_tokens("stop_words", stop_words, tokenizer))
    heads = _heads(synonyms, tokenizer)
    if not (stopped or heads or stem):
        return tokenizer

    def tokens(text: str) -> list[str]:
        kept = [token for token in tokenizer(text) if token not in stopped]
        if heads:
            kept = [heads.get(token, token) for token in kept]
        return [_stem(token) for token in kept] if stem else kept

    return tokens


def _single_tokens(name: str, words: Iterable[str], tokenizer: Tokenizer) -> list[str]:
    """Return words that can be found among tokens, or say which one can't."""
    if isinstance(words, str):
        raise ValueError(f"{name} must be words, given the str {words!r}: pass [{words!r}]")
    words = list(words)
    for word in words:
        if (tokens := tokenizer(word)) != [word]:
            raise ValueError(
                f"{name} has {word!r}, which is never a token, because the tokenizer makes "
                f"{tokens} of it: write it as one token, or leave it out"
            )
    return words


def _heads(synonyms: Iterable[Iterable[str]], tokenizer: Tokenizer) -> dict[str, str]:
    """Return for each word of the groups the first of its group."""
    heads: dict[str, str] = {}
    if isinstance(synonyms, str):
        raise ValueError(f"synonyms must be groups of words, given the str {synonyms!r}")
    for group in synonyms:
        words = _single_tokens("synonyms", group, tokenizer)
        if len(words) < 2:
            raise ValueError(f"synonyms has the group {words}: it takes two words or more")
        for word in words:
            if word in heads:
                raise ValueError(
                    f"synonyms has {word!r} twice, and it can stand for one word only: "
                    "unite its groups, or take it out of one"
                )
            heads[word] = words[0]
    return heads


@lru_cache(maxsize=_STEMS_KEPT)
def _stem(word: str) -> str:
    return _stemmer()(word)


@cache
def _stemmer() -> Callable[[str], str]:
    from snowballstemmer import stemmer  # only who stems has to wait for it

    stem: Callable[[str], str] = stemmer("english").stemWord
    return stem


def rechunk(chunks: Iterable[Chunk], *, size: int) -> list[Chunk]:
    """Cut documents again, into chunks of about so many words, wherever a section may end.

    The texts of a document's chunks are one run of words, and its new chunks are equally long, to a
    word. There are as many as bring their length nearest to `size`, and one at least.

    Args:
        chunks: The chunks of the documents, in the order of their text.
        size: How many words of text a new chunk should have, 1 or more.

    Returns:
        The new chunks, document after document in the order of the first chunk of each. Their
        heading has those of all sections that they have words of, so that an index reads each
        of these. White space between words becomes one blank.

    Raises:
        TypeError: If `size` is not an int, or `chunks` holds anything but chunks.
        ValueError: If `size` is below 1.

    Callan, *Passage-Level Evidence in Document Retrieval* (SIGIR 1994), compares such windows with
    sections and paragraphs.

    Examples:
        >>> from retrieval_lessons import load_chunks, rechunk
        >>> large = rechunk(load_chunks(), size=80)
        >>> len(large), large[0].doc_id, large[0].heading
        (32, 'access-and-check-in', 'Door codes · Checking in')
    """
    expected = f"size must be an int of at least 1, got {size!r}: it is the words of a chunk"
    if isinstance(size, bool) or not isinstance(size, Integral):
        raise TypeError(expected)
    if size < 1:
        raise ValueError(expected)
    documents: dict[str, list[tuple[str, str]]] = {}
    for chunk in chunks:
        if not isinstance(chunk, Chunk):
            raise TypeError(f"chunks has {chunk!r}, expected a Chunk: load_chunks returns a list")
        run = documents.setdefault(chunk.doc_id, [])
        run += [(word, chunk.heading) for word in chunk.text.split()]
    return [
        _piece(doc_id, run[start:end])
        for doc_id, run in documents.items()
        for start, end in _cuts(len(run), size)
    ]


def _cuts(length: int, size: int) -> list[tuple[int, int]]:
    """Where to cut a run of words, so that the pieces are of one length or differ by a word."""
    if not length:
        return []
    number = max(1, round(length / size))
    return list(pairwise(length * place // number for place in range(number + 1)))


def _piece(doc_id: str, run: list[tuple[str, str]]) -> Chunk:
    headings = dict.fromkeys(heading for _, heading in run if heading)
    return Chunk(doc_id, " · ".join(headings), " ".join(word for word, _ in run))
