"""parasail's global alignments with BLOSUM62, of a table of pairs as the task align reads it.

    parasail_pairs.py TABLE OPEN,EXTEND...

Prints a line of JSON for each pair of gap costs: the share of known pairs that is found, by family, and cells a second with traceback.
"""

import collections
import json
import sys
import time

import parasail


def letters(row):
    return row.replace("-", "")


def places(one, two):
    """The letters that stand opposite each other."""
    i = j = 0
    for a, b in zip(one, two):
        if a != "-" and b != "-":
            yield i, j
        i += a != "-"
        j += b != "-"


def main(table, *costs):
    rows = [line.rstrip("\n").split("\t") for line in open(table) if not line.startswith("#")]
    for cost in costs:
        opening, extension = map(int, cost.split(","))
        found, cells, seconds = collections.defaultdict(list), 0, 0.0
        for _, family, _, _, one, two, known, *_ in rows:
            x, z = letters(one), letters(two)
            begin = time.process_time()
            result = parasail.nw_trace_striped_16(x, z, opening, extension, parasail.blosum62)
            if result.saturated:
                result = parasail.nw_trace_striped_32(x, z, opening, extension, parasail.blosum62)
            traceback = result.traceback
            seconds += time.process_time() - begin
            cells += len(x) * len(z)
            truth = set()
            i = j = 0
            for a, b, k in zip(one, two, known):
                if a != "-" and b != "-" and k == "1":
                    truth.add((i, j))
                i += a != "-"
                j += b != "-"
            if truth:
                found[family].append(len(truth & set(places(traceback.query, traceback.ref))) / len(truth))
        print(json.dumps({"open": opening, "extend": extension, "cells_a_second": cells / seconds,
                          "families": {f: sum(v) / len(v) for f, v in found.items()}}))


if __name__ == "__main__":
    main(*sys.argv[1:])
