"""Short sequences of RNA, some letters of whose fold are not known, from energies or from nothing."""
from hypothesis import strategies as st

from evaluate import Structure
from flags import number
from tasks import Data

NAME = "fold"
DECODINGS = ("joint",)  # max-marginals is the fold of the greatest expected accuracy
PREDICT = [["--marginals"], ["--marginals", "--threshold=0.5"], ["--nbest=3"], ["--nbest=2", "--marginals"]]
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
    hides, energies = hidden and draw(st.integers(0, 2)) == 0, draw(st.booleans())
    examples = []
    for _ in range(draw(st.integers(1, 4))):
        letters = draw(st.text(alphabet="GCAUGCN", min_size=1, max_size=11))
        known = draw(st.sampled_from([f for _, f in zip(range(200), folds(letters))]))
        if hides:
            known = [known[i] if draw(st.booleans()) else "?" for i in range(len(letters))]
            known = ["?" if isinstance(j, int) and known[j] == "?" else j for j in known]
            if all(j == "?" for j in known):
                known = [None] * len(letters)
        examples.append((letters, known))
    return Data(examples, {"energies": energies})


def flags(_):
    return {
        "features": st.sampled_from(["pairs", "stacks", "loops", "mismatches", "all"]),
        "energies": None,
        "max-loop": number(30, 30, 1, 0),
        "crossing": st.sampled_from(["refuse", "drop"]),
        "gamma": number(0.5, 1, 4),
        "max-memory": number(1, 4096),
    }


def dots(known):
    return "".join("?" if j == "?" else "." if j is None else "(" if j > i else ")" for i, j in enumerate(known))


# Energies in 0.01 kcal/mol: of stacks the sum of both pairs' shares; what is not listed is 0.
SHARE = {"CG": -110, "GC": -95, "GU": -20, "UG": -35, "AU": -50, "UA": -65}
HAIRPIN, BULGE, INTERIOR = (lambda n: 400 + 10 * n), (lambda n: 300 + 20 * n), (lambda n: 50 + 30 * n)
LETTER, CLOSE, BRANCH, UNEVEN, MOST_UNEVEN, WEAK = 7, 300, -20, 40, 100, 45
LISTED = {"GAAAC": 250, "CGAAAG": 180}
KT = 1.98717 * 310.15 / 10  # 0.01 kcal/mol


def energy_file():
    stack = " ".join(str(a + b) for a in [*SHARE.values(), 0] for b in [*[SHARE[t[::-1]] for t in SHARE], 0])
    lengths = ((name, " ".join(str(f(n)) for n in range(31))) for name, f in (("hairpin", HAIRPIN), ("bulge", BULGE), ("interior", INTERIOR)))
    listed = {"Triloops": 5, "Tetraloops": 6}
    sections = [("stack", stack), *lengths, ("ML_params", f"{LETTER} 0 {CLOSE} 0 {BRANCH} 0"), ("NINIO", f"{UNEVEN} 0 {MOST_UNEVEN}"),
                ("Misc", f"0 0 {WEAK} 0"),
                *((name, "\n".join(f"{own} {e}" for own, e in LISTED.items() if len(own) == n)) for name, n in listed.items())]
    return "## RNAfold parameter file v2.0\n" + "".join(f"# {name}\n{numbers}\n" for name, numbers in sections)


def energy(x, s):
    def weak(i, j):
        return 0 if {x[i], x[j]} == {"C", "G"} else WEAK

    def stack(i, j, k, l):
        return SHARE[x[i] + x[j]] + SHARE[x[k] + x[l]]

    def branches(i, j):
        return [(k, s[k]) for k in range(i, j) if s[k] is not None and s[k] > k and not any(s[h] is not None and h < k < s[h] for h in range(i, k))]
    total = sum(weak(i, j) for i, j in branches(0, len(x)))
    for i, j in enumerate(s):
        if j is None or j < i:
            continue
        inside, within = branches(i + 1, j), j - i - 1
        if not inside:
            total += LISTED.get(x[i : j + 1], HAIRPIN(within) + (weak(i, j) if within == 3 else 0))
        elif len(inside) > 1:
            total += CLOSE + BRANCH + weak(i, j) + sum(BRANCH + weak(k, l) for k, l in inside)
            total += LETTER * (within - sum(l - k + 1 for k, l in inside))
        else:
            (k, l), = inside
            a, b = k - i - 1, j - l - 1
            if a == b == 0:
                total += stack(i, j, k, l)
            elif a == 0 or b == 0:
                total += BULGE(a + b) + (stack(i, j, k, l) if a + b == 1 else weak(i, j) + weak(k, l))
            else:
                total += INTERIOR(a + b) + min(MOST_UNEVEN, UNEVEN * abs(a - b))
    return total


def centre(name):
    return float(name == "published energies")


def text(data_, examples):
    files = {"train": "".join(f">r{k}\n{letters}\n{dots(known)}\n" for k, (letters, known) in enumerate(examples))}
    return files | ({"energies": energy_file()} if data_.facts["energies"] else {})


def arguments(data_):
    return ["--energies", "energies"] if data_.facts["energies"] else []


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
            found = features_of(letters, s, level)
            if options["energies"]:
                found["published energies"] = -energy(letters, s) / KT
            structures.append(Structure(found, float(loss), tuple(s), admitted, (dots(s),)))
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
