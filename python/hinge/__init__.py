"""Hinge: learning structured predictors.

>>> import hinge
>>> X = [[["w=the"], ["w=cat"]], [["w=a"], ["w=dog"]]]
>>> y = [["DET", "NOUN"], ["DET", "NOUN"]]
>>> hinge.SequenceTagger(method="crf").fit(X, y).predict([[["w=a"], ["w=cat"]]])[0]
['DET', 'NOUN']
"""

from . import datasets, engines
from ._base import Estimator, NotFittedError, convergence_warning, load, scorer
from ._core import InputError
from ._core import version as __version__
from ._cv import with_cv
from ._graphs import GraphLabeller
from ._label_sets import MultilabelClassifier
from ._letters import RnaFolder, SequenceAligner
from ._others import Clusterer, MotifFinder
from ._rows import BinaryClassifier, MulticlassClassifier, Ranker, TaxonomyClassifier
from ._sequences import SequenceClassifier, SequenceTagger
from ._summary import Summary
from ._trees import TreeParser
from .task import CheckReport, FactoredTask, LatentTask, Learner, Task, check_task

SequenceTaggerCV = with_cv(SequenceTagger)
SequenceClassifierCV = with_cv(SequenceClassifier)
MulticlassClassifierCV = with_cv(MulticlassClassifier)
MultilabelClassifierCV = with_cv(MultilabelClassifier)
TaxonomyClassifierCV = with_cv(TaxonomyClassifier)
GraphLabellerCV = with_cv(GraphLabeller)
ClustererCV = with_cv(Clusterer)
MotifFinderCV = with_cv(MotifFinder)
TreeParserCV = with_cv(TreeParser)
SequenceAlignerCV = with_cv(SequenceAligner)
RnaFolderCV = with_cv(RnaFolder)
BinaryClassifierCV = with_cv(BinaryClassifier)
RankerCV = with_cv(Ranker)


def __getattr__(name: str) -> type:
    if name == "ConvergenceWarning":  # whose base depends on what is imported
        return convergence_warning()
    raise AttributeError(f"module 'hinge' has no attribute '{name}'")


__all__ = [
    "BinaryClassifier", "BinaryClassifierCV", "CheckReport", "Clusterer", "ClustererCV", "ConvergenceWarning", "Estimator", "FactoredTask", "GraphLabeller",
    "GraphLabellerCV", "InputError", "LatentTask", "Learner", "MotifFinder", "MotifFinderCV", "MulticlassClassifier", "MulticlassClassifierCV",
    "MultilabelClassifier", "MultilabelClassifierCV", "NotFittedError", "Ranker", "RankerCV", "RnaFolder", "RnaFolderCV",
    "SequenceAligner", "SequenceAlignerCV", "SequenceClassifier", "SequenceClassifierCV", "SequenceTagger",
    "SequenceTaggerCV", "Summary", "Task", "TaxonomyClassifier", "TaxonomyClassifierCV", "TreeParser", "TreeParserCV",
    "check_task", "datasets", "engines", "load", "scorer",
]
