"""Writes calls.train and calls.test, songs of two birds in letters, for kernels of strings: `python3 make_calls.py [FOLDER]`.

Both sing the same three notes as often as each other; they differ in which note follows which, now and then with another between."""
import pathlib
import random
import sys

HABITS = {"warbler": "abc", "wren": "acb"}


def song(generator, habit):
    notes = ""
    for _ in range(generator.randint(4, 9)):
        for note in habit:
            notes += note
            if generator.random() < 0.4:
                notes += generator.choice("abcde")
    return notes[generator.randrange(3):]


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(3)
    for name, count in (("calls.train", 60), ("calls.test", 40)):
        birds = [generator.choice(sorted(HABITS)) for _ in range(count)]
        (folder / name).write_text("".join(f"{bird}\t{song(generator, HABITS[bird])}\n" for bird in birds))


main()
