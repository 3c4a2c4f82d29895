"""What a comparison found: scores fold by fold, their means, and the tests of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ramify._parameters import refuse
from ramify.experiments.comparison_json import comparison_json
from ramify.experiments.comparison_report import comparison_report
from ramify.experiments.diagram import draw_diagram
from ramify.experiments.render import render
from ramify.experiments.report import Report
from ramify.experiments.scoring import Measure
from ramify.experiments.significance import (
    FriedmanTest,
    PairedTest,
    RankTests,
    corrected_standard_error,
    corrected_t_test,
    rank_tests,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["Comparison", "Failure", "Protocol"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Protocol:
    """How models were compared: folds, repeats, the seed that dealt them, and the level of significance.

    `splitter` is the one of scikit-learn that dealt them, if one did.
    """

    cv: int
    n_repeats: int
    seed: int
    alpha: float
    splitter: str = ""


@dataclass(frozen=True)
class Failure:
    """A model that could not be scored on a data set, and why."""

    dataset: str
    model: str
    message: str

    def __str__(self) -> str:
        return f"{self.model} on {self.dataset}: {self.message}"


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Models compared on data sets; made by `compare`.

    Frames have a row for each data set and a column for each model. Attributes that end in ``_`` are of the
    first measure, methods of any.

    Attributes
    ----------
    datasets, models : tuple of str
        Their names.
    measures : tuple of Measure
        What was measured, the most important first.
    protocol : Protocol
        Folds, repeats, seed and level of significance.
    reference : str
        The model that the others are set against.
    baselines : tuple of str
        Those that are scikit-learn's `DummyClassifier`. They are scored, but not ranked: that all others beat
        them would pass for a difference among the others.
    failures_ : tuple of Failure
        Models that could not be scored on a data set; they are missing there.
    notes_ : tuple of str
        Warnings, of the data and of the models.
    settings : tuple of str
        What each model is, with the parameters that are not its defaults.
    sizes : tuple of (int, int)
        Rows and columns of the data sets.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify.experiments import compare
    >>> result = compare({"iris": load_iris(return_X_y=True)}, criteria=["gain"], qs=[1, 2], n_repeats=1)
    >>> result
    <Comparison: 2 models on 1 data set, 1 x 10 folds, accuracy and n_nodes>
    >>> result.scores_.columns.tolist()
    ['dataset', 'model', 'repeat', 'fold', 'accuracy', 'n_nodes']
    >>> result.means("n_nodes")
          gain q=1  gain q=2
    iris      16.0      16.2
    """

    datasets: tuple[str, ...]
    models: tuple[str, ...]
    measures: tuple[Measure, ...]
    protocol: Protocol
    reference: str
    baselines: tuple[str, ...]
    failures_: tuple[Failure, ...]
    notes_: tuple[str, ...]
    settings: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...]
    _scores: Floats  # measures, data sets, models, repeats, folds
    _test_shares: tuple[float, ...]
    _tests: dict[str, RankTests] = field(default_factory=dict)

    def folds(self, measure: str | None = None) -> Floats:
        """Return the scores by a measure: data sets, models, repeats, folds; NaN where there is none."""
        folds: Floats = self._scores[self._place(measure)]
        return folds

    @cached_property
    def scores_(self) -> pd.DataFrame:
        """All scores: a row for each data set, model, repeat and fold, a column for each measure."""
        import pandas as pd

        repeats, folds = range(self.protocol.n_repeats), range(self.protocol.cv)
        names = ["dataset", "model", "repeat", "fold"]
        index = pd.MultiIndex.from_product([self.datasets, self.models, repeats, folds], names=names)
        columns = {m.name: self._scores[i].ravel() for i, m in enumerate(self.measures)}
        return pd.DataFrame(columns, index=index).reset_index()

    def means(self, measure: str | None = None) -> pd.DataFrame:
        """Return the mean over all folds, by a measure."""
        return self._frame(self.folds(measure).mean(axis=(2, 3)))

    def standard_errors(self, measure: str | None = None) -> pd.DataFrame:
        """Return the standard errors of the means, corrected for the overlap of the training rows.

        They are those of Nadeau and Bengio (2003), larger than the standard deviation over the root of the
        number of folds, which takes the folds for independent.
        """
        flat = self.folds(measure).reshape(len(self.datasets), len(self.models), -1)
        errors = [
            [corrected_standard_error(of_model, share) for of_model in of_data]
            for of_data, share in zip(flat, self._test_shares, strict=True)
        ]
        return self._frame(np.array(errors))

    def tests(self, measure: str | None = None) -> RankTests:
        """Return ranks and tests across data sets, by a measure."""
        place = self._place(measure)
        chosen = self.measures[place]
        if chosen.name not in self._tests:
            ranked = [i for i, model in enumerate(self.models) if model not in self.baselines]
            if len(ranked) < 2:
                ranked = list(range(len(self.models)))
            self._tests[chosen.name] = rank_tests(
                self._scores[place].mean(axis=(2, 3))[:, ranked],
                tuple(self.models[i] for i in ranked),
                self.datasets,
                higher_is_better=chosen.higher_is_better,
                alpha=self.protocol.alpha,
            )
        return self._tests[chosen.name]

    def paired(self, a: str, b: str, dataset: str, measure: str | None = None) -> PairedTest:
        """Return the corrected resampled t-test of two models on one data set (Nadeau and Bengio 2003).

        Parameters
        ----------
        a, b : str
            The models; the difference is that of `a` less `b`.
        dataset : str
            The data set.
        measure : str, optional
            What is compared; None is the first measure.

        Returns
        -------
        PairedTest
            All NaN if one of the two has no score there.
        """
        of_data = self.folds(measure)[_find("dataset", dataset, self.datasets)]
        one, other = (of_data[_find("model", name, self.models)].ravel() for name in (a, b))
        share = self._test_shares[self.datasets.index(dataset)]
        if np.isnan(one - other).any():
            nan = float("nan")
            return PairedTest(nan, nan, nan, nan, len(one) - 1)
        return corrected_t_test(one - other, share)

    @property
    def means_(self) -> pd.DataFrame:
        """Mean scores by the first measure."""
        return self.means()

    @property
    def standard_errors_(self) -> pd.DataFrame:
        """Standard errors of `means_`, corrected for the overlap of the training rows."""
        return self.standard_errors()

    @property
    def ranks_(self) -> pd.Series[float]:
        """The mean rank of each model over the data sets, 1 the best."""
        import pandas as pd

        tests = self.tests()
        return pd.Series(tests.ranks, index=list(tests.models), name="mean rank")

    @property
    def friedman_(self) -> FriedmanTest | None:
        """Friedman's test; None if it could not be made, `tests().reasons` says why."""
        return self.tests().friedman

    @property
    def nemenyi_(self) -> pd.DataFrame | None:
        """Nemenyi's p of each pair of models, or None."""
        return self._pairs(self.tests().nemenyi)

    @property
    def wilcoxon_(self) -> pd.DataFrame | None:
        """Wilcoxon's p of each pair of models, adjusted by Holm, or None."""
        return self._pairs(self.tests().wilcoxon)

    def plot(self, measure: str | None = None, ax: Axes | None = None) -> Axes:
        """Draw the critical-difference diagram of Demsar (2006); needs matplotlib.

        Models stand at their mean ranks, the best at the left. A bar joins models that Nemenyi's test does
        not tell apart.

        Raises
        ------
        ValueError
            If that test could not be made; the text says why.
        """
        return draw_diagram(self.tests(measure), ax)

    def report(self) -> Report:
        """Return tables, diagrams and what they say in words; see `ramify.experiments.render`."""
        return comparison_report(self)

    def to_text(self) -> str:
        """Return the report as text; needs rich."""
        return render(self.report(), "text").text

    def to_markdown(self) -> str:
        """Return the report as Markdown; its diagrams are left to `plot` and `to_html`."""
        return render(comparison_report(self, diagrams=False), "markdown").text

    def to_html(self) -> str:
        """Return the report as one HTML page that needs nothing else."""
        return render(self.report(), "html").text

    def to_json(self) -> str:
        """Return all scores and tests as JSON, with sorted keys."""
        return comparison_json(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        n_data, plan = len(self.datasets), self.protocol
        data_sets = f"{n_data} data set{'s' if n_data > 1 else ''}"
        names = " and ".join(measure.name for measure in self.measures)
        told = f"{len(self.models)} models on {data_sets}, {plan.n_repeats} x {plan.cv} folds, {names}"
        return f"<Comparison: {told}{', with failures' if self.failures_ else ''}>"

    def _place(self, measure: str | None) -> int:
        names = tuple(known.name for known in self.measures)
        return 0 if measure is None else _find("measure", measure, names)

    def _frame(self, values: Floats) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(values, index=list(self.datasets), columns=list(self.models))

    def _pairs(self, values: Floats | None) -> pd.DataFrame | None:
        import pandas as pd

        names = list(self.tests().models)
        return None if values is None else pd.DataFrame(values, index=names, columns=names)


def _find(what: str, name: Any, names: tuple[str, ...]) -> int:
    if name not in names:
        raise refuse(what, name, f"one of {', '.join(map(repr, names))}")
    return names.index(name)
