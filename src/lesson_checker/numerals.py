"""Numbers as people write them: in digits, in the formats of two languages."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

# 1234, 1.234,5, 10 000 with a space that does not break, 1,2,3
DIGITS = r"\d{1,3}(?:[\u00a0\u202f]+\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*"
# a minus or a plus is a sign where nothing stands before it to take it away from
SIGN = r"(?:(?<![\w.,%)\]}])[-−–+](?=\d))"
_NUMBER = re.compile(rf"(?<!\d)(?<!\d[.,])(?:{SIGN}?(?:{DIGITS})|(?<![\w.])\.\d+)")
_PLAIN = re.compile(r"[-+]?(?:\d*[.,])?\d+(?:[eE][-+]?\d{1,4})?")
_GROUPED = re.compile(
    r"(?P<whole>[-+]?[1-9]\d{0,2}(?P<comma>[.,])\d{3}(?:(?P=comma)\d{3})*)"
    r"(?:(?!(?P=comma))[.,](?P<part>\d+))?"
)
_TOO_LONG = 60  # digits; a hash or a dump, not something that is said


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text: as it is written, where it starts, and all that it can mean."""

    text: str
    start: int
    values: tuple[Decimal, ...]

    @property
    def keys(self) -> tuple[object, ...]:
        """What two numbers share if they can mean the same and show as many decimals.

        A version is only its text.
        """
        return tuple(map(str, self.values)) or (self.text,)


def readings(number: str, lang: str | None = None) -> Iterator[tuple[Decimal, int]]:
    """Yield what a number can mean, each time with its number of decimals.

    ``1.234`` is a bit more than one in English. In Spanish it may be a thousand and more, and so
    it may in a page whose language nobody knows. A list such as ``1,2,3`` and a version such as
    ``0.2.2`` mean nothing.

    Examples:
        >>> [str(value) for value, _ in readings("1.234", "es")]
        ['1.234', '1234']
        >>> [str(value) for value, _ in readings("1.234", "en")]
        ['1.234']
        >>> [str(value) for value, _ in readings("0,667")]
        ['0.667']
    """
    plain = re.sub(r"[\u00a0\u202f]", "", re.sub("[−–]", "-", number))
    if len(plain) > _TOO_LONG:
        return
    grouped = _GROUPED.fullmatch(plain)
    english = lang == "en"
    thousands = grouped is not None and not (english and grouped["comma"] == ".")
    if _PLAIN.fullmatch(plain) and not (english and thousands):
        value = Decimal(plain.replace(",", "."))
        yield value, max(0, -int(value.as_tuple().exponent))
    if grouped and thousands:
        part = grouped["part"] or ""
        yield Decimal(re.sub("[.,]", "", grouped["whole"]) + "." + part), len(part)


@lru_cache(maxsize=4096)
def numbers(text: str, lang: str | None = None) -> tuple[Number, ...]:
    """Return the numbers of a text in order.

    Examples:
        >>> [number.text for number in numbers("from −0.5 to 1,234 in k=1,2,3")]
        ['−0.5', '1,234', '1', '2', '3']
    """
    return tuple(_numbers(text, lang))


def _numbers(text: str, lang: str | None) -> Iterator[Number]:
    for match in _NUMBER.finditer(text):
        values = _values(match[0], lang)
        if values or "," not in match[0]:
            yield Number(match[0], match.start(), values)
        else:  # a list without spaces
            for part in re.finditer("[^,]+", match[0]):
                yield Number(part[0], match.start() + part.start(), _values(part[0], lang))


def _values(text: str, lang: str | None) -> tuple[Decimal, ...]:
    return tuple(value for value, _ in readings(text.lstrip("+"), lang))


def odd_ones(left: Sequence[Number], right: Sequence[Number]) -> tuple[list[Number], list[Number]]:
    """Return the numbers on either side that have no partner on the other, whatever the order."""
    # those that are written alike first, so that none takes the partner of another
    return _unmatched(*_unmatched(left, right, lambda each: (each.text,)), lambda each: each.keys)


def _unmatched(
    left: Sequence[Number], right: Sequence[Number], keys: Callable[[Number], tuple[object, ...]]
) -> tuple[list[Number], list[Number]]:
    waiting: dict[object, deque[int]] = defaultdict(deque)
    for place, number in enumerate(right):
        for key in keys(number):
            waiting[key].append(place)
    taken: set[int] = set()
    odd = []
    for number in left:
        for key in keys(number):
            while waiting[key] and waiting[key][0] in taken:
                waiting[key].popleft()
        partner = next((waiting[key].popleft() for key in keys(number) if waiting[key]), None)
        if partner is None:
            odd.append(number)
        else:
            taken.add(partner)
    return odd, [number for place, number in enumerate(right) if place not in taken]


def canonical(text: str) -> list[str]:
    """Return the numbers of a text, sorted, as they are however a language writes them.

    Where the two readings of ``1.234`` can't be told apart, they count as one.

    Examples:
        >>> canonical("0,667 of 1.234") == canonical("1,234 and 0.667")
        True
    """
    return sorted(
        str(number.values[-1]) if number.values else number.text for number in numbers(text)
    )
