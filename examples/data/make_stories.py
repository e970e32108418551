"""Writes stories.train and stories.test, made-up stories with the people in them marked, for the task cluster:
`python3 make_stories.py [FOLDER]`.

A story has two or three people and a place, in the columns of CoNLL-2012: every sentence is about one of the people, named by a
full name, a title with a surname, a profession or a pronoun. The words are invented by templates.
"""
import pathlib
import random
import sys

PEOPLE = [("Anna", "Berg", "she"), ("Clara", "Lind", "she"), ("Ida", "Moss", "she"), ("Nora", "Vale", "she"),
          ("Otto", "Falk", "he"), ("Hugo", "Stern", "he"), ("Emil", "Brandt", "he"), ("Jonas", "Wirth", "he")]
JOBS = ["doctor", "baker", "captain", "teacher", "painter", "miller"]
PLACES = ["harbour", "village", "garden", "mill", "school"]
ACTIONS = ["walked to the {place}", "looked at the {place}", "spoke of the {place}", "left the {place} early", "came back from the {place}"]
WITH = ["met", "thanked", "saw", "greeted", "waited for"]
FORMS = {"he": ("he", "him", "his", "Mr."), "she": ("she", "her", "her", "Mrs.")}


class Story:
    def __init__(self, generator):
        self.generator = generator
        self.people = generator.sample(PEOPLE, generator.randint(2, 3))
        self.jobs = generator.sample(JOBS, len(self.people))
        self.place = generator.choice(PLACES)
        self.named = [False] * len(self.people)
        self.last = None  # the person of the sentence before
        self.rows = []    # sentences of (word, marks)

    def person(self, who, subject):
        """Words for a person; a pronoun only where no other of that gender was in between."""
        first, surname, pronoun = self.people[who]
        draw = self.generator.random()
        if not self.named[who]:
            self.named[who] = True
            return [first, surname]
        if self.last == who and draw < 0.7:
            return [FORMS[pronoun][0 if subject else 1]]
        if draw < 0.5:
            return [first]
        return [FORMS[pronoun][3], surname] if draw < 0.8 else ["the", self.jobs[who]]

    def tell(self):
        for _ in range(self.generator.randint(5, 8)):
            who = self.generator.randrange(len(self.people)) if self.last is None or self.generator.random() < 0.5 else self.last
            sentence = self.marked(self.person(who, True), who)
            if self.generator.random() < 0.4:
                other = self.generator.choice([k for k in range(len(self.people)) if k != who])
                sentence += [(self.generator.choice(WITH), "")] + self.marked(self.person(other, False), other)
            else:
                for word in self.generator.choice(ACTIONS).split():
                    if word == "{place}":
                        sentence[-1:] = self.marked(["the", self.place], len(self.people))
                    else:
                        sentence.append((word, ""))
            sentence[0] = (sentence[0][0][0].upper() + sentence[0][0][1:], sentence[0][1])
            self.rows.append(sentence + [(".", "")])
            self.last = who
        return self.rows

    @staticmethod
    def marked(words, entity):
        if len(words) == 1:
            return [(words[0], f"({entity})")]
        return [(words[0], f"({entity}"), *((word, "") for word in words[1:-1]), (words[-1], f"{entity})")]


def text(name, generator):
    lines = [f"#begin document ({name}); part 000"]
    for sentence in Story(generator).tell():
        lines += [f"{name}\t0\t{k}\t{word}\t{marks or '-'}" for k, (word, marks) in enumerate(sentence)] + [""]
    return lines + ["#end document"]


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    generator = random.Random(5)
    for part, count in (("train", 60), ("test", 20)):
        lines = [line for k in range(count) for line in text(f"{part}{k}", generator)]
        (folder / f"stories.{part}").write_text("\n".join(lines) + "\n")


main()
