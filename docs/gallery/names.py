"""Names in text: tags of words, and how sure the model is of each.

Lines of recipes are words with their labels, as named entities are. The picture shows the marginals of one line.
"""
import sys

import matplotlib.pyplot as plt

import hinge

words, labels = hinge.datasets.recipes("train")
tagger = hinge.SequenceTagger(method="crf", templates="default").fit(words, labels)
print(f"accuracy {tagger.score(*hinge.datasets.recipes('test')):.3f}")
line = ["2", "cups", "finely", "chopped", "green", "onions", ",", "optional"]
probability = tagger.predict_proba([line])[0]

figure, ax = plt.subplots(figsize=(7, 4))
picture = ax.imshow(probability.T, cmap="Blues", vmin=0, vmax=1, aspect="auto")
ax.set_xticks(range(len(line)), line)
ax.set_yticks(range(len(tagger.classes_)), tagger.classes_)
figure.colorbar(picture, label="probability")
figure.tight_layout()
figure.savefig(sys.argv[1])
