"""One module a task: random data, its text, its flags, and its structures by enumeration.

A module offers
    NAME
    flags(data)                      {flag: strategy, or None where the data decides it}
    data(draw)                       strategy of a Data
    text(data, examples)             {file: content}; the first file is the one for --data
    arguments(data)                  flags that reading the data needs
    problem(data, examples, options) the examples as evaluate.Problem wants them, or None where that is too large
    renamed(data)                    the same data with other names of labels and features
    answers(text)                    the predictions in what `hinge predict` wrote
    places(data)                     how many predictions there are
    PREDICT                          flags of predict that add something to the output
    truths(data)                     the labels to compare them with, None where there is none (some tasks)
    centre(name)                     what a weight stays near, where that is not always 0
    ALWAYS                           flags that every run has, where the default would be drawn too often
    MAPS                             whether `problem` itself makes what a kernel makes of rows
"""
import dataclasses


@dataclasses.dataclass
class Data:
    examples: list
    facts: dict = dataclasses.field(default_factory=dict)  # whatever else the task needs to write them


def labels_of(said):
    """What the data says of a label: a tuple of those that it may be, `?A|B`; () where it says nothing, `?`."""
    return () if said == "?" else tuple(said[1:].split("|")) if said[0] == "?" and "|" in said else (said,)


def renamed_label(said, names):
    return "?" + "|".join(names[label] for label in labels_of(said)) if said[0] == "?" and said != "?" else names[said]
