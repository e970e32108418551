"""Writes search.train and search.test, a made-up shop's search results with grades, for the task rank: `python3 make_search.py [FOLDER]`.

Features of a result: 1 words of the query in its title, 2 in its text, 3 how often it is bought, 4 its age, 5 its price, each scaled to
0 … 1 within the query as LETOR does. Grades 0, 1, 2 come from words and sales with noise; age and price say nothing.
"""
import pathlib
import random
import sys


def scaled(column):
    low, high = min(column), max(column)
    return [(value - low) / (high - low) if high > low else 0.0 for value in column]


def query(number, generator):
    results = []
    for _ in range(generator.randint(6, 12)):
        title, text, sales = generator.random() ** 2, generator.random(), generator.random() ** 3
        quality = 1.2 * title + 0.6 * text + 0.8 * sales + 0.25 * generator.gauss(0, 1)
        grade = 2 if quality > 1.45 else 1 if quality > 1.0 else 0
        results.append((grade, [title, text, sales, generator.random(), generator.random()]))
    columns = [scaled(column) for column in zip(*(features for _, features in results))]
    for place, (grade, _) in enumerate(results):
        features = " ".join(f"{j + 1}:{column[place]:.2f}" for j, column in enumerate(columns))
        yield f"{grade} qid:{number} {features} #docid = item{generator.randint(1000, 9999)}"


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(5)
    for name, first, last in (("search.train", 1, 30), ("search.test", 31, 50)):
        rows = [row for number in range(first, last + 1) for row in query(number, generator)]
        (folder / name).write_text("\n".join(rows) + "\n")


main()
