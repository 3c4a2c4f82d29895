"""The tests of significance, against their definitions, scipy and published values."""

import math

import numpy as np
import pytest
import scikit_posthocs
from scipy import stats

from ramify.experiments.significance import (
    FEWEST,
    corrected_standard_error,
    corrected_t_test,
    iman_davenport,
    rank_tests,
)

#: AUC of C4.5 without and with a tuned least number of cases on 14 data sets: Demsar (2006), Table 2.
C45 = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957]
C45_M = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978]


def names(n, letter):
    return tuple(f"{letter}{i}" for i in range(n))


def judge(table, **options):
    table = np.asarray(table, dtype=float)
    return rank_tests(table, names(table.shape[1], "m"), names(table.shape[0], "d"), **options)


@pytest.fixture(params=[(8, 3, 0), (14, 4, 1), (30, 6, 2)], ids=lambda p: f"{p[0]}x{p[1]}")
def table(request):
    rows, columns, seed = request.param
    return np.random.default_rng(seed).normal(size=(rows, columns)) + np.linspace(0, 0.7, columns)


def corrected_t_by_definition(differences, train, test):
    n = len(differences)
    mean = math.fsum(differences) / n
    variance = math.fsum((d - mean) ** 2 for d in differences) / (n - 1)
    return mean / math.sqrt((1 / n + test / train) * variance)


@pytest.mark.parametrize("folds", [2, 5, 10])
@pytest.mark.parametrize("repeats", [1, 3])
def test_corrected_t_is_its_definition(folds, repeats):
    differences = np.random.default_rng(folds).normal(0.01, 0.05, folds * repeats)
    found = corrected_t_test(differences, 1 / (folds - 1))
    t = corrected_t_by_definition(differences.tolist(), folds - 1, 1)
    assert found.statistic == pytest.approx(t, rel=1e-12)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(t), folds * repeats - 1), rel=1e-9)
    assert found.degrees_of_freedom == folds * repeats - 1
    assert found.difference / found.standard_error == pytest.approx(t, rel=1e-12)


def test_without_overlap_it_is_students():
    differences = np.random.default_rng(3).normal(0.2, 1.0, 12)
    found, plain = corrected_t_test(differences, 0.0), stats.ttest_1samp(differences, 0.0)
    assert (found.statistic, found.pvalue) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-12)


def test_overlap_makes_it_more_careful():
    # 10 times 10 folds: the variance counts (1/100 + 1/9) instead of 1/100, so t is 3.48 times smaller.
    differences = np.random.default_rng(4).normal(0.01, 0.05, 100)
    plain, found = corrected_t_test(differences, 0.0), corrected_t_test(differences, 1 / 9)
    assert plain.statistic / found.statistic == pytest.approx(math.sqrt((1 / 100 + 1 / 9) * 100))
    assert found.pvalue > plain.pvalue


def test_a_difference_without_variance():
    same = corrected_t_test(np.zeros(10), 1 / 9)
    assert (same.pvalue, same.statistic, same.standard_error) == (1.0, 0.0, 0.0)
    always = corrected_t_test(np.full(10, -0.1), 1 / 9)
    assert (always.pvalue, always.statistic) == (0.0, -math.inf)
    rounded = corrected_t_test(np.array([0.3, 0.1 + 0.2, 0.3]) - 0.3, 0.5)
    assert rounded.pvalue == 1.0


def test_one_fold_has_no_standard_error():
    assert math.isnan(corrected_standard_error(np.array([0.5]), 0.1))


def test_friedman_is_scipys_and_its_definition(table):
    found = judge(table).friedman
    n, k = table.shape
    assert (found.statistic, found.pvalue) == pytest.approx(tuple(stats.friedmanchisquare(*table.T)))
    ranks = np.array([stats.rankdata(-row) for row in table]).mean(axis=0)
    by_hand = 12 * n / (k * (k + 1)) * ((ranks**2).sum() - k * (k + 1) ** 2 / 4)  # there are no ties
    assert found.statistic == pytest.approx(by_hand)
    assert found.f_statistic == pytest.approx((n - 1) * by_hand / (n * (k - 1) - by_hand))


def test_iman_davenport_of_demsar():
    f, p = iman_davenport(9.28, 14, 4)
    assert f == pytest.approx(3.69, abs=0.005)
    assert f > stats.f.ppf(0.95, 3, 39) == pytest.approx(2.85, abs=0.005)
    assert p < 0.05


def test_ranks(table):
    np.testing.assert_allclose(
        judge(table).ranks, np.array([stats.rankdata(-row) for row in table]).mean(axis=0)
    )
    np.testing.assert_allclose(
        judge(table, higher_is_better=False).ranks,
        np.array([stats.rankdata(r) for r in table]).mean(axis=0),
    )


def test_nemenyi_is_that_of_scikit_posthocs(table):
    found = judge(table)
    np.testing.assert_allclose(found.nemenyi, scikit_posthocs.posthoc_nemenyi_friedman(table), atol=1e-9)
    apart = np.abs(found.ranks[:, None] - found.ranks) > found.critical_difference
    np.testing.assert_array_equal(found.nemenyi < 0.05, apart)


@pytest.mark.parametrize(
    ("alpha", "models", "value"),
    [(0.05, 3, 2.343), (0.05, 4, 2.569), (0.05, 5, 2.728), (0.05, 10, 3.164), (0.10, 4, 2.291)],
)
def test_critical_values_of_demsar(alpha, models, value):
    """Table 5(a) of Demsar (2006): the studentized range over the root of 2."""
    rng = np.random.default_rng(0)
    found = judge(rng.normal(size=(14, models)), alpha=alpha).critical_difference
    assert found / math.sqrt(models * (models + 1) / (6 * 14)) == pytest.approx(value, abs=0.0011)


def test_wilcoxon_of_demsar():
    """R+ = 93, R- = 12, z = -2.54 for 14 data sets, two of them without a difference."""
    pair = np.column_stack([C45, C45_M])
    found = judge(pair)
    assert stats.wilcoxon(*pair.T, zero_method="zsplit").statistic == 12
    assert found.wilcoxon[0, 1] == pytest.approx(2 * stats.norm.sf(2.54), abs=0.0005)
    assert found.ranks[1] < found.ranks[0]


def holm(ps):
    """Each p times the number of those that are not smaller, never below the one before."""
    adjusted, least = [0.0] * len(ps), 0.0
    for i, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, (len(ps) - i) * ps[place]))
        adjusted[place] = least
    return adjusted


def test_wilcoxon_is_scipys_with_holm(table):
    found = judge(table)
    upper = np.triu_indices(table.shape[1], 1)
    ps = [
        stats.wilcoxon(table[:, i], table[:, j], zero_method="zsplit").pvalue
        for i, j in zip(*upper, strict=True)
    ]
    np.testing.assert_allclose(found.wilcoxon_raw[upper], ps)
    np.testing.assert_allclose(found.wilcoxon[upper], holm(ps))
    np.testing.assert_array_equal(found.wilcoxon, found.wilcoxon.T)


def test_the_least_p_of_wilcoxon():
    best = np.arange(FEWEST * 3.0).reshape(FEWEST, 3) + 0.5 * np.arange(FEWEST)[:, None] ** 2 * [[0, 1, 3]]
    found = judge(best)
    off = found.wilcoxon[np.triu_indices(3, 1)]
    assert found.least_wilcoxon == pytest.approx(3 * 2 / 2**FEWEST)
    assert off.min() >= found.least_wilcoxon - 1e-12


def test_perfect_agreement():
    found = judge(np.arange(24.0).reshape(6, 4)).friedman
    assert found.f_statistic == math.inf
    assert found.f_pvalue == 0.0


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (np.ones((8, 3)), "the same score on every data set"),
        (np.zeros((8, 1)), "no two models"),
        (np.eye(FEWEST)[: FEWEST - 1], f"needs {FEWEST}"),
        (np.eye(3)[:1], "One data set"),
        (np.where(np.eye(3), np.nan, 1.0), "No data set has"),
        (np.full((4, 3), np.nan), "no two models"),
    ],
    ids=["all equal", "one model", "too few", "one", "no complete row", "no scores"],
)
def test_what_can_not_be_tested_is_said(table, text):
    found = judge(table)
    assert found.friedman is found.nemenyi is found.wilcoxon is found.critical_difference is None
    assert set(found.reasons) == {"friedman", "nemenyi", "wilcoxon"}
    assert all(text in reason for reason in found.reasons.values())


def test_two_models_have_wilcoxon_alone():
    found = judge(np.random.default_rng(0).normal(size=(9, 2)))
    assert found.friedman is found.nemenyi is None
    assert found.wilcoxon.shape == (2, 2)
    assert "Wilcoxon's test alone" in found.reasons["friedman"]


def test_two_equal_models_among_others():
    table = np.random.default_rng(0).normal(size=(9, 3))
    table[:, 1] = table[:, 0]
    found = judge(table)
    assert found.wilcoxon_raw[0, 1] == found.nemenyi[0, 1] == 1.0
    assert np.isfinite(found.wilcoxon).all()


def test_only_complete_rows_are_used(table):
    holes = np.vstack([table, np.zeros(table.shape[1])])
    holes[-1, 0] = np.nan
    holes = np.column_stack([holes, np.full(len(holes), np.nan)])
    found, plain = judge(holes), judge(table)
    assert found.datasets == plain.datasets
    assert found.models == plain.models
    assert found.friedman == plain.friedman
    np.testing.assert_array_equal(found.wilcoxon, plain.wilcoxon)


def test_rounding_makes_no_ranks():
    table = np.tile([0.3, 0.1 + 0.2, 0.3], (6, 1))
    assert judge(table).ranks.tolist() == [2.0, 2.0, 2.0]
