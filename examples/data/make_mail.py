"""Writes mail.train and mail.test, made-up messages of which a few are urgent, for the task binary: `python3 make_mail.py [FOLDER]`.

Features are words; urgent messages (one in twelve) have some of the words 1 to 8 more often, but not all of them, and others have these words too.
"""
import pathlib
import random
import sys


def message(generator):
    urgent = generator.random() < 1 / 12
    words = {generator.randrange(9, 60) for _ in range(8)}
    words |= {word for word in range(1, 9) if generator.random() < (0.45 if urgent else 0.12)}
    return ("+1" if urgent else "-1") + "".join(f" {word}:1" for word in sorted(words))


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(8)
    for name, count in (("mail.train", 600), ("mail.test", 600)):
        (folder / name).write_text("".join(message(generator) + "\n" for _ in range(count)))


main()
