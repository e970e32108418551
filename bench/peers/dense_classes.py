"""Writes dense classes of scikit-learn as svmlight files, a third of them to test on.

dense_classes.py digits|drawn TRAIN TEST

digits: 1,797 pictures of 8 x 8 pixels. drawn: 6,000 points of 16 features in 26 classes (make_classification), of the shape of UCI's letter
recognition. Features are scaled to −1 to 1, as LIBSVM's files of such data are.
"""
import sys

import sklearn.datasets
from sklearn.model_selection import train_test_split

name, train, test = sys.argv[1:]
if name == "digits":
    x, y = sklearn.datasets.load_digits(return_X_y=True)
else:
    x, y = sklearn.datasets.make_classification(6000, 16, n_informative=12, n_redundant=4, n_classes=26, n_clusters_per_class=1, class_sep=1.5,
                                                random_state=1)
low, high = x.min(0), x.max(0)
x = 2 * (x - low)[:, high > low] / (high - low)[high > low] - 1
parts = train_test_split(x, y, test_size=1 / 3, random_state=1)
for file, rows, labels in ((train, parts[0], parts[2]), (test, parts[1], parts[3])):
    with open(file, "w") as out:
        for row, label in zip(rows, labels):
            out.write(f"{label} {' '.join(f'{j + 1}:{value:g}' for j, value in enumerate(row) if value != 0)}\n")
