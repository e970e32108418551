"""What all estimators do alike: parameters, fitting, saving, pickling."""

from __future__ import annotations

import json
import logging
import os
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np

from . import _core
from ._inputs import listed, threads_of, weights_of, without_missing
from ._interrupts import presses
from ._keywords import name_keywords
from ._labels import Classes, text_of
from ._options import Parameter, documented, parameters_of, signature_of, unknown
from ._routing import Requesting
from ._summary import Summary
from ._units import Units
from ._weighted import evaluated, scored

logger = logging.getLogger("hinge")
Self = TypeVar("Self", bound="Estimator")


class _UserWarning(UserWarning):
    """What ConvergenceWarning derives from until scikit-learn is there."""


class ConvergenceWarning(_UserWarning):
    """A training ended before its stopping rule was met; scikit-learn's warning of that name where scikit-learn is imported."""


def convergence_warning() -> type[ConvergenceWarning]:
    """The class; scikit-learn's is its base once somebody has imported that."""
    if "sklearn" in sys.modules and ConvergenceWarning.__bases__ == (_UserWarning,):
        from sklearn.exceptions import ConvergenceWarning as Theirs

        ConvergenceWarning.__bases__ = (Theirs,)
    return ConvergenceWarning


class NotFittedError(ValueError, AttributeError):
    """An estimator was asked before it was fitted."""


# Of estimators that learn from unlabelled examples and rules too.
GUIDED: list[tuple[str, Any, str]] = [
    ("transduction", None, "Options of learning from X_unlabelled and rules, a dict: C1, C2, mu, rule_features, ... "
                           "(docs/transduction.md)."),
]

# Of estimators whose labels have names.
CLASSES: list[tuple[str, Any, str]] = [("classes", None, "All labels, where training data may lack some of them.")]

ESTIMATORS: dict[str, type[Estimator]] = {}


class Estimator(Requesting):
    """The base of all estimators. Parameters are stored as they are given and looked at by ``fit`` alone."""

    _task: ClassVar[str] = ""
    _type: ClassVar[str | None] = None
    _extra: ClassVar[list[tuple[str, Any, str]]] = []
    _parameters: ClassVar[dict[str, Parameter]] = {}
    _default_metric: ClassVar[str] = "accuracy"
    _searching = False  # one of many trainings, which Ctrl-C ends all

    summary_: Summary
    _model: _core.Model

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        name_keywords(cls)
        if not cls._task or "_abstract" in cls.__dict__:
            return
        parameters = parameters_of(cls._task, cls._extra)
        cls._parameters = parameters

        def __init__(self: Estimator, **values: Any) -> None:
            for name in values:
                if name not in parameters:
                    raise unknown(type(self).__name__, name, parameters)
            for parameter in parameters.values():
                setattr(self, parameter.name, values.get(parameter.name, parameter.default))

        __init__.__signature__ = signature_of(parameters)  # type: ignore[attr-defined]
        __init__.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__ = __init__  # type: ignore[method-assign,assignment]
        cls.__doc__ = documented(cls.__doc__, parameters)
        ESTIMATORS.setdefault(cls._task, cls)

    # Parameters, as in scikit-learn.

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, by name."""
        return {name: getattr(self, name) for name in sorted(self._parameters)}

    def set_params(self: Self, **parameters: Any) -> Self:
        """Set some of the parameters."""
        for name, value in parameters.items():
            if name not in self._parameters:
                raise ValueError(str(unknown(type(self).__name__, name, self._parameters)))
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        changed = (f"{name}={getattr(self, name)!r}" for name, p in self._parameters.items()
                   if not _same(getattr(self, name), p.default))
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(estimator_type=self._type, target_tags=TargetTags(required=True), input_tags=InputTags(),
                    classifier_tags=ClassifierTags() if self._type == "classifier" else None)

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in self.__dict__

    def _further(self, method: str) -> Any:
        """The method whose keywords ``method`` takes beside its own."""
        return getattr(self, "_examples")

    # Fitting.

    def _threads(self) -> int:
        return threads_of(self._get("n_jobs"))

    def _get(self, name: str) -> Any:
        return getattr(self, name)

    def _seed(self) -> int:
        state = self._get("random_state")
        if state is None:
            return 1
        if isinstance(state, (int, np.integer)) and 0 <= state < 2**63:
            return int(state)
        if hasattr(state, "integers"):
            return int(state.integers(2**31))
        if hasattr(state, "randint"):
            return int(state.randint(2**31 - 1))
        raise ValueError(f"random_state is {state!r}: give a whole number from 0 on.")

    def _task_options(self) -> dict[str, Any]:
        options = {p.option: _plain(self._get(p.name), p)
                   for p in self._parameters.values() if p.group == "task" and p.option}
        return {str(name): value for name, value in options.items() if value is not None}

    def _training_options(self) -> dict[str, Any]:
        init = self._get("init")
        if init not in (None, "", "zero", "random", "drawn", "supervised") and not str(init).startswith("random:"):
            raise ValueError(f"init is {init!r}: give 'zero', 'random', 'random:SPREAD', 'drawn' or 'supervised'; warm_start goes on "
                             "from a fitted model.")
        options: dict[str, Any] = {"threads": self._threads(), "seed": self._seed()}
        for p in self._parameters.values():
            value = self._get(p.name)
            if p.group == "training" and p.name not in ("C", "n_jobs", "random_state") and value is not None:
                options[str(p.option)] = _plain(value, p)
        return options

    def _settings(self) -> dict[str, float]:
        given = self._get("solver_options")
        if not (given is None or isinstance(given, dict)):
            raise TypeError(f"solver_options is a {type(given).__name__}, where a dict of names and numbers belongs.")
        values = {**(given or {}), **{name: self._get(name) for name in ("gap", "max_passes") if self._get(name) is not None}}
        for name, value in values.items():
            if isinstance(value, str) or not np.isscalar(value):
                raise ValueError(f"{name} is {value!r}: give a number.")
        return {str(name): float(value) for name, value in values.items()}

    def _values_of_C(self) -> list[float]:
        C = self._get("C")
        if C is None:
            return []
        if isinstance(C, (bool, str)) or not np.isscalar(C) or not np.isfinite(C) or C <= 0:  # type: ignore[arg-type,operator,call-overload]
            raise ValueError(f"C is {C!r}: give a positive number; several belong to {type(self).__name__}CV.")
        return [float(C)]  # type: ignore[arg-type]

    def _learn(self, records: _core.Records, values: list[float] | None = None) -> _core.Model:
        """Fits a model to the records, along a path of C where there is one, and makes it the estimator's own."""
        core = _core.Model(self._task, json.dumps(self._task_options()))
        self._prepare(core)
        history: list[dict[str, Any]] = []
        start = self.__dict__.get("_model") if self._get("warm_start") else None
        values = getattr(self, "_path_values", values)
        core.fit(records, json.dumps(self._training_options()), self._settings(),
                 self._values_of_C() if values is None else sorted(values), start, self._listener(history),
                 presses(self._searching))
        self._adopt(core, history)
        return core

    def _learn_guided(self, records: _core.Records, labelled: int, rules: Any) -> None:
        """Fits a model to the first records, the others, whose labels are not looked at, and rules about these."""
        if self._get("warm_start"):
            raise ValueError("learning from X_unlabelled and rules starts anew: leave out warm_start.")
        core = _core.Model(self._task, json.dumps(self._task_options()))
        self._prepare(core)
        if hasattr(rules, "read_text"):
            rules = rules.read_text()
        text = "" if rules is None else rules if isinstance(rules, str) else "\n".join(rules)
        history: list[dict[str, Any]] = []
        notes = core.fit_guided(records, labelled, text, json.dumps(self._training_options()), self._settings(),
                                json.dumps(self._get("transduction") or {}), (self._values_of_C() or [0.0])[0],
                                self._listener(history), presses(self._searching))
        for note in notes:
            logger.info(note.rstrip())
        self._adopt(core, history)

    def _prepare(self, core: _core.Model) -> None:
        """What a task is told before it sees data."""

    def _adopt(self, core: _core.Model, history: list[dict[str, Any]] | None = None) -> None:
        self._model = core
        self.summary_ = Summary(json.loads(core.summary()), history)
        if "iterations" in self.summary_.to_dict():
            self.n_iter_ = max(1, int(self.summary_.iterations))
        self._warn()

    def _warn(self) -> None:
        """Where the training ended before its stopping rule was met, but for the wish of a callback."""
        ended, message = self.summary_.termination, str(self.summary_.message)
        if ended in ("iteration_limit", "no_progress") or (ended == "stopped" and not message.startswith("The callback ended it")):
            warnings.warn(f"{type(self).__name__}: {message}", convergence_warning(), stacklevel=_callers())

    def _listener(self, history: list[dict[str, Any]]) -> Any:
        callback, verbose = self._get("callback"), self._get("verbose")
        if verbose and not logger.handlers and not logging.getLogger().handlers:
            logger.addHandler(logging.StreamHandler())
            logger.setLevel(logging.INFO)
        last = [0.0]

        def told(progress: dict[str, Any]) -> Any:
            history.append(progress)
            if verbose and time.monotonic() - last[0] >= 1:
                last[0] = time.monotonic()
                logger.info("%s %.1f s, %.1f passes, primal %.6g, dual %.6g, gap %.2g", type(self).__name__,
                            progress["seconds"], progress["passes"], progress["primal"], progress["dual"],
                            progress["gap"])
            return callback(progress) if callback is not None else None

        return told

    def _fitted(self) -> _core.Model:
        if "_model" not in self.__dict__:
            if "sklearn" in sys.modules:
                from sklearn.exceptions import NotFittedError as Theirs

                raise Theirs(f"this {type(self).__name__} is not fitted yet: call fit before it is used.")
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit before it is used.")
        return self._model

    # Weights.

    @property
    def weights_(self) -> np.ndarray:
        """All weights, in the order of their names."""
        return np.asarray(self._fitted().weights())

    def top_features(self, k: int = 20) -> list[tuple[str, float]]:
        """The k weights of largest size, with their names."""
        weights = self.weights_
        order = np.argsort(-np.abs(weights), kind="stable")[:k]
        return list(zip(self._fitted().feature_names(order.tolist()), weights[order].tolist()))

    # Decoding.

    def set_decoding(self: Self, name: str) -> Self:
        """How predictions are decoded: 'joint', 'marginal-map' or 'max-marginals'."""
        self._fitted().decode(name)
        return self

    # Metrics.

    def _metric(self, metrics: dict[str, Any], name: str | None) -> float:
        name = name or self._default_metric
        value: Any = metrics
        for part in name.split("."):
            if not isinstance(value, dict) or part not in value:
                import difflib

                known = sorted(each for each in _numbers(metrics) if not each.startswith("confusion."))
                near = difflib.get_close_matches(name, known, 1)
                raise ValueError(f"there is no metric '{name}'" + (f": did you mean '{near[0]}'?" if near else
                                                                   f": there are {', '.join(known)}."))
            value = value[part]
        if not isinstance(value, (int, float)):
            raise ValueError(f"the metric '{name}' is no number.")
        return -float(value) if name.split(".")[-1] in ("loss", "error") else float(value)

    # Saving.

    def _labels_for_file(self) -> dict[str, Any]:
        return {}

    def save(self, path: Any) -> None:
        """Write a model file, which the command line and ``hinge.load`` read."""
        core = self._fitted()
        options = json.loads(core.options())
        options["python"] = {"estimator": type(self).__name__, **self._labels_for_file()}
        core.set_options(json.dumps(options))
        core.save(os.fsdecode(path))

    def _load_labels(self, kept: dict[str, Any]) -> None:
        """Takes from a model file what ``_labels_for_file`` gave."""

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        if "_model" in state:
            state["_model"] = state["_model"].bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        if "_model" in state:
            state["_model"] = _core.Model.parse(state["_model"])
        self.__dict__.update(state)

    # Paths.

    def _fit_path(self, X: Any, y: Any, values: list[float], **keywords: Any) -> None:
        """Fits along the path; ``self._model.choose_run(k)`` then takes the weights of its run k."""
        self._path_values = values
        try:
            getattr(self, "fit")(X, y, **keywords)
        finally:
            del self._path_values

    def _note_forms(self, **forms: Any) -> None:
        """What predictions need to know of the form of training data."""

    def _units(self, X: Any, y: Any, **keywords: Any) -> Units:
        """The examples that folds cut."""
        return Units(X, y, keywords)

    def path(self: Self, X: Any, y: Any, Cs: Sequence[float], **keywords: Any) -> Iterator[tuple[float, Self]]:
        """Fitted estimators along ascending C, each started from the one before."""
        values = sorted(float(C) for C in Cs)
        followed = _clone(self)
        with warnings.catch_warnings():  # each run says for itself how it ended
            warnings.simplefilter("ignore", ConvergenceWarning)
            followed._fit_path(X, y, values, **keywords)
        history = followed.summary_.history
        for k, C in enumerate(values[: followed._model.runs()]):  # a run may have been stopped
            followed._model.choose_run(k)
            each = _clone(self)
            each.__setstate__(followed.__getstate__())
            each.set_params(C=C)
            run = json.loads(each._model.summary())
            each._adopt(each._model, [told for told in history if told["C"] == run["C"]])
            yield C, each


class Measured(Estimator):
    """Estimators whose task measures its own predictions."""

    _abstract = True
    _means: ClassVar[dict[str, str | None]] = {"loss": None}  # metrics that are means over examples, or over such items of theirs

    def _examples(self, X: Any, y: Any = None, **forms: Any) -> _core.Examples:
        """Data as the fitted task has read it."""
        raise NotImplementedError

    def evaluate(self, X: Any, y: Any, sample_weight: Any = None, **forms: Any) -> dict[str, Any]:
        """The task's own metrics, by name; further keywords say the form of X, as those of ``predict`` do.

        Weights repeat examples: they are whole numbers.
        """
        core = self._fitted()
        if sample_weight is not None:
            return evaluated(self, X, y, sample_weight, forms)
        return dict(json.loads(core.evaluate(self._examples(X, y, **forms), self._threads())))

    def score(self, X: Any, y: Any, metric: str | None = None, sample_weight: Any = None, **forms: Any) -> float:
        """The metric of that name of ``evaluate``, by default the task's usual one; loss and error are negated.

        Any weights weigh accuracy and loss; other metrics take whole numbers.
        """
        if sample_weight is not None:
            self._fitted()
            return scored(self, X, y, sample_weight, metric, forms)
        return self._metric(self.evaluate(X, y, **forms), metric)


class Structured(Measured):
    """Estimators whose inputs are no rows of a table, which scikit-learn need not look into."""

    _abstract = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


class Listed(Structured):
    """Estimators that learn from a list of inputs and a list of answers to them."""

    _abstract = True
    _inputs: ClassVar[str] = "examples"

    def _records(self, X: Any, y: Any, weights: np.ndarray | None) -> _core.Records:
        raise NotImplementedError

    def _both(self, X: Any, y: Any) -> tuple[list[Any], list[Any]]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X, y = listed("X", X, self._inputs), listed("y", without_missing(y), "what is known of each")
        if len(X) != len(y):
            raise ValueError(f"X has {len(X)} {self._inputs}, but y has {len(y)}: give one for each.")
        return X, y

    def fit(self: Any, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Learn from X and what is known of each, y."""
        X, y = self._both(X, y)
        self._learn(self._records(X, y, weights_of(sample_weight, len(X), self._inputs)))
        return self

    def _examples(self, X: Any, y: Any = None, **forms: Any) -> _core.Examples:
        return self._fitted().examples(self._records(X, without_missing(y), None))


class Named(Estimator):
    """Estimators whose labels have names in the task, and are objects in Python: ``classes_``."""

    _abstract = True
    classes_: np.ndarray
    _classes: Classes

    def _declared(self) -> dict[str, Any]:
        """``classes``, by their names."""
        given = self._get("classes") if "classes" in self._parameters else None
        if given is None:
            return {}
        labels = [v.item() if isinstance(v, np.generic) else v for v in listed("classes", given, "labels")]
        for label in labels:
            if label is None or isinstance(label, (set, frozenset)):
                raise ValueError(f"classes has {label!r}: give labels.")
        return {text_of(label): label for label in labels}

    def _require_known(self, given: list[Any]) -> None:
        """Labels that are given at prediction are some that training has seen."""
        known = set(self._fitted().names())
        for i, each in enumerate(given):
            for label in each if each is not None else ():
                for one in label if isinstance(label, (set, frozenset)) else () if label is None else (label,):
                    if text_of(one) not in known:
                        raise ValueError(f"given has the label {one!r} in example {i}, which is none of classes_.")

    def _name_classes(self, texts: dict[str, Any]) -> None:
        """``texts`` has the objects of those names that were no str."""
        texts = {**self._declared(), **texts}
        self._take_classes(Classes.of(texts, self._model.names()))

    def _take_classes(self, classes: Classes) -> None:
        self._classes = classes
        self.classes_ = classes.array

    def _label_objects(self) -> list[Any]:
        """The object of each of the task's labels."""
        return [v.item() if isinstance(v, np.generic) else v for v in self._classes.by_number()]

    def _labels_for_file(self) -> dict[str, Any]:
        return {**super()._labels_for_file(), **self._classes.kept()}

    def _load_labels(self, kept: dict[str, Any]) -> None:
        super()._load_labels(kept)
        self._take_classes(Classes.loaded(kept, self._model.names()))


def load(path: Any) -> Any:
    """The estimator of a model file, whether Python or the command line wrote it."""
    core = _core.Model.load(os.fsdecode(path))
    options = json.loads(core.options())
    kept = options.get("python") or {}
    cls = ESTIMATORS.get(core.task())
    if cls is None:
        raise ValueError(f"{path}: is a model of the task {core.task()}, which has no estimator here.")
    values: dict[str, Any] = {}
    for p in cls._parameters.values():
        group = options.get("learning" if p.group == "training" else "task") or {}
        if p.group in ("training", "task") and p.option in group and p.name not in ("C", "n_jobs", "random_state"):
            value = group[p.option]
            if p.default is None and value == -1:
                continue
            values[p.name] = tuple(value) if isinstance(value, list) else value
    if "length" in values and isinstance(values["length"], tuple):
        values["length"] = int(values["length"][0])
    estimator = cls(**values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        estimator._adopt(core)
    estimator._load_labels(kept)
    return estimator


class scorer(Requesting):
    """A scorer for GridSearchCV and the like: ``scoring=hinge.scorer("macro_f1")``."""

    def __init__(self, metric: str) -> None:
        self.metric = metric

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(estimator.score(X, y, metric=self.metric, **weights))

    def __repr__(self) -> str:
        return f"hinge.scorer({self.metric!r})"


def _plain(value: Any, p: Parameter) -> Any:
    """As JSON has it."""
    if p.kind == "list":
        if isinstance(value, dict):
            return [f"{text_of(key)}:{amount}" for key, amount in value.items()]
        if isinstance(value, (str, int, float, np.generic)):
            value = [value]
        return [f"{text_of(v[0])}>{text_of(v[1])}" if isinstance(v, tuple) and len(v) == 2
                else v.item() if isinstance(v, np.generic) else v for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if p.kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if not isinstance(value, (str, int, float, bool)):
        raise ValueError(f"{p.name} is {value!r}: give a {p.kind}.")
    return value


def _same(a: Any, b: Any) -> bool:
    try:
        return bool(a is b or a == b)
    except ValueError:
        return False


def _numbers(metrics: dict[str, Any], before: str = "") -> list[str]:
    found = []
    for name, value in metrics.items():
        if isinstance(value, dict):
            found += _numbers(value, f"{before}{name}.")
        elif isinstance(value, (int, float)):
            found.append(before + name)
    return found


def _clone(estimator: Self) -> Self:
    return type(estimator)(**estimator.get_params())


def _callers() -> int:
    """The stacklevel of a warning in the function that asks, at the first line that is not the package's."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "hinge":
        level, frame = level + 1, frame.f_back
    return level
