"""How a comparison is run: how often, how long a peer may take, and on how much of the data."""

from dataclasses import dataclass

from support import machine
from support.hinge import Hinge
from support.settings import Settings

QUICK_LINES = {"conll2000/train.txt": 6000, "conll2000/test.txt": 2000, "news20/train.svm": 1500, "news20/test.svm": 500}


@dataclass
class Plan:
    hinge: Hinge
    settings: Settings
    repeats: int = 3
    peer_repeats: int = 3
    limit: float = 600  # seconds that one run of a peer may take
    quick: bool = False  # a little of everything, to see that it runs to its end

    def few(self, values):
        return values[:1] if self.quick else values

    def data(self, name):
        """A file of real data, or the beginning of it."""
        path = machine.data(name)
        if not self.quick or name not in QUICK_LINES:
            return path
        few = self.folder() / name.replace("/", "-")
        if not few.exists():
            with open(path) as lines:
                some = [line for line, _ in zip(lines, range(QUICK_LINES[name]))]
            few.write_text("".join(some))
        return few

    def folder(self):
        """For files that are made of the data once."""
        path = machine.BUILD / ("quick" if self.quick else "made")
        path.mkdir(exist_ok=True)
        return path

    def key(self, *words):
        return " ".join([*(f"{word:g}" if isinstance(word, float) else str(word) for word in words), *(["quick"] if self.quick else [])])
