"""Writes films.train and films.test, made-up films with their genres, for the task multilabel: `python3 make_films.py [FOLDER]`.

Features 1 to 6 are how much a description sounds like comedy, romance, drama, war, history, music, with noise. History is nearly silent there,
but goes with war, and romance goes with comedy: who looks at genres together sees more.
"""
import pathlib
import random
import sys

GENRES = ["comedy", "romance", "drama", "war", "history", "music"]
LOUD = [1.2, 0.6, 1.0, 1.2, 0.15, 1.0]


def film(generator):
    def coin(p):
        return generator.random() < p

    comedy, war, music = coin(0.4), coin(0.3), coin(0.2)
    has = [comedy, coin(0.8 if comedy else 0.15), coin(0.3 if comedy else 0.7), war, coin(0.85 if war else 0.1), music]
    features = [(loud if there else -loud) / 2 + generator.gauss(0, 0.5) for loud, there in zip(LOUD, has)]
    names = ",".join(name for name, there in zip(GENRES, has) if there)
    return " ".join([names] + [f"{j + 1}:{value:.2f}" for j, value in enumerate(features)])


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(11)
    for name, count in (("films.train", 300), ("films.test", 300)):
        (folder / name).write_text("".join(film(generator) + "\n" for _ in range(count)))


main()
