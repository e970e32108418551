"""Writes garden.train and garden.test, made-up sentences with their trees, for the task parse: `python3 make_garden.py [FOLDER]`.

Where a phrase such as "with a rake" belongs is told by its words: to what is done with a tool, or to the thing that has such a part. Some of
the training trees are known in part only, and one sentence is words alone.
"""
import pathlib
import random
import sys

THINGS = ["gardener", "dog", "bird", "child", "neighbour", "cat"]
PLACED = ["tree", "bench", "pond", "fence", "flower", "hedge"]
TOOLS = ["rake", "spade", "hose", "net"]
PARTS = ["tail", "hat", "collar", "beard"]
DOES = ["sees", "cleans", "finds", "waters"]
RESTS = ["sleeps", "waits", "sings"]
KINDS = ["old", "small", "green", "wet"]


def noun(g, words, deep=0):
    """A noun phrase, perhaps with more behind it."""
    if g.random() < 0.15:
        return "(NP (PRP it))"
    kinds = "".join(f" (JJ {g.choice(KINDS)})" for _ in range(g.choice([0, 0, 0, 1, 2])))
    base = f"(NP (DT {g.choice(['the', 'a'])}){kinds} (NN {g.choice(words)}))"
    if words is THINGS and deep < 1 and g.random() < 0.3:
        return f"(NP {base} (PP (IN with) {noun(g, PARTS, deep + 1)}))"
    if deep < 2 and g.random() < 0.2:
        return f"(NP {base} (PP (IN near) {noun(g, PLACED, deep + 1)}))"
    if deep < 1 and g.random() < 0.1:
        return f"(NP {base} (CC and) {noun(g, words, 2)})"
    return base


def verb(g):
    if g.random() < 0.3:
        return f"(VP (VBZ {g.choice(RESTS)}))" if g.random() < 0.5 else f"(VP (VBZ {g.choice(RESTS)}) (ADVP (RB quietly)))"
    tool = f" (PP (IN with) {noun(g, TOOLS, 2)})" if g.random() < 0.4 else ""
    return f"(VP (VBZ {g.choice(DOES)}) {noun(g, THINGS + PLACED if g.random() < 0.5 else THINGS)}{tool})"


def sentence(g):
    return f"(ROOT (S {noun(g, THINGS)} {verb(g)} (. .)))"


def partial(g):
    """The subject is known, and what is done; how the rest belongs together is not."""
    rest = [f"(DT the) (NN {g.choice(THINGS)})", f"(IN with) (DT a) (NN {g.choice(TOOLS + PARTS)})"]
    return f"(ROOT (S {noun(g, THINGS)} (VP (? (VBZ {g.choice(DOES)}) {' '.join(rest)})) (. .)))"


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    g = random.Random(4)
    train = [partial(g) if k % 10 == 9 else sentence(g) for k in range(120)] + ["the dog sees a bird with a net ."]
    (folder / "garden.train").write_text("".join(tree + "\n" for tree in train))
    (folder / "garden.test").write_text("".join(sentence(g) + "\n" for _ in range(80)))


main()
