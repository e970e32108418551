"""Sentences with their trees, some known in part. The grammar, its derivations and their features are made here anew, by recursion over spans."""
import itertools

from hypothesis import strategies as st

from evaluate import MOST_STRUCTURES, Structure
from tasks import Data

NAME = "parse"
PREDICT = [["--scores"], ["--marginals"]]
WORDS = ["x", "y", "z"]
TAGS = {"x": ["A"], "y": ["B", "A"], "z": ["B"]}
LENGTHS = ["1", "2", "3", "4", "5", "6-7"]


# A tree is (label, [children]) or, for a word, (tag or None, word). A label "?" groups pieces in any way.
def leaf(node):
    return isinstance(node[1], str)


def words(node):
    return [node] if leaf(node) else [w for child in node[1] for w in words(child)]


def spelled(node):
    if leaf(node):
        return f"({node[0]} {node[1]})" if node[0] else node[1]
    return f"({node[0]} {' '.join(spelled(child) for child in node[1])})"


@st.composite
def word(draw):
    text = draw(st.sampled_from(WORDS))
    return (draw(st.sampled_from(TAGS[text])), text)


@st.composite
def tree(draw, room=3):
    children = draw(st.lists(word() if room < 2 else st.one_of(word(), word(), tree(room=room - 1)), min_size=1, max_size=2 if room < 3 else 3))
    return (draw(st.sampled_from(["S", "N"])), children)


def opened(draw, node):
    """Some brackets are forgotten, and their children stand among pieces."""
    if leaf(node):
        return node
    children, dropped = [], False
    for child in node[1]:
        if not leaf(child) and draw(st.booleans()):
            children += opened(draw, child)[1]
            dropped = True
        else:
            children.append(opened(draw, child))
    flat = [piece for child in children for piece in (child[1] if not leaf(child) and child[0] == "?" else [child])]
    return (node[0], [("?", flat)] if dropped else children)


@st.composite
def data(draw, hidden=True):
    trees = [("ROOT", [draw(tree())]) for _ in range(draw(st.integers(1, 4)))]
    trees = [t for t in trees if len(words(t)) <= 5] or [("ROOT", [("S", [("A", "x")])])]
    if hidden and draw(st.integers(0, 2)) == 0:
        trees.append(opened(draw, draw(st.sampled_from(trees))))
    return Data(trees, {})


def flags(_):
    return {
        "tags": st.sampled_from(["given", "found"]),
        "horizontal": st.sampled_from(["0", "1", "2"]),
        "vertical": st.sampled_from(["1", "2"]),
        "features": st.sampled_from(["rules", "spans", "all"]),
        "min-count": st.just("1"),
        "beam": st.sampled_from(["0", "0", "0.5", "100"]),
        "max-memory": st.sampled_from(["100", "4096"]),
    }


ALWAYS = ["min-count"]


def text(_, examples):
    return {"train": "".join(spelled(t) + "\n" for t in examples)}


def arguments(_):
    return []


# The grammar.
class Grammar:
    def __init__(self, trees, horizontal, vertical):
        self.h, self.v = horizontal, vertical
        self.rules, self.chains, self.seen = {}, {}, {}
        for t in trees:
            for tag, text_ in words(t):
                if tag:
                    self.seen.setdefault(text_, set()).add(tag)
            self.read(t, [])

    def symbol(self, node, above):
        if leaf(node):
            return "/" + node[0] if node[0] else None
        ancestors = ([*above][::-1])[: self.v - 1]
        return None if node[0] == "?" or "?" in ancestors else "^".join([node[0], *ancestors])

    def read(self, node, above, top=True):
        if leaf(node):
            return
        below = [*above, node[0]]
        for child in node[1]:
            self.read(child, below, len(node[1]) > 1 or node[0] == "?")
        if node[0] == "?":
            return
        own = self.symbol(node, above)
        if top:
            chain, at, path = [own], node, below
            while not leaf(at) and at[0] != "?" and len(at[1]) == 1:
                at = at[1][0]
                chain.append(self.symbol(at, path))
                path = path if leaf(at) else [*path, at[0]]
            if None not in chain:
                self.chains.setdefault(chain[0], set()).add(tuple(chain))
        if len(node[1]) > 1:
            symbols = [self.symbol(child, below) for child in node[1]]
            if own is None or None in symbols:
                return
            self.chains.setdefault(own, set()).add((own,))
            parent = own
            for k in range(len(symbols) - 1):
                right = symbols[-1]
                if k + 2 < len(symbols):
                    memory = ["/" + c[0] if leaf(c) else c[0] for c in node[1][max(0, k + 1 - self.h) : k + 1]]
                    right = f"@{own}|{','.join(memory)}"
                self.rules.setdefault(parent, set()).add((symbols[k], right))
                parent = right

    def derivations(self, sentence, allowed):
        """Every derivation: a list of (begin, end, chain or None, left, right, split), or (…, tag) of a word."""
        memory = {}

        def count(list_):
            if len(list_) > MOST_STRUCTURES:
                raise OverflowError
            return list_

        def bottom(i, j, symbol):
            if j - i == 1:
                return [[("word", symbol[1:])]] if symbol.startswith("/") and symbol[1:] in allowed[i] else []
            found = []
            for left, right in sorted(self.rules.get(symbol, ())):
                for k in range(i + 1, j):
                    for a, b in itertools.product(top(i, k, left), top(k, j, right)):
                        found.append([("rule", symbol, left, right, k), *a, *b])
                        count(found)
            return found

        def top(i, j, symbol):
            if (i, j, symbol) not in memory:
                bare = symbol[0] in "/@"
                chains = [(None, symbol)] if bare else [(c, c[-1]) for c in sorted(self.chains.get(symbol, ()))]
                memory[i, j, symbol] = count([[(i, j, chain, *d[0]), *d[1:]] for chain, low in chains for d in bottom(i, j, low)])
            return memory[i, j, symbol]

        return top(0, len(sentence), "ROOT")


def label_of(symbol):
    return symbol.split("|")[0].lstrip("@").split("^")[0]


def shown(symbol):
    return symbol[1:] if symbol.startswith("/") else symbol


def brackets(node, begin=0, found=None, open_=None):
    """Known brackets from the top down, and the pairs of positions between which it is open."""
    found, open_ = ([], set()) if found is None else (found, open_)
    if leaf(node):
        return found, open_, begin + 1
    end = begin + len(words(node))
    if node[0] not in ("?", "ROOT"):
        found.append((begin, end, node[0]))
    cuts = [begin]
    for child in node[1]:
        cuts.append(brackets(child, cuts[-1], found, open_)[2])
    if node[0] == "?":
        open_ |= set(itertools.combinations(cuts, 2))
    return found, open_, end


def problem(data_, examples, options):
    grammar = Grammar(examples, options["horizontal"], options["vertical"])
    given = options["tags"] == "given"
    classes = {w: "<>" for w in WORDS}  # the form of a short word in lower case

    def features_of(sentence, derivation):
        texts = ["(none)", *(w for _, w in sentence), "(none)"]
        tags = {s[0]: s[4] for s in derivation if s[3] == "word"}
        kinds = ["(none)", *((tag if tag else "(other)") if given else classes[w] for tag, w in sentence), "(none)"]
        found = {}

        def add(name):
            found[name] = found.get(name, 0) + 1

        for i, j, chain, kind, *rest in derivation:
            for a, b in itertools.pairwise(chain or ()):
                add(f"{shown(a)} -> {shown(b)}")
            labels = [label_of(s) for s in chain or () if not s.startswith("/")]
            if options["features"] != "rules":
                for label in labels:
                    if label == "ROOT":
                        continue
                    for name in (f"length: {LENGTHS[min(j - i, 6) - 1]}", f"first: word {texts[i + 1]}", f"last: word {texts[j]}",
                                 f"before: word {texts[i]}", f"behind: word {texts[j + 1]}", f"first: {kinds[i + 1]}", f"last: {kinds[j]}",
                                 f"before: {kinds[i]}", f"behind: {kinds[j + 1]}", f"across its beginning: {kinds[i]} {kinds[i + 1]}",
                                 f"across its end: {kinds[j]} {kinds[j + 1]}", f"first and last: {kinds[i + 1]} {kinds[j]}"):
                        add(f"{name} -> {label}")
            if kind == "word":
                if not given:
                    for name in (f"word {texts[i + 1]}", f"word of class {kinds[i + 1]}", f"word before {texts[i]}", f"word behind {texts[i + 2]}"):
                        add(f"{name} -> {tags[i]}")
                continue
            parent, left, right, k = rest
            add(f"{shown(parent)} -> {shown(left)} {shown(right)}")
            if options["features"] == "all":
                for name in (f"left of the split: word {texts[k]}", f"right of the split: word {texts[k + 1]}", f"left of the split: {kinds[k]}",
                             f"right of the split: {kinds[k + 1]}", f"across the split: {kinds[k]} {kinds[k + 1]}",
                             f"length left of the split: {LENGTHS[k - i - 1]}", f"length right of the split: {LENGTHS[j - k - 1]}"):
                    add(f"{name} -> {label_of(parent)}")
        return found

    result = []
    for tree_ in examples:
        sentence = words(tree_)
        seen = [grammar.seen.get(w) or {t for tags in grammar.seen.values() for t in tags} for _, w in sentence]
        allowed = [{tag} if given and tag else tags for (tag, _), tags in zip(sentence, seen)]
        try:
            derivations = grammar.derivations(sentence, allowed)
        except OverflowError:
            return None
        known, open_, _ = brackets(tree_)

        def structures(known, open_, tags):
            made = []
            for derivation in derivations:
                chains = {(i, j): [label_of(s) for s in chain if s[0] != "/" and label_of(s) != "ROOT"]
                          for i, j, chain, *_ in derivation if chain}
                loss, admitted = 0, all(tags[s[0]] in (None, s[4]) for s in derivation if s[3] == "word")
                for span in set(chains) | {b[:2] for b in known}:
                    own, wanted = chains.get(span, []), [b[2] for b in known if b[:2] == span]
                    common = sum(min(own.count(label), wanted.count(label)) for label in set(wanted))
                    loss += len(wanted) - common + (0 if span in open_ else len(own) - common)
                    rest = iter(own)
                    within = all(label in rest for label in wanted)
                    admitted = admitted and (within if span in open_ else own == wanted)
                made.append(Structure(features_of(sentence, derivation), loss, tuple(map(str, derivation)), admitted))
            return made

        own = structures(known, open_, [tag for tag, _ in sentence])
        if not any(s.admitted for s in own):
            n = len(sentence)  # nothing is taken for known
            own = structures([], set(itertools.combinations(range(n + 1), 2)), [None] * n)
            if not own:
                continue  # left out
        result.append((1, own))
    return result


def renamed(data_):
    labels = {"S": "Verb", "N": "Noun", "ROOT": "ROOT", "?": "?", "A": "T", "B": "a", None: None}
    texts = {"x": "p", "y": "q", "z": "o"}

    def new(node):
        return (labels[node[0]], texts[node[1]] if leaf(node) else [new(child) for child in node[1]])
    return Data([new(t) for t in data_.examples], {}), {}


def answers(output):
    groups, found, first = "\n\n" in output, [], True
    for line in output.splitlines():
        if line.startswith("(") and first:
            found.append(line)
            first = not groups
        first = first or not line
    return found


def places(data_):
    return len(data_.examples)
