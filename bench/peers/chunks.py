"""Chunk precision, recall and F1 of IOB2 labels, counted as conlleval counts them."""


def chunks(labels):
    """The set of (first, last, type) that the labels mark; an I of another type than its predecessor begins one."""
    found, start, kind = set(), None, None
    for t, label in enumerate(list(labels) + ["O"]):
        prefix, _, this = label.partition("-")
        if start is not None and (prefix != "I" or this != kind):
            found.add((start, t - 1, kind))
            start = None
        if start is None and prefix in ("B", "I"):
            start, kind = t, this
    return found


def f1(truths, predictions):
    right = gold = guessed = 0
    for truth, prediction in zip(truths, predictions):
        a, b = chunks(truth), chunks(prediction)
        right, gold, guessed = right + len(a & b), gold + len(a), guessed + len(b)
    return 2 * right / (gold + guessed)
