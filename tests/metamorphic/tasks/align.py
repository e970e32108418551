"""Pairs of short sequences, some columns of whose alignment are not known."""
from hypothesis import strategies as st

from evaluate import Structure
from flags import SWITCH, number
from tasks import Data

NAME = "align"
DECODINGS = ("joint",)  # max-marginals is the alignment of most expected pairs
PREDICT = [["--marginals"], ["--marginals", "--threshold=0.5"], ["--nbest=3"], ["--nbest=2", "--marginals"]]
GROUPS = ["LVIMC", "AG", "ST", "P", "FYW", "EDNQ", "KR", "H"]
STRUCTURES = {"H": "helix", "E": "strand", ".": "coil"}


@st.composite
def data(draw, hidden=True):
    hides = hidden and draw(st.integers(0, 2)) == 0
    column = st.tuples(st.sampled_from("AVLX-"), st.sampled_from("AVK-"), st.sampled_from("01" if hides else "1"),
                       st.sampled_from("HE.?"), st.sampled_from("HE."))

    def pair(columns):
        columns = [c for c in columns if c[0] + c[1] != "--"]
        if not any(c[0] != "-" for c in columns):
            columns.append(("A", "-", "1", "H", "."))
        if not any(c[1] != "-" for c in columns):
            columns.append(("-", "A", "1", "H", "."))
        if all(c[2] == "0" for c in columns):
            columns[0] = (*columns[0][:2], "1", *columns[0][3:])
        return columns

    pairs = st.tuples(st.lists(column, min_size=1, max_size=3).map(pair), st.sampled_from("fg"), st.booleans())
    return Data(draw(st.lists(pairs, min_size=1, max_size=5)), {})


def flags(_):
    return {
        "alphabet": st.sampled_from(["protein", "protein", "dna"]),
        "mode": st.sampled_from(["global", "local"]),
        "structure": st.sampled_from(["use", "ignore"]),
        "window": number(0, 1, 2),
        "tolerance": number(0, 1),
        "balance": SWITCH,
        "max-memory": number(1, 4096),
    }


def rows(columns):
    one = "".join(c[0] for c in columns)
    two = "".join(c[1] for c in columns)
    known = "".join(c[2] for c in columns)
    structure = ["".join("-" if c[side] == "-" else c[3 + side] for c in columns) for side in (0, 1)]
    return one, two, known, *structure


def text(_, examples):
    lines = []
    for k, (columns, family, structured) in enumerate(examples):
        one, two, known, *structure = rows(columns)
        lines.append("\t".join(["s", family, f"a{k}", f"b{k}", one, two, known, *(structure if structured else [])]) + "\n")
    return {"train": "".join(lines)}


def arguments(_):
    return []


def alignments(m, n):
    """Every list of a partner or None for each of m letters."""
    def extend(i, j):
        if i == m:
            yield []
            return
        for k in [None, *range(j, n)]:
            for rest in extend(i + 1, j if k is None else k + 1):
                yield [k, *rest]
    return extend(0, 0)


def group(letter):
    return next((g for g in GROUPS if letter in g), "other")


def features_of(x, z, s, t, partners, window, structured, local):
    found = {}

    def add(name):
        found[name] = found.get(name, 0) + 1

    def unordered(a, b, order):
        return (a, b) if order.index(a) <= order.index(b) else (b, a)

    letters = [*"ACDEFGHIKLMNPQRSTVWY", "other"]
    name = lambda c: c if c in letters else "other"

    def pair(i, j):
        add("{} opposite {}".format(*unordered(name(x[i]), name(z[j]), letters)))
        for o in range(-window, window + 1):
            if not (0 <= i + o < len(x) and 0 <= j + o < len(z)):
                continue
            beside = f" {abs(o)} beside" if o else ""
            if o:
                add("{} opposite {}".format(*unordered(group(x[i + o]), group(z[j + o]), [*GROUPS, "other"])) + beside)
            if structured and "?" not in s[i + o] + t[j + o]:
                add("{} opposite {}".format(*unordered(STRUCTURES[s[i + o]], STRUCTURES[t[j + o]], [*STRUCTURES.values()])) + beside)

    def gap(own, structure, k, other, others, place, opens):
        what = "gap opens" if opens else "gap goes on"
        add(what)
        add(f"{what} opposite {name(own[k])}")
        if structured and structure[k] != "?":
            add(f"{what} opposite {STRUCTURES[structure[k]]}")
        if place in (0, len(other)):
            add(f"{what} at an end")
            return
        if opens:
            add(f"{what} beside {group(other[place - 1])}")
            add(f"{what} beside {group(other[place])}")
        if structured and "?" not in others[place - 1] + others[place]:
            add("{} between {} and {}".format(what, *unordered(STRUCTURES[others[place - 1]], STRUCTURES[others[place]], [*STRUCTURES.values()])))

    matched = [(i, j) for i, j in enumerate(partners) if j is not None]
    i = j = 0
    for a, b in matched + ([] if local else [(len(x), len(z))]):
        if not (local and (a, b) == matched[0]):
            for k in range(i, a):
                gap(x, s, k, z, t, j, k == i)
            for k in range(j, b):
                gap(z, t, k, x, s, a, k == j)
        if a < len(x):
            pair(a, b)
        i, j = a + 1, b + 1
    return found


def truth(columns):
    """For each letter of the first its partner, None for a gap, or "?"; letters of the second known to be opposite a gap."""
    partners, gaps, j = [], set(), 0
    for one, two, known, *_ in columns:
        if one != "-":
            partners.append("?" if known == "0" else None if two == "-" else j)
        elif known == "1":
            gaps.add(j)
        j += two != "-"
    return partners, gaps


def output(partners, known, gaps):
    """Of the letters of both sequences whose partner is known, those that they have here; all where none is hidden."""
    if "?" not in known:
        return tuple(partners)
    others = gaps | {k for k in known if isinstance(k, int)}
    return (tuple(p for k, p in zip(known, partners) if k != "?"), tuple(partners.index(j) if j in partners else None for j in sorted(others)))


def problem(_, examples, options):
    if options["alphabet"] != "protein":
        return None
    structured = options["structure"] == "use" and any(e[2] for e in examples)
    families = [e[1] for e in examples]
    result = []
    for columns, family, has in examples:
        one, two, _, s, t = rows(columns)
        x, z = one.replace("-", ""), two.replace("-", "")
        s, t = (s.replace("-", ""), t.replace("-", "")) if has else ("?" * len(x), "?" * len(z))
        known, gaps = truth(columns)
        structures = []
        for partners in alignments(len(x), len(z)):
            def right(k, p, tolerance):
                return k == p if k is None or p is None else abs(k - p) <= tolerance
            loss = sum(k != "?" and not right(k, p, options["tolerance"]) for k, p in zip(known, partners))
            admitted = all(k == "?" or k == p for k, p in zip(known, partners)) and not gaps & set(partners)
            structures.append(Structure(features_of(x, z, s, t, partners, options["window"], structured, options["mode"] == "local"),
                                        float(loss), output(partners, known, gaps), admitted, (written(x, z, partners, options["mode"] == "local"),)))
        weight = len(examples) / len(set(families)) / families.count(family) if options["balance"] else 1
        result.append((weight, structures))
    return result


def written(x, z, partners, local):
    first, second = [], []
    matched = [(i, j) for i, j in enumerate(partners) if j is not None]
    i = j = 0
    for a, b in matched + [(len(x), len(z))]:
        outside = local and (not matched or (a, b) == matched[0] or a == len(x))
        small = str.lower if outside else str
        first += [small(c) for c in x[i:a]] + ["-"] * (b - j)
        second += ["-"] * (a - i) + [small(c) for c in z[j:b]]
        if a < len(x):
            first.append(x[a])
            second.append(z[b])
        i, j = a + 1, b + 1
    return "".join(first), "".join(second)


def fold_groups(examples):
    families = list(dict.fromkeys(e[1] for e in examples))
    return [families.index(e[1]) for e in examples]


def renamed(data_):
    """Letters cannot be renamed."""
    return data_, {}


def answers(output):
    """The first of each pair of names."""
    lines, found = [line for line in output.splitlines() if not line.startswith(";")], {}
    for name, one, two in zip(lines[0::4], lines[1::4], lines[3::4]):
        found.setdefault(name, (one, two))
    return list(found.values())


def places(data_):
    return len(data_.examples)
