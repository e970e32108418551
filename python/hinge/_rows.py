"""Estimators whose inputs are rows of features: a table or a sparse matrix."""

from __future__ import annotations

import json
import sys
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from . import _core
from ._base import CLASSES, GUIDED, Measured, Named
from ._inputs import listed, weights_of, whole_numbers, without_missing
from ._keywords import Lacking
from ._kernels import Compared, as_inputs, is_list_of_inputs, needed, of_products, products
from ._labels import Classes, known_or_none, refuse_sets, text_of
from ._optional import optional
from ._units import Units

Self = TypeVar("Self", bound="RowEstimator")


class RowEstimator(Measured):
    _abstract = True
    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _table(self, X: Any, reset: bool) -> Any:
        """X as a table or CSR matrix of finite numbers; fixes or checks the number of columns."""
        if hasattr(X, "__next__"):
            raise TypeError(f"X is a {type(X).__name__}, where a table (examples, features) belongs: put its rows into a list.")
        try:
            return self._checked(X, reset)
        except ValueError as error:
            found = _odd_row(X)
            if found is None:
                raise
            raise ValueError(f"{found} ({str(error).splitlines()[0]})") from None

    def _checked(self, X: Any, reset: bool) -> Any:
        if "sklearn" in sys.modules:
            from sklearn.utils.validation import validate_data

            return validate_data(self, X, reset=reset, accept_sparse="csr", dtype=(np.float64, np.float32))
        if hasattr(X, "tocsr"):
            X = X.tocsr()
            values = X.data
        else:
            if np.iscomplexobj(X):
                raise ValueError("X has complex numbers: give real ones.")
            X = values = np.asarray(X, dtype=None if isinstance(X, np.ndarray) and X.dtype == np.float32 else np.float64)
            if X.ndim != 2:
                raise ValueError(f"X has {X.ndim} dimensions, where a table (examples, features) belongs.")
        if X.shape[0] == 0 or X.shape[1] == 0:
            raise ValueError(f"X is empty, {X.shape}: give at least one row and one column.")
        if not np.all(np.isfinite(values)):
            raise ValueError("X has values that are NaN or infinite: give finite numbers.")
        if reset:
            self.n_features_in_ = X.shape[1]
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")
        return X

    def _rows(self, X: Any) -> _core.Rows:
        if hasattr(X, "indptr"):
            return _core.Rows(X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data.astype(np.float64))
        return _core.Rows(np.ascontiguousarray(X))

    def _columns(self) -> tuple[np.ndarray, float]:
        """The columns that have weights, and the value of the bias."""
        core = self._fitted()
        kernel = json.loads(core.task_options()).get("kernel", "none")
        if kernel != "none":
            raise AttributeError(f"coef_ and intercept_ weigh features, and kernel={kernel!r} made others of them: see weights_ and top_features.")
        return np.asarray(core.array("features")).astype(np.int64) - 1, float(np.asarray(core.array("bias"))[0])

    def _load_labels(self, kept: dict[str, Any]) -> None:
        features = kept.get("features")
        if features is None:
            try:
                features = int(np.max(np.asarray(self._model.array("features")), initial=0))
            except ValueError:
                features = 0
        self.n_features_in_ = features

    def _labels_for_file(self) -> dict[str, Any]:
        return {"features": int(getattr(self, "n_features_in_", 0))}  # there are none where inputs are no rows


class Encoded(NamedTuple):
    """Classes of rows: codes into names, -1 where nothing is known, -2 - s where it is one of ``sets[s]``."""

    codes: np.ndarray
    names: list[str]
    classes: np.ndarray
    sets: list[list[int]] = []
    declared: list[str] = []


class KernelEstimator(RowEstimator):
    """Rows that may be compared by any kernel: ``kernel="precomputed"``, where X has products, or a function."""

    _abstract = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._of_products()
        return tags

    def _of_products(self) -> bool:
        return of_products(getattr(self, "kernel"))

    def _get(self, name: str) -> Any:
        value = super()._get(name)
        return "precomputed" if name == "kernel" and callable(value) else value

    def _table(self, X: Any, reset: bool) -> Any:
        if callable(getattr(self, "kernel")) and is_list_of_inputs(X):
            return as_inputs(X)
        X = super()._table(X, reset)
        return X.toarray() if self._of_products() and hasattr(X, "toarray") else X

    def _training_rows(self, X: Any) -> _core.Rows:
        """Of a table that ``_table`` has looked at."""
        kernel = getattr(self, "kernel")
        self.__dict__.pop("_compared", None)
        if callable(kernel):
            self._compared = Compared(kernel, X)
            X = products(kernel, X, X)
        elif not self._of_products():
            return self._rows(X)
        return _core.Rows.of_products(np.ascontiguousarray(X, dtype=np.float64))

    def _rows(self, X: Any) -> _core.Rows:
        compared = self.__dict__.get("_compared")
        return super()._rows(X) if compared is None else compared.rows(self._fitted(), X)

    def _labels_for_file(self) -> dict[str, Any]:
        compared = self.__dict__.get("_compared")
        return {**super()._labels_for_file(), **({} if compared is None else {"features": compared.size})}

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if "_compared" in state:
            state["_compared"] = self._compared.only(needed(self._fitted()))
        return state


class ClassEstimator(Named, KernelEstimator):
    """One class for each row."""

    _abstract = True
    _type = "classifier"
    _means = {"accuracy": None, "loss": None}
    _instead: ClassVar[str] = "None where nobody knows"  # where a set of labels is given

    def _encoded(self, y: Any, n: int) -> Encoded:
        """None is a label that nobody knows."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        y = without_missing(y)
        if hasattr(y, "__array__"):
            y = np.asarray(y)
            if y.dtype == object and y.ndim == 1:
                y = _objects(known_or_none("row", y))
            if y.dtype == object:
                self._refuse_sets(y.ravel().tolist())
        else:
            y = known_or_none("row", listed("y", y, "labels"))
            self._refuse_sets(y)
            if len({isinstance(label, str) for label in y if label is not None}) > 1:
                raise TypeError("labels are of several types that cannot be ordered: give all of one type.")
        if "sklearn" in sys.modules:
            from sklearn.utils import column_or_1d
            from sklearn.utils.multiclass import check_classification_targets

            some_hidden = (not isinstance(y, np.ndarray) or y.dtype == object) and any(label is None for label in y)
            if not some_hidden:
                y = column_or_1d(y, warn=True)
                if y.dtype.kind == "f" and not np.all(np.isfinite(y)):
                    raise ValueError("Input y contains NaN or infinity: give None where a label is not known.")
                check_classification_targets(y)
        y = y if isinstance(y, np.ndarray) else _objects(y)
        if y.ndim != 1:
            raise ValueError(f"y has {y.ndim} dimensions, where one label for each row belongs.")
        if len(y) != n:
            raise ValueError(f"X has {n} rows, but y has {len(y)} labels: give one for each.")
        hidden = np.array([label is None for label in y]) if y.dtype == object else np.zeros(n, dtype=bool)
        known = y[~hidden]
        if len(known) == 0:
            raise ValueError("no row has a label: y is all None.")
        try:
            classes, inverse = np.unique(known if known.dtype != object else plain_array(known), return_inverse=True)
        except TypeError:
            raise TypeError("labels are of several types that cannot be ordered: give all of one type.") from None
        codes = np.full(n, -1, dtype=np.int64)
        codes[~hidden] = inverse
        return Encoded(codes, [text_of(label) for label in classes], classes)

    def _refuse_sets(self, y: list[Any]) -> None:
        refuse_sets(type(self).__name__, "row", y, self._instead)

    def _make(self, rows: _core.Rows, y: Encoded, weights: np.ndarray | None) -> _core.Records:
        raise NotImplementedError

    def _fix_costs(self, y: Encoded) -> None:
        """What confusions of the classes that are known now cost."""

    def fit(self: Any, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Learn from rows X and their classes y, None where a class is not known."""
        X = self._table(X, reset=True)
        encoded = self._encoded(y, X.shape[0])
        weights = weights_of(sample_weight, X.shape[0], "rows")
        encoded = encoded._replace(declared=list(self._declared()))
        self._fix_costs(encoded)
        self._learn(self._make(self._training_rows(X), encoded, weights))
        self._name_classes({text_of(label): label for label in encoded.classes})
        return self

    def _examples(self, X: Any, y: Any = None, **forms: Any) -> _core.Examples:
        core = self._fitted()
        X = self._table(X, reset=False)
        hidden = Encoded(np.full(X.shape[0], -1, dtype=np.int64), [], np.zeros(0))
        encoded = hidden if y is None else self._encoded(y, X.shape[0])
        return core.examples(self._make(self._rows(X), encoded, None))

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row."""
        _, labels, _ = self._fitted().predict(self._examples(X), "labels", False, self._threads())
        return self.classes_[self._classes.numbers[labels]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, columns as ``classes_``: a softmax of scores, not calibrated for margins."""
        _, _, values = self._fitted().predict(self._examples(X), "marginals", False, self._threads())
        return np.asarray(values)[:, self._classes.columns]

    def _scores(self, X: Any) -> np.ndarray:
        _, _, values = self._fitted().predict(self._examples(X), "scores", False, self._threads())
        return np.asarray(values)[:, self._classes.columns]

    def decision_function(self, X: Any) -> np.ndarray:
        """The score of each class; of two classes, that of the second over the first."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def score(self, X: Any, y: Any, sample_weight: Any = None, metric: str | None = None,  # type: ignore[override]
              **forms: Any) -> float:
        """Accuracy, or another metric of ``evaluate``; loss and error are negated. Labels that are not known do not count."""
        if metric is not None:
            return super().score(X, y, metric, sample_weight, **forms)
        found, labels = self.predict(X), known_or_none("row", without_missing(y))
        if len(labels) != len(found):
            raise ValueError(f"X has {len(found)} rows, but y has {len(labels)} labels: give one for each.")
        known = np.array([not (label is None or isinstance(label, (set, frozenset))) for label in labels])
        if not np.any(known):
            raise ValueError("no row has a known label: there is nothing to compare with.")
        right = np.array([bool(a == b) for a, b in zip(found, labels)], dtype=float)[known]
        weights = weights_of(sample_weight, len(found))
        return float(np.average(right, weights=None if weights is None else weights[known]))


class LinearClasses(ClassEstimator):
    """Classes of which each has a weight for every feature; where classes stand below others, the sum of those on its path."""

    @property
    def coef_(self) -> np.ndarray:
        """Weights, (classes, features); of two classes, those of the second over the first, (1, features)."""
        return self._coefficients()[0]

    @property
    def intercept_(self) -> np.ndarray:
        """What the bias adds to each class."""
        return self._coefficients()[1]

    def _coefficients(self) -> tuple[np.ndarray, np.ndarray]:
        raise NotImplementedError


class MulticlassClassifier(LinearClasses):
    """One class for each row: multiclass SVM (``method='ssvm'``), logistic regression (``'crf'``) and between.

    ``cost_matrix`` may be a table: a row for each true class, a column for each answer, both in the order of ``classes_``.
    ``kernel`` may be a function of two sets of inputs, or 'precomputed', where X has their products.
    """

    _task = "multiclass"
    _extra = [*CLASSES, *GUIDED]

    def _get(self, name: str) -> Any:
        value = super()._get(name)
        return value if name != "cost_matrix" or isinstance(value, str) else self.__dict__.get("_costs", "")

    def _fix_costs(self, y: Encoded) -> None:
        given = getattr(self, "cost_matrix")
        if isinstance(given, str):
            return
        self._costs = ""
        if given is None:
            return
        names = {**self._declared(), **dict(zip(y.names, y.classes.tolist()))}
        ordered = [text_of(label) for label in Classes.of(names, list(names)).array]
        table = np.asarray(given, dtype=np.float64)
        if table.shape != (len(ordered), len(ordered)):
            raise ValueError(f"cost_matrix has the shape {table.shape}, where {len(ordered)} classes need "
                             f"{(len(ordered), len(ordered))}: a row for each true class, a column for each answer.")
        if not np.all(np.isfinite(table)) or np.any(table < 0) or np.any(np.diag(table) != 0):
            raise ValueError("cost_matrix has numbers of 0 or more, and 0 on its diagonal.")
        for name in ordered:
            if not name or "#" in name or len(name.split()) != 1:
                raise ValueError(f"the class {name!r} cannot be told apart in a cost matrix: give classes without spaces and #.")
        lines = [" ".join(ordered), *(" ".join([name, *map(repr, row)]) for name, row in zip(ordered, table.tolist()))]
        self._costs = "\n".join(lines) + "\n"

    def _encoded(self, y: Any, n: int) -> Encoded:
        """A set says that the class is one of these."""
        listed = isinstance(y, (list, tuple)) or getattr(y, "dtype", None) == object
        if not listed or not any(isinstance(label, (set, frozenset)) for label in y):
            return super()._encoded(y, n)
        labels = list(y)
        some = [i for i, label in enumerate(labels) if isinstance(label, (set, frozenset))]
        for i in some:
            if not labels[i] or None in labels[i]:
                raise ValueError(f"row {i} has the set {labels[i]!r}: give the classes that it may be, or None for any.")
        members = [sorted(labels[i], key=text_of) for i in some]
        each = [None if isinstance(label, (set, frozenset)) else label for label in labels]
        found = super()._encoded([*each, *(label for set_ in members for label in set_)],
                                 n + sum(map(len, members)))
        ends = n + np.cumsum([0, *map(len, members)])
        codes = found.codes[:n].copy()
        codes[some] = -2 - np.arange(len(some))
        return Encoded(codes, found.names, found.classes, [found.codes[a:b].tolist() for a, b in zip(ends[:-1], ends[1:])])

    def _make(self, rows: _core.Rows, y: Encoded, weights: np.ndarray | None) -> _core.Records:
        return _core.multiclass_records(rows, y.codes, y.names, weights, y.declared, y.sets)

    def fit(self: Any, X: Any, y: Any = None, sample_weight: Any = None, X_unlabelled: Any = None,
            rules: Any = None) -> Any:
        """Learn from rows X and their classes y: None where one is not known, a set where it is one of several.

        Methods such as 'transductive' and 'ge' also learn from the rows ``X_unlabelled`` and from ``rules`` about
        them (docs/rules.md): a text, a list of lines, or a pathlib.Path.
        """
        if X_unlabelled is None and rules is None:
            return super().fit(X, y, sample_weight)
        if sample_weight is not None:
            raise ValueError("X_unlabelled and rules go without sample weights.")
        if self._get("kernel") == "precomputed":
            raise ValueError("X_unlabelled and rules go with rows of features, and the kernel has products of rows instead.")
        X = self._table(X, reset=True)
        encoded = self._encoded(y, X.shape[0])._replace(declared=list(self._declared()))
        self._fix_costs(encoded)
        more = X[:0] if X_unlabelled is None else self._table(X_unlabelled, reset=False)
        if hasattr(X, "indptr") != hasattr(more, "indptr"):
            raise TypeError("X and X_unlabelled are of two kinds: give two tables or two sparse matrices.")
        both: Any = (optional("scipy.sparse", "fit on sparse matrices").vstack([X, more], format="csr")
                     if hasattr(X, "indptr") else np.vstack([X, more]))
        codes = np.r_[encoded.codes, np.full(more.shape[0], -1, dtype=np.int64)]
        records = self._make(self._training_rows(both), encoded._replace(codes=codes), None)
        self._learn_guided(records, X.shape[0], rules)
        self._name_classes({text_of(label): label for label in encoded.classes})
        return self

    def _coefficients(self) -> tuple[np.ndarray, np.ndarray]:
        features, bias = self._columns()
        table = self.weights_.reshape(-1, len(self.classes_))[:, self._classes.columns].T
        coef = np.zeros((len(self.classes_), self.n_features_in_))
        coef[:, features] = table[:, : len(features)]
        intercept = bias * table[:, len(features)] if bias else np.zeros(len(self.classes_))
        if len(self.classes_) == 2:
            return coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        return coef, intercept


class TaxonomyClassifier(LinearClasses):
    """One class of a hierarchy for each row; names are paths such as ``'animal/cat'``.

    ``kernel`` may be a function of two sets of inputs, or 'precomputed', where X has their products.
    """

    _task = "taxonomy"
    _extra = CLASSES
    _instead = "the class above them, or None where nobody knows"

    def _make(self, rows: _core.Rows, y: Encoded, weights: np.ndarray | None) -> _core.Records:
        return _core.taxonomy_records(rows, y.codes, y.names, weights, y.declared)

    def _name_classes(self, texts: dict[str, Any]) -> None:
        super()._name_classes({})

    def _coefficients(self) -> tuple[np.ndarray, np.ndarray]:
        self._columns()
        n = self.n_features_in_  # what a row of one feature scores, and last one of none
        rows = _core.Rows(np.r_[np.arange(n + 1), n], np.arange(n), np.ones(n))
        hidden = Encoded(np.full(n + 1, -1, dtype=np.int64), [], np.zeros(0))
        _, _, values = self._model.predict(self._model.examples(self._make(rows, hidden, None)), "scores", False, self._threads())
        table = np.asarray(values)[:, self._classes.columns].T
        if len(table) == 2:
            table = table[1:] - table[:1]
        return table[:, :n] - table[:, n:], table[:, n].copy()


class BinaryClassifier(ClassEstimator):
    """Two classes, learned for a measure of the whole sample: F1, precision at k, area under the curve and more.

    All rows are one sample, or ``group`` tells how many rows each sample has. ``kernel`` may be a function of two sets of
    inputs, or 'precomputed', where X has their products.
    """

    _task = "binary"

    def _examples(self, X: Any, y: Any = None, group: Any = None, **forms: Any) -> _core.Examples:
        core = self._fitted()
        X = self._table(X, reset=False)
        n = X.shape[0]
        encoded = Encoded(np.full(n, -1, dtype=np.int64), [], np.zeros(0)) if y is None else self._encoded(y, n)
        sizes = [] if group is None else sizes_of(group, n)
        return core.examples(_core.binary_records(self._rows(X), encoded.codes, encoded.names, sizes, None))

    def fit(self: Any, X: Any, y: Any = None, group: Any = None, sample_weight: Any = None) -> Any:  # type: ignore[override]
        """Learn from rows X and their classes y; rows of one sample stand together.

        ``sample_weight`` has one number for each sample. Without ``group`` all rows are one sample, whose rows weigh alike.
        """
        X = self._table(X, reset=True)
        encoded = self._encoded(y, X.shape[0])
        sizes = [] if group is None else sizes_of(group, X.shape[0])
        if sample_weight is not None and group is None and np.size(sample_weight) > 1:
            raise ValueError("weights are of samples, and without group all rows are one: repeat rows, or say with group which rows are a sample.")
        weights = weights_of(sample_weight, len(sizes) or 1, "samples")
        self._learn(_core.binary_records(self._training_rows(X), encoded.codes, encoded.names, sizes, weights))
        self._name_classes({text_of(label): label for label in encoded.classes})
        return self

    def _units(self, X: Any, y: Any, group: Any = None, **keywords: Any) -> Units:
        if group is None:
            return Units(X, y, keywords)
        return Units(X, y, {**keywords, "group": group}, sizes_of(group, X.shape[0] if hasattr(X, "shape") else len(X)))

    def _name_classes(self, texts: dict[str, Any]) -> None:
        names = self._model.names()
        self._take_classes(Classes([texts.get(name, name) for name in names], names))  # the positive one last

    def decision_function(self, X: Any) -> np.ndarray:
        """Above 0 for the positive class, ``classes_[1]``."""
        _, _, values = self._fitted().predict(self._examples(X), "scores", False, self._threads())
        return np.asarray(values)[:, 0]

    @property
    def coef_(self) -> np.ndarray:
        """Weights of the positive class, (1, features)."""
        features, _ = self._columns()
        coef = np.zeros((1, self.n_features_in_))
        coef[0, features] = self.weights_[: len(features)]
        return coef

    @property
    def intercept_(self) -> np.ndarray:
        """What the bias adds."""
        features, bias = self._columns()
        return bias * self.weights_[len(features):] if bias else np.zeros(1)

    predict_proba = Lacking("BinaryClassifier learns for measures of a sample and has no probabilities: use decision_function.")


class Ranker(RowEstimator):
    """Rankings of documents for queries: ``fit(X, grades, qid=...)``, ``predict`` gives scores."""

    _task = "rank"
    _default_metric = "map"

    def fit(self: Any, X: Any, y: Any = None, qid: Any = None, group: Any = None, sample_weight: Any = None) -> Any:
        """Learn from documents X and their grades y (nan: not judged).

        Rows of one query stand together; ``qid`` names the query of each row, or ``group`` has their numbers of
        rows; without, all rows are one query. ``sample_weight`` has one number for each query.
        """
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X = self._table(X, reset=True)
        sizes = self._sizes(qid, group, X.shape[0])
        grades = self._grades(y, X.shape[0])
        self._learn(_core.rank_records(self._rows(X), grades, sizes, weights_of(sample_weight, len(sizes), "queries")))
        return self

    def _units(self, X: Any, y: Any, qid: Any = None, group: Any = None, **keywords: Any) -> Units:
        if qid is None and group is None:
            raise ValueError("folds and weights are of queries: say which query each row belongs to, qid=... or group=...")
        sizes = self._sizes(qid, group, X.shape[0] if hasattr(X, "shape") else len(X))
        return Units(X, y, {**keywords, "qid": qid, "group": group}, sizes)

    @staticmethod
    def _grades(y: Any, n: int) -> np.ndarray:
        y = without_missing(y)
        grades = np.ascontiguousarray([np.nan if type(grade).__name__ == "NAType" else grade for grade in y] if isinstance(y, list) else y,
                                      dtype=np.float64)
        if grades.shape != (n,):
            raise ValueError(f"X has {n} rows, but y has the shape {grades.shape}: give one grade for each.")
        return grades

    @staticmethod
    def _sizes(qid: Any, group: Any, n: int) -> list[int]:
        if qid is not None and group is not None:
            raise ValueError("qid and group say the same in two ways: give one of them.")
        if group is not None:
            return sizes_of(group, n)
        if qid is None:
            return [n]
        names = np.asarray(qid)
        if names.shape != (n,):
            raise ValueError(f"X has {n} rows, but qid has the shape {names.shape}: give one for each.")
        odd = [i for i, name in enumerate(names.tolist()) if name is None or type(name).__name__ == "NAType" or name != name]
        if odd:
            raise ValueError(f"qid has nothing in row {odd[0]}: name the query of each row.")
        starts = np.flatnonzero(np.r_[True, names[1:] != names[:-1]])
        if len(starts) != len(np.unique(names)):
            raise ValueError("rows of one query stand together: sort X, y and qid by qid.")
        return [int(size) for size in np.diff(np.r_[starts, n])]

    def predict(self, X: Any) -> np.ndarray:
        """The score of each document: the higher, the earlier."""
        _, _, values = self._fitted().predict(self._examples(X), "scores", False, self._threads())
        return np.asarray(values)[:, 0]

    def _examples(self, X: Any, y: Any = None, qid: Any = None, group: Any = None, **forms: Any) -> _core.Examples:
        core = self._fitted()
        X = self._table(X, reset=False)
        grades = np.full(X.shape[0], np.nan) if y is None else self._grades(y, X.shape[0])
        return core.examples(_core.rank_records(self._rows(X), grades, self._sizes(qid, group, X.shape[0]), None))

    @property
    def coef_(self) -> np.ndarray:
        """The weight of each feature."""
        features, _ = self._columns()
        coef = np.zeros(self.n_features_in_)
        coef[features] = self.weights_[: len(features)]
        return coef


def sizes_of(group: Any, n: int) -> list[int]:
    sizes = whole_numbers("group", listed("group", group, "numbers of rows")).tolist()
    if min(sizes, default=1) < 1:
        raise ValueError(f"group has the number {min(sizes)}: give the number of rows of each, 1 or more.")
    if sum(sizes) != n:
        raise ValueError(f"group sums to {sum(sizes)}, but X has {n} rows: give the number of rows of each.")
    return sizes


def _odd_row(X: Any) -> str | None:
    """What is wrong with the first row that is none of a table of finite numbers; None where that is not the trouble."""
    if hasattr(X, "tocsr"):
        X = X.tocsr()
        if X.dtype.kind not in "fiub":
            return None
        odd = np.flatnonzero(~np.isfinite(X.data.astype(np.float64)))
        if len(odd) == 0:
            return None
        row = int(np.searchsorted(X.indptr, odd[0], side="right")) - 1
        return f"X has {X.data[odd[0]]} in column {X.indices[odd[0]]} of row {row}: give finite numbers"
    if isinstance(X, (str, bytes, dict)) or not hasattr(X, "__len__") or getattr(X, "shape", None) == ():
        return None
    width = None
    for i, row in enumerate(X.to_numpy() if hasattr(X, "to_numpy") else X):
        if np.iscomplexobj(row):
            return None
        try:
            values = np.asarray(row, dtype=np.float64)
        except (TypeError, ValueError):
            return f"row {i} of X is not made of numbers: are X and y swapped?"
        if values.ndim != 1:
            return None
        if width is not None and len(values) != width:
            return f"row {i} of X has {len(values)} numbers where those before have {width}"
        width = len(values)
        odd = np.flatnonzero(~np.isfinite(values))
        if len(odd):
            return f"X has {values[odd[0]]} in column {odd[0]} of row {i}: give finite numbers"
    return None


def _objects(values: Any) -> np.ndarray:
    values = list(values)
    array = np.empty(len(values), dtype=object)
    for k, value in enumerate(values):
        array[k] = value
    return array


def plain_array(values: Any) -> np.ndarray:
    """Labels in an array of their own type where they have one."""
    values = list(values)
    kinds = {type(v.item() if isinstance(v, np.generic) else v) for v in values}
    if len(kinds) == 1 and kinds <= {str, int, float, bool}:
        return np.array(values)
    return _objects(values)
