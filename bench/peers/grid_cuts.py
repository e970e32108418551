"""Potts grids for PyMaxflow and gco: grid_cuts.py make FILE SIZE LABELS, grid_cuts.py solve FILE REPEATS.

The file is that of hinge/inference/cut_bench.cpp. What is solved is written as a line of JSON each: cost, processor seconds.
"""

import json
import sys
import time

import numpy


def make(path, size, labels):
    random = numpy.random.default_rng(size + labels)
    truth = numpy.zeros((size, size), int)
    row, column = numpy.mgrid[:size, :size]
    for _ in range(40):
        (r, c), radius = random.integers(0, size, 2), random.integers(size // 20, size // 5)
        truth[(row - r) ** 2 + (column - c) ** 2 < radius * radius] = random.integers(0, labels)
    unary = (numpy.arange(labels) != truth[..., None]) + random.normal(0, 1, (size, size, labels))
    unary -= unary.min(axis=2, keepdims=True)
    with open(path, "wb") as out:
        numpy.array([size, size, labels], numpy.int64).tofile(out)
        for part in unary, random.uniform(0.5, 1.5, (size, size - 1)), random.uniform(0.5, 1.5, (size - 1, size)):
            part.tofile(out)


class Grid:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.rows, self.columns, self.labels = (int(n) for n in numpy.fromfile(file, numpy.int64, 3))
            read = lambda *shape: numpy.fromfile(file, float, int(numpy.prod(shape))).reshape(shape)
            self.unary = read(self.rows, self.columns, self.labels)
            self.right, self.down = read(self.rows, self.columns - 1), read(self.rows - 1, self.columns)

    def cost(self, s):
        own = numpy.take_along_axis(self.unary, s[..., None], 2).sum()
        return own + (self.right * (s[:, 1:] != s[:, :-1])).sum() + (self.down * (s[1:] != s[:-1])).sum()


def timed(work):
    start = time.process_time()
    return work(), time.process_time() - start


def by_maxflow(grid):
    import maxflow

    def build():
        shape = grid.rows, grid.columns
        graph = maxflow.GraphFloat(grid.rows * grid.columns, 2 * grid.rows * grid.columns)
        nodes = graph.add_grid_nodes(shape)
        for weights, axis in (grid.right, (1, 2)), (grid.down, (2, 1)):
            padded, around = numpy.zeros(shape), numpy.zeros((3, 3))
            padded[: weights.shape[0], : weights.shape[1]] = weights
            around[axis] = 1
            graph.add_grid_edges(nodes, padded, around, symmetric=True)
        graph.add_grid_tedges(nodes, grid.unary[..., 1], grid.unary[..., 0])
        return graph, nodes

    (graph, nodes), build_seconds = timed(build)
    _, seconds = timed(graph.maxflow)
    return grid.cost(graph.get_grid_segments(nodes).astype(int)), {"build_seconds": build_seconds, "seconds": seconds}


def by_gco(grid):
    import gco

    potts = 1.0 - numpy.eye(grid.labels)
    labels, seconds = timed(lambda: gco.cut_grid_graph(grid.unary, potts, grid.down, grid.right, n_iter=-1, algorithm="expansion"))
    return grid.cost(labels.reshape(grid.rows, grid.columns).astype(int)), {"seconds": seconds}


def solve(path, repeats):
    grid = Grid(path)
    for name, way in {"PyMaxflow": by_maxflow, "gco expansion": by_gco}.items():
        if name == "PyMaxflow" and grid.labels > 2:
            continue
        runs = [way(grid) for _ in range(repeats)]
        least = {key: min(times[key] for _, times in runs) for key in runs[0][1]}
        print(json.dumps({"way": name, "cost": float(runs[0][0]), **{key: round(value, 6) for key, value in least.items()}}), flush=True)


if sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
else:
    solve(sys.argv[2], int(sys.argv[3]))
