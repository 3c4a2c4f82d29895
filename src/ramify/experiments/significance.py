"""What scores on several data sets say of models: ranks, and the tests that compare them.

Two sorts of evidence are kept apart. Across data sets, each data set counts once, by the mean of its folds:
Friedman's test and Nemenyi's, and Wilcoxon's for pairs (Demsar 2006). Within one data set the folds are the
cases, and they overlap: the t-test of Nadeau and Bengio (2003) makes up for that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Data sets below which no test across them is made: Wilcoxon's could not fall below 0.1 by any result.
FEWEST = 5

#: Decimals by which mean scores are told apart: what differs less differs by rounding only.
_DECIMALS = 12


@dataclass(frozen=True)
class PairedTest:
    """The t-test of Nadeau and Bengio (2003) for two models on one data set.

    Attributes
    ----------
    difference : float
        The mean over the folds of the first model's score minus the second's.
    standard_error : float
        Of the difference, corrected for the overlap of the training rows.
    statistic, pvalue : float
        t, and its two-sided probability if there were no difference. A difference that is the same in every
        fold has no standard error: then p is 1 if it is zero, else 0.
    degrees_of_freedom : int
        One less than there are folds.
    """

    difference: float
    standard_error: float
    statistic: float
    pvalue: float
    degrees_of_freedom: int


@dataclass(frozen=True)
class FriedmanTest:
    """Friedman's test of equal mean ranks.

    Attributes
    ----------
    statistic, pvalue : float
        Chi-square with as many degrees of freedom as models less one, corrected for ties.
    f_statistic, f_pvalue : float
        The same by Iman and Davenport (1980), which is less conservative.
    """

    statistic: float
    pvalue: float
    f_statistic: float
    f_pvalue: float


@dataclass(frozen=True, eq=False)
class RankTests:
    """The tests across data sets by one measure.

    Attributes
    ----------
    models, datasets : tuple of str
        Those that the tests are of: models with a score, and data sets with a score of every one of them.
    ranks : ndarray
        The mean rank of each model, 1 the best; equal scores share their ranks.
    friedman : FriedmanTest or None
        None if it could not be made; `reasons` says why, and so for the others.
    nemenyi : ndarray or None
        p of each pair.
    critical_difference : float or None
        Mean ranks that differ by less may do so by chance (Nemenyi, at `alpha`).
    wilcoxon_raw, wilcoxon : ndarray or None
        p of each pair by the signed ranks of Wilcoxon, and the same adjusted by Holm for the number of pairs.
    reasons : dict of str to str
        Which test was not made, and why.
    alpha : float
        The level of significance.
    """

    models: tuple[str, ...]
    datasets: tuple[str, ...]
    ranks: Floats
    friedman: FriedmanTest | None
    nemenyi: Floats | None
    critical_difference: float | None
    wilcoxon_raw: Floats | None
    wilcoxon: Floats | None
    alpha: float
    reasons: dict[str, str] = field(default_factory=dict)

    @property
    def least_wilcoxon(self) -> float:
        """The smallest adjusted p that Wilcoxon's test can give with so many data sets and pairs."""
        pairs = len(self.models) * (len(self.models) - 1) // 2
        return float(min(1.0, pairs * 2.0 ** (1 - len(self.datasets))))


def corrected_standard_error(of_folds: Floats, test_share: float) -> float:
    """Return the standard error of a mean over folds whose training rows overlap (Nadeau and Bengio 2003).

    The variance of the folds is multiplied by 1 / n + test / train instead of 1 / n alone.

    Parameters
    ----------
    of_folds : ndarray, shape (folds,)
        One value a fold, of all repeats.
    test_share : float
        Test rows for each training row, 1 / (k - 1) for k folds.

    Examples
    --------
    >>> import numpy as np
    >>> round(corrected_standard_error(np.array([0.9, 0.8, 0.7]), 0.5), 4)
    0.0913
    """
    if len(of_folds) < 2:
        return float("nan")
    return float(np.sqrt((1.0 / len(of_folds) + test_share) * of_folds.var(ddof=1)))


def corrected_t_test(differences: Floats, test_share: float) -> PairedTest:
    """Return the corrected resampled t-test of some paired differences, one a fold.

    Parameters
    ----------
    differences : ndarray, shape (folds,)
        The score of one model minus that of another, on the same folds.
    test_share : float
        Test rows for each training row, 1 / (k - 1) for k folds.

    Examples
    --------
    >>> import numpy as np
    >>> test = corrected_t_test(np.array([0.02, 0.01, 0.03, 0.00]), 1 / 3)
    >>> round(test.statistic, 3), round(test.pvalue, 3)
    (1.521, 0.226)
    """
    from scipy import stats

    mean = float(differences.mean())
    freedom = len(differences) - 1
    if np.ptp(differences) <= 10.0**-_DECIMALS:  # the rounding of equal differences is no variance
        same = abs(mean) <= 10.0**-_DECIMALS
        statistic = 0.0 if same else float(np.copysign(np.inf, mean))
        return PairedTest(mean, 0.0, statistic, float(same), freedom)
    error = corrected_standard_error(differences, test_share)
    statistic = mean / error
    return PairedTest(mean, error, statistic, float(2.0 * stats.t.sf(abs(statistic), freedom)), freedom)


def rank_tests(
    scores: Floats,
    models: tuple[str, ...],
    datasets: tuple[str, ...],
    *,
    higher_is_better: bool = True,
    alpha: float = 0.05,
) -> RankTests:
    """Compare models by their scores on several data sets.

    Models without any score, and then data sets without a score of every other model, are left out.

    Parameters
    ----------
    scores : ndarray, shape (data sets, models)
        One score each, NaN where there is none.
    models, datasets : tuple of str
        Their names.
    higher_is_better : bool
        Whether a higher score is the better one.
    alpha : float
        The level of significance.

    Returns
    -------
    RankTests
    """
    scored: NDArray[np.bool_] = np.asarray(~np.isnan(scores).all(axis=0))
    complete: NDArray[np.bool_] = np.asarray(~np.isnan(scores[:, scored]).any(axis=1) & scored.any())
    table = scores[np.ix_(complete, scored)].round(_DECIMALS)
    table = -table if higher_is_better else table  # the lowest is the best from here on
    known = tuple(name for name, kept in zip(models, scored, strict=True) if kept)
    used = tuple(name for name, kept in zip(datasets, complete, strict=True) if kept)
    reasons = _reasons(table)
    found: dict[str, Any] = dict.fromkeys(
        ("friedman", "nemenyi", "critical_difference", "wilcoxon_raw", "wilcoxon")
    )
    if "friedman" not in reasons:
        found["friedman"] = _friedman(table)
    if "nemenyi" not in reasons:
        found["nemenyi"] = _nemenyi(table)
        found["critical_difference"] = _critical_difference(len(table), len(known), alpha)
    if "wilcoxon" not in reasons:
        found["wilcoxon_raw"], found["wilcoxon"] = _wilcoxon(table, None), _wilcoxon(table, "holm")
    return RankTests(known, used, _mean_ranks(table), alpha=alpha, reasons=reasons, **found)


def _reasons(table: Floats) -> dict[str, str]:
    """Return which tests can't be made of a table, and why."""
    n_datasets, n_models = table.shape
    every = ("friedman", "nemenyi", "wilcoxon")
    if n_models < 2:
        return dict.fromkeys(every, "There are no two models to compare.")
    if n_datasets < FEWEST:
        have = "no data set has" if n_datasets == 0 else "one data set has"
        have = have if n_datasets < 2 else f"only {n_datasets} data sets have"
        return dict.fromkeys(
            every,
            f"{have[0].upper()}{have[1:]} a score of every model; a test across data sets needs {FEWEST}.",
        )
    if (np.ptp(table, axis=1) == 0).all():
        return dict.fromkeys(every, "All models have the same score on every data set: nothing to test.")
    if n_models == 2:
        two = "Two models are compared by Wilcoxon's test alone; this one is for three or more."
        return dict.fromkeys(("friedman", "nemenyi"), two)
    return {}


def _mean_ranks(table: Floats) -> Floats:
    from scipy import stats

    if not table.size:
        return np.full(table.shape[1], np.nan)
    ranks: Floats = stats.rankdata(table, axis=1).mean(axis=0)
    return ranks


def _friedman(table: Floats) -> FriedmanTest:
    from scipy import stats

    statistic, pvalue = map(float, stats.friedmanchisquare(*table.T))
    return FriedmanTest(statistic, pvalue, *iman_davenport(statistic, *table.shape))


def iman_davenport(statistic: float, n_datasets: int, n_models: int) -> tuple[float, float]:
    """Return F and its p for Friedman's chi-square (Iman and Davenport 1980).

    Examples
    --------
    >>> f, p = iman_davenport(9.28, 14, 4)  # the example of Demsar (2006)
    >>> round(f, 2), round(p, 3)
    (3.69, 0.02)
    """
    from scipy import stats

    rest = n_datasets * (n_models - 1) - statistic
    # Nothing is left of the variance where every data set ranks the models alike.
    f = (n_datasets - 1) * statistic / rest if rest > 1e-9 else float("inf")
    return f, float(stats.f.sf(f, n_models - 1, (n_models - 1) * (n_datasets - 1)))


def _nemenyi(table: Floats) -> Floats:
    import scikit_posthocs

    return np.asarray(scikit_posthocs.posthoc_nemenyi_friedman(table), dtype=np.float64)


def _critical_difference(n_datasets: int, n_models: int, alpha: float) -> float:
    from scipy import stats

    reach = stats.studentized_range.ppf(1.0 - alpha, n_models, np.inf) / np.sqrt(2.0)
    return float(reach * np.sqrt(n_models * (n_models + 1) / (6.0 * n_datasets)))


def _wilcoxon(table: Floats, adjust: str | None) -> Floats:
    """Return p of each pair; differences of zero count half for either side, as Demsar (2006) advises."""
    import scikit_posthocs

    columns = list(table.T)
    found = scikit_posthocs.posthoc_wilcoxon(columns, zero_method="zsplit", p_adjust=adjust)
    return np.asarray(found, dtype=np.float64)
