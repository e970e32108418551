"""Small data that comes with the package."""

from __future__ import annotations

import pathlib


def recipes(part: str = "train") -> tuple[list[list[str]], list[list[str]]]:
    """Lines of recipes, word by word, and what each word is: (words, labels) of 'train' or 'test'."""
    if part not in ("train", "test"):
        raise ValueError(f"part is {part!r}: give 'train' or 'test'.")
    text = (pathlib.Path(__file__).parent / "data" / f"recipes.{part}").read_text(encoding="utf-8")
    lines = [[token.split("\t") for token in block.splitlines()] for block in text.strip().split("\n\n")]
    return [[word for word, _ in line] for line in lines], [[label for _, label in line] for line in lines]
