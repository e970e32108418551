"""Short sequences of RNA, some letters of whose fold are not known."""
from hypothesis import strategies as st

from evaluate import Structure
from flags import number
from tasks import Data

NAME = "fold"
DECODINGS = ("joint",)  # max-marginals is the fold of the greatest expected accuracy
PREDICT = [["--marginals"], ["--threshold=0.5"], ["--nbest=3"], ["--nbest=2", "--marginals"]]
TYPES = ["AU", "UA", "CG", "GC", "GU", "UG"]


def folds(letters):
    """Every list of partners, None without one."""
    def extend(i, ends, partners):
        if i == len(letters):
            yield list(partners)
            return
        if ends and ends[-1] == i:
            yield from extend(i + 1, ends[:-1], partners)
            return
        yield from extend(i + 1, ends, partners)
        for j in range(i + 4, ends[-1] if ends else len(letters)):
            if letters[i] + letters[j] in TYPES:
                partners[i], partners[j] = j, i
                yield from extend(i + 1, [*ends, j], partners)
                partners[i] = partners[j] = None
    return extend(0, [], [None] * len(letters))


@st.composite
def data(draw, hidden=True):
    hides = hidden and draw(st.integers(0, 2)) == 0
    examples = []
    for _ in range(draw(st.integers(1, 4))):
        letters = draw(st.text(alphabet="GCAUGCN", min_size=1, max_size=11))
        known = draw(st.sampled_from([f for _, f in zip(range(200), folds(letters))]))
        if hides:
            known = [known[i] if draw(st.booleans()) else "?" for i in range(len(letters))]
            known = ["?" if isinstance(j, int) and known[j] == "?" else j for j in known]
        examples.append((letters, known))
    return Data(examples, {})


def flags(_):
    return {
        "features": st.sampled_from(["pairs", "stacks", "loops", "mismatches", "all"]),
        "max-loop": number(30, 30, 1, 0),
        "crossing": st.sampled_from(["refuse", "drop"]),
        "gamma": number(0.5, 1, 4),
        "max-memory": number(1, 4096),
    }


def dots(known):
    return "".join("?" if j == "?" else "." if j is None else "(" if j > i else ")" for i, j in enumerate(known))


def text(_, examples):
    return {"train": "".join(f">r{k}\n{letters}\n{dots(known)}\n" for k, (letters, known) in enumerate(examples))}


def arguments(_):
    return []


def features_of(x, s, level):
    """By name, or None where a loop is too long."""
    found = {}
    stacks, loops, mismatches, dangles = (level >= k for k in (1, 2, 3, 4))

    def add(name, wanted=True):
        if wanted:
            found[name] = found.get(name, 0) + 1

    def at(i):
        return x[i] if 0 <= i < len(x) and x[i] in "ACGU" else "-"

    def two(what, i, j, k, l):
        return min(f"{what} {x[i]}{x[j]} {x[k]}{x[l]}", f"{what} {x[l]}{x[k]} {x[j]}{x[i]}")

    def end(i, j):
        add(f"helix ends with {x[i]}{x[j]}", loops)

    def mismatch(what, i, j):
        """The pair (i, j) seen from the loop that begins behind i and ends before j."""
        end(i, j)
        add(f"{what} {x[i]}{x[j]} beside {at(i + 1)}{at(j - 1)}", mismatches)

    def dangle(i, j):
        end(i, j)
        add(f"dangle {x[i]}{x[j]} then {at(i + 1)}", dangles)
        add(f"dangle {at(j - 1)} before {x[i]}{x[j]}", dangles)

    def at_least(what, first, length):
        for k in range(first, min(length, 30) + 1):
            add(f"{what} at least {k}", loops)

    def branches(i, j):
        """The pairs that stand in letters i … j − 1 and within no other of them."""
        k = i
        while k < j:
            if s[k] is not None:
                yield k, s[k]
                k = s[k]
            k += 1

    exterior = list(branches(0, len(x)))
    for i, j in exterior:
        add("exterior branch", loops)
        dangle(j, i)
    for _ in range(len(x) - sum(j - i + 1 for i, j in exterior)):
        add("exterior letter", loops)
    for i, j in enumerate(s):
        if j is None or j < i:
            continue
        add("pair " + {"UA": "AU", "GC": "CG", "UG": "GU"}.get(x[i] + x[j], x[i] + x[j]))
        inside = list(branches(i + 1, j))
        if not inside:
            mismatch("hairpin", i, j)
            at_least("hairpin of", 3, j - i - 1)
        elif len(inside) > 1:
            add("multiloop", loops)
            add("multiloop branch", loops)
            dangle(i, j)
            for k, l in inside:
                add("multiloop branch", loops)
                dangle(l, k)
            for _ in range(j - i - 1 - sum(l - k + 1 for k, l in inside)):
                add("multiloop letter", loops)
        else:
            (k, l), = inside
            a, b = k - i - 1, j - l - 1
            if a + b == 0:
                add(two("stack", i, j, k, l), stacks)
                continue
            mismatch("loop", i, j)
            mismatch("loop", l, k)
            if a + b == 1:
                add(two("across a letter", i, j, k, l), mismatches)
            if a == 0 or b == 0:
                at_least("bulge of", 1, a + b)
            else:
                at_least("loop of", 2, a + b)
                at_least("loop uneven by", 1, abs(a - b))
                add(f"loop of {min(a, b)} by {max(a, b)}", loops and max(a, b) <= 4)
            if a == b == 1:
                order = "ACGU-"
                one, other = sorted((at(i + 1), at(j - 1)), key=order.index)
                add(f"loop of {one} and {other}", mismatches)
    return found


def longest_loop(x, s):
    longest = 0
    for i, j in enumerate(s):
        if j is None or j < i:
            continue
        inside, k = [], i + 1
        while k < j:
            if s[k] is not None:
                inside.append((k, s[k]))
                k = s[k]
            k += 1
        if len(inside) == 1:
            longest = max(longest, j - i - 1 - (inside[0][1] - inside[0][0] + 1))
    return longest


def problem(_, examples, options):
    level = ["pairs", "stacks", "loops", "mismatches", "all"].index(options["features"])
    result = []
    for letters, known in examples:
        if options["max_loop"] < 30 and longest_loop(letters, [None if j == "?" else j for j in known]) > options["max_loop"]:
            return None  # pairs are left out of the label
        truth = sum(isinstance(j, int) and j > i for i, j in enumerate(known))
        structures = []
        for s in folds(letters):
            if longest_loop(letters, s) > options["max_loop"]:
                continue
            loss = truth
            for i, j in enumerate(s):
                if j is not None and j > i:
                    loss += -1 if known[i] == j else known[i] != "?" or known[j] != "?"
            admitted = all(k == "?" or k == j for k, j in zip(known, s))
            structures.append(Structure(features_of(letters, s, level), float(loss), tuple(s), admitted, (dots(s),)))
        result.append((1, structures))
    return result


def renamed(data_):
    """Letters cannot be renamed."""
    return data_, {}


def answers(output):
    """The first of each name."""
    lines, found = [line for line in output.splitlines() if not line.startswith(";")], {}
    for name, fold in zip(lines[0::3], lines[2::3]):
        found.setdefault(name, fold)
    return list(found.values())


def places(data_):
    return len(data_.examples)
