"""The learners that are timed, each behind the same few methods.

A fit is two steps, timed apart and together: ``prepare`` turns Python objects into the learner's
own data set (nothing to do for estimators that take arrays) and ``train`` grows the tree. Threads
are set through each learner's own parameter, and one whose package is missing says so.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from .workloads import Data


@dataclass(frozen=True)
class Limits:
    """When a tree stops growing; ``max_depth`` None is a whole tree."""

    max_depth: int | None = None
    min_samples_leaf: int = 5

    @property
    def label(self) -> str:
        """The limits in words."""
        tree = "whole tree" if self.max_depth is None else f"depth {self.max_depth}"
        return f"{tree}, min leaf {self.min_samples_leaf}"


@dataclass(frozen=True)
class Contender:
    """A learner with its settings; frozen, so that it can be compared, hashed and sent away."""

    threads: int = 1

    package: ClassVar[str] = ""
    module: ClassVar[str] = ""

    @property
    def name(self) -> str:
        """The learner and those settings that tell its variants apart."""
        return self.package

    @property
    def note(self) -> str:
        """What a fit is, for a reader who compares it with the others."""
        return ""

    def installed(self) -> bool:
        """Whether the package can be imported."""
        return importlib.util.find_spec(self.module) is not None

    def version(self) -> str | None:
        """Version of the package, None if it is not installed."""
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return "unknown" if self.installed() else None

    def prepare(self, data: Data, limits: Limits) -> Any:
        """Make what ``train`` takes; part of the time of a fit."""
        return data

    def train(self, native: Any, limits: Limits) -> Any:
        """Grow the tree and return the model."""
        raise NotImplementedError

    def predict(self, model: Any, X: Any) -> Any:
        """Return a class for every row of an array."""
        return model.predict(X)

    def nodes(self, model: Any) -> int | None:
        """Number of nodes, leaves among them, over all trees of the model."""
        return int(model.tree_.node_count)

    def fingerprint(self, model: Any) -> str | None:
        """Return a digest that is equal for equal trees, None if the learner has none."""
        return None

    def own_seconds(self, model: Any) -> float | None:
        """Return the seconds of the fit by the learner's own clock, None to be timed from here."""
        return None

    def returned_bytes(self, model: Any) -> int | None:
        """Return the size of what the caller gets, which is part of the peak; None if it is not told."""
        return None


@dataclass(frozen=True)
class Ramify(Contender):
    """The library itself; ``frame`` chooses which of the nominal frames it is given."""

    q: float = 2.0
    frame: str = "pandas"

    package: ClassVar[str] = "ramify"
    module: ClassVar[str] = "ramify"

    @property
    def name(self) -> str:
        """The order of the entropy, and the frame if it is not the usual one."""
        return f"ramify q={self.q:g}" + ("" if self.frame == "pandas" else f" ({self.frame})")

    @property
    def note(self) -> str:
        """Which criterion it has."""
        return f"gain with q={self.q:g}, exact cuts, subsets of nominal columns"

    def prepare(self, data: Data, limits: Limits) -> Any:
        """Choose the frame; conversion is part of the estimator's own fit."""
        if self.frame == "pandas":
            return data
        if data.polars is None:
            raise ModuleNotFoundError(f"{self.frame} is not installed")
        return Data(data.polars, data.y, data.classes)

    def train(self, native: Data, limits: Limits) -> Any:
        """Fit the estimator."""
        from ramify import TreeClassifier

        model = TreeClassifier(
            criterion="gain",
            q=self.q,
            min_samples_leaf=limits.min_samples_leaf,
            max_depth=limits.max_depth,
            n_jobs=self.threads,
        )
        return model.fit(native.X, native.y)

    def fingerprint(self, model: Any) -> str | None:
        """Digest every public array of the tree."""
        digest, arrays = hashlib.sha256(), 0
        for name in dir(model.tree_):
            value = None if name.startswith("_") else getattr(model.tree_, name, None)
            if isinstance(value, np.ndarray):
                digest.update(f"{name}{value.dtype}{value.shape}".encode() + value.tobytes())
                arrays += 1
        return digest.hexdigest()[:16] if arrays else None


def scikit_learn_tree(limits: Limits) -> Any:
    """Return scikit-learn's tree, not yet fitted."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(
        criterion="gini",
        min_samples_leaf=limits.min_samples_leaf,
        max_depth=limits.max_depth,
        random_state=0,
    )


@dataclass(frozen=True)
class Sklearn(Contender):
    """scikit-learn's Gini tree: exact, always one thread, no nominal columns."""

    package: ClassVar[str] = "scikit-learn"
    module: ClassVar[str] = "sklearn"

    @property
    def note(self) -> str:
        """How nominal columns are treated."""
        return "Gini, exact cuts; nominal columns as ordinal codes, a smaller search"

    def prepare(self, data: Data, limits: Limits) -> Any:
        """Encode nominal columns as numbers, which is all that it takes."""
        if isinstance(data.X, np.ndarray):
            return data
        from sklearn.preprocessing import OrdinalEncoder

        return Data(OrdinalEncoder(dtype=np.float32).fit_transform(data.X), data.y, data.classes)

    def train(self, native: Data, limits: Limits) -> Any:
        """Fit the estimator."""
        return scikit_learn_tree(limits).fit(native.X, native.y)


@dataclass(frozen=True)
class Ydf(Contender):
    """YDF's CART without its hold-out pruning, on all rows."""

    package: ClassVar[str] = "ydf"
    module: ClassVar[str] = "ydf"

    @property
    def note(self) -> str:
        """Which criterion it has."""
        return "CartLearner: information gain, exact cuts, no pruning"

    def prepare(self, data: Data, limits: Limits) -> Any:
        """Make its column store; every level of a nominal column and of the label is kept."""
        ydf = self._quiet()
        columns = self._columns(data.X)
        nominal = list(columns) if not isinstance(data.X, np.ndarray) else []
        return ydf.create_vertical_dataset(
            columns | {"label": data.y},
            columns=[(name, ydf.Semantic.CATEGORICAL) for name in [*nominal, "label"]],
            include_all_columns=True,
            min_vocab_frequency=1,
            max_vocab_count=-1,
        )

    def train(self, native: Any, limits: Limits) -> Any:
        """Train; its depth counts the root, ours the edges."""
        ydf = self._quiet()
        learner = ydf.CartLearner(
            label="label",
            task=ydf.Task.CLASSIFICATION,
            num_threads=self.threads,
            min_examples=limits.min_samples_leaf,
            max_depth=-1 if limits.max_depth is None else limits.max_depth + 1,
            validation_ratio=0.0,
        )
        return learner.train(native)

    def predict(self, model: Any, X: Any) -> Any:
        """Return the classes as strings, which is how it keeps them."""
        return model.predict_class(self._columns(X))

    def nodes(self, model: Any) -> int | None:
        """Number of nodes of the tree."""
        return int(model.num_nodes())

    @staticmethod
    def _columns(X: Any) -> dict[str, Any]:
        if isinstance(X, np.ndarray):
            return {f"x{j}": X[:, j] for j in range(X.shape[1])}
        return {str(name): X[name].astype(object).to_numpy() for name in X.columns}

    @staticmethod
    def _quiet() -> Any:
        import ydf
        from absl import logging

        ydf.verbose(0)
        # Warns that a ready data set ignores the learner's options for making one.
        logging.set_verbosity(logging.ERROR)
        return ydf


@dataclass(frozen=True)
class LightGBM(Contender):
    """One boosting round of LightGBM: a histogram tree per class (one for two classes).

    Only with a depth limit: its histogram pool is as long as the largest number of leaves.
    """

    package: ClassVar[str] = "lightgbm"
    module: ClassVar[str] = "lightgbm"

    @property
    def note(self) -> str:
        """How many trees a fit is."""
        return "one round, a tree per class (one for two classes), 255 bins"

    def _parameters(self, limits: Limits) -> dict[str, Any]:
        """What data set and booster must agree on: the leaf minimum filters columns beforehand."""
        return {
            "num_threads": self.threads,
            "min_data_in_leaf": limits.min_samples_leaf,
            "verbosity": -1,
        }

    def prepare(self, data: Data, limits: Limits) -> Any:
        """Bin the columns."""
        import lightgbm as lgb

        dataset = lgb.Dataset(data.X, data.y, params=self._parameters(limits)).construct()
        return dataset, data.classes

    def train(self, native: Any, limits: Limits) -> Any:
        """Train one round."""
        import lightgbm as lgb

        dataset, classes = native
        goal = {"objective": "multiclass", "num_class": classes}
        parameters = self._parameters(limits) | (goal if classes > 2 else {"objective": "binary"})
        depth = _required_depth(self, limits)
        parameters |= {"max_depth": depth, "num_leaves": 2**depth}
        return lgb.train(parameters, dataset, num_boost_round=1)

    def predict(self, model: Any, X: Any) -> Any:
        """Return the most probable class."""
        scores = model.predict(X, num_threads=self.threads)
        return scores.argmax(axis=1) if scores.ndim == 2 else scores > 0.5

    def nodes(self, model: Any) -> int | None:
        """Number of nodes over all trees."""
        lines = model.model_to_string().splitlines()
        leaves = [int(line.split("=")[1]) for line in lines if line.startswith("num_leaves=")]
        return sum(2 * n - 1 for n in leaves)


@dataclass(frozen=True)
class XGBoost(Contender):
    """One boosting round of XGBoost's ``hist``: one tree with vector leaves, or one tree a class.

    The single tree has squared error on one-hot labels without a penalty, which is the Gini gain,
    and its child weight counts rows. Only with a depth limit, for its cache of histograms.
    """

    per_class: bool = False

    package: ClassVar[str] = "xgboost"
    module: ClassVar[str] = "xgboost"

    @property
    def name(self) -> str:
        """Which of the two ways."""
        return "xgboost per class" if self.per_class else "xgboost one tree"

    @property
    def note(self) -> str:
        """What a fit is."""
        if self.per_class:
            return "one round of softprob, a tree per class, 256 bins"
        return "one vector-leaf tree, squared error on one-hot labels (the Gini gain), 256 bins"

    def prepare(self, data: Data, limits: Limits) -> Any:
        """Bin the columns; one-hot labels for the single tree."""
        import xgboost as xgb

        labels = data.y if self.per_class else np.eye(data.classes, dtype=np.float32)[data.y]
        nominal = not isinstance(data.X, np.ndarray)
        matrix = xgb.QuantileDMatrix(data.X, labels, nthread=self.threads, enable_categorical=nominal)
        return matrix, data.classes

    def train(self, native: Any, limits: Limits) -> Any:
        """Train one round."""
        import xgboost as xgb

        matrix, classes = native
        parameters: dict[str, Any] = {
            "tree_method": "hist",
            "nthread": self.threads,
            "max_depth": _required_depth(self, limits),
            "reg_lambda": 0.0,
            "verbosity": 0,
        }
        if self.per_class:
            parameters |= {"objective": "multi:softprob", "num_class": classes}
            # The hessian of a row in the first round, with equal classes, is 2 p (1 - p).
            hessian = 2 / classes * (1 - 1 / classes)
            parameters["min_child_weight"] = hessian * limits.min_samples_leaf
        else:
            parameters |= {
                "objective": "reg:squarederror",
                "multi_strategy": "multi_output_tree",
                "min_child_weight": limits.min_samples_leaf,
            }
        return xgb.train(parameters, matrix, num_boost_round=1)

    def predict(self, model: Any, X: Any) -> Any:
        """Return the class with the highest score."""
        return model.inplace_predict(X).argmax(axis=1)

    def nodes(self, model: Any) -> int | None:
        """Number of nodes over all trees."""
        learner = json.loads(model.save_raw("json"))["learner"]
        trees = learner["gradient_booster"]["model"]["trees"]
        return sum(int(tree["tree_param"]["num_nodes"]) for tree in trees)


FAMILIES: tuple[type[Contender], ...] = (Ramify, Sklearn, Ydf, LightGBM, XGBoost)


def to_spec(contender: Contender) -> dict[str, Any]:
    """Describe a contender in plain values, for JSON or another process."""
    return {"family": type(contender).__name__} | asdict(contender)


def from_spec(spec: dict[str, Any]) -> Contender:
    """Make the contender that ``to_spec`` described."""
    settings = dict(spec)
    family = settings.pop("family")
    return _kinds(Contender)[family](**settings)


def _kinds(kind: type[Contender]) -> dict[str, type[Contender]]:
    """All contenders by the names of their classes, wherever they are defined."""
    found = {kind.__name__: kind}
    for child in kind.__subclasses__():
        found |= _kinds(child)
    return found


def _required_depth(contender: Contender, limits: Limits) -> int:
    if limits.max_depth is None:
        raise ValueError(f"{contender.name} is measured with a depth limit only")
    return limits.max_depth
