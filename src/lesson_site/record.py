"""What a run has proven, for readers (the stamp of a page) and for programs (a JSON file)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from lesson_checker.page import Page


@dataclass(frozen=True, slots=True)
class Proof:
    """One page of the site, and how much of it a run has proven.

    Attributes:
        page: What the checker read.
        verified: How many blocks were verified.
        url: Where the page stands, relative to the root of the site.
    """

    page: Page
    verified: int
    url: str


def record(proofs: list[Proof], versions: Mapping[str, str]) -> str:
    """Return the content of ``verification.json``: the same for the same pages and versions.

    The digest of a page is that of its Markdown file; those of its blocks let anybody find the
    block again whose output they doubt.
    """
    content = {
        "versions": dict(versions),
        "verified": sum(proof.verified for proof in proofs),
        "pages": [_page(proof) for proof in sorted(proofs, key=lambda proof: proof.page.name)],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _page(proof: Proof) -> dict[str, Any]:
    page = proof.page
    return {
        "path": page.name,
        "language": page.lang,
        "url": proof.url,
        "sha256": _digest(page.text),
        "verified": proof.verified,
        "blocks": [
            {
                "line": block.line,
                "kind": block.kind,
                "language": block.language,
                "sha256": _digest(block.body),
            }
            for block in page.blocks
        ],
    }


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8")).hexdigest()
