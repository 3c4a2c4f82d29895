"""Types of the compiled core."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Block = tuple[NDArray[Any], int, bool]
Settings = dict[str, Any]
Answering = dict[str, Any]

class Tree:
    """A tree in the core."""

    @property
    def n_classes(self) -> int: ...
    @property
    def node_count(self) -> int: ...
    @property
    def max_depth(self) -> int: ...
    @property
    def n_leaves(self) -> int: ...
    @property
    def n_empty(self) -> int: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...
    def problem(self, n_categories: list[int]) -> str: ...
    @staticmethod
    def from_arrays(arrays: dict[str, NDArray[Any]], n_classes: int) -> Tree: ...

ScoreTables = Callable[[NDArray[np.float64]], NDArray[np.float64]]

def list_criteria() -> list[dict[str, Any]]: ...
def score_tables(
    name: str, q: float, min_support: float, tables: NDArray[np.float64]
) -> NDArray[np.float64]: ...
def entropies(q: float, counts: NDArray[np.float64]) -> NDArray[np.float64]: ...
def grow(
    blocks: list[Block],
    classes: NDArray[np.uint32],
    n_classes: int,
    weights: NDArray[np.float64] | None,
    settings: Settings,
    n_jobs: int,
) -> Tree: ...

class Coding:
    """How the values of a column become codes."""

    def __init__(
        self,
        n_categories: int = 0,
        *,
        values: NDArray[np.float64] | None = None,
        edges: NDArray[np.float64] | None = None,
        has_missing: bool = False,
    ) -> None: ...
    @property
    def nominal(self) -> bool: ...
    @property
    def has_missing(self) -> bool: ...
    @property
    def n_codes(self) -> int: ...
    @property
    def values(self) -> NDArray[np.float64]: ...
    @property
    def edges(self) -> NDArray[np.float64]: ...

Codes = list[NDArray[Any]]

def encode(
    blocks: list[Block], rows: int, codings: list[Coding], n_jobs: int
) -> tuple[Codes | None, int, int]: ...
def equal_width_edges(low: float, high: float, bins: int) -> NDArray[np.float64]: ...
def distinct(blocks: list[Block], rows: int, limit: int) -> NDArray[np.float64] | None: ...

Stretches = list[tuple[int, int]]

class KeyHistogram:
    """Numbers counted by their keys."""

    def __init__(self, stretches: Stretches | None = None) -> None: ...
    def count(self, blocks: list[Block], rows: int, weights: NDArray[np.float64] | None) -> None: ...
    def add(self, other: KeyHistogram) -> None: ...

class QuantileSearch:
    """The exact quantiles of numbers that are seen in parts."""

    def __init__(self, bins: int) -> None: ...
    def look(self, histogram: KeyHistogram) -> None: ...
    def open(self) -> Stretches: ...
    @property
    def rows_open(self) -> float: ...
    def settle(self, numbers: NDArray[np.float64], weights: NDArray[np.float64]) -> None: ...
    def edges(self) -> NDArray[np.float64]: ...

def numbers_within(
    blocks: list[Block], rows: int, weights: NDArray[np.float64] | None, stretches: Stretches
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

class Frontier:
    """Some nodes of a partial tree, and the ways to them."""

    @property
    def size(self) -> int: ...
    def count(
        self,
        codes: Codes,
        classes: NDArray[np.uint32],
        weights: NDArray[np.float64] | None,
        codings: list[Coding],
        n_classes: int,
        counts: NDArray[Any],
        n_jobs: int,
    ) -> None: ...
    def slots(
        self,
        codes: Codes,
        classes: NDArray[np.uint32],
        codings: list[Coding],
        n_classes: int,
        n_jobs: int,
    ) -> NDArray[np.int32]: ...

class FetchedRows:
    """Rows of some nodes, from anywhere."""

    def __init__(self, codings: list[Coding], sizes: list[int], weighted: bool) -> None: ...
    @property
    def complete(self) -> bool: ...
    def add(
        self,
        codes: Codes,
        classes: NDArray[np.uint32],
        weights: NDArray[np.float64] | None,
        slots: NDArray[np.int32],
        codings: list[Coding],
        n_classes: int,
    ) -> None: ...

class CountedGrowth:
    """A tree that grows from the counts of its nodes."""

    def __init__(
        self,
        settings: Settings,
        codings: list[Coding],
        totals: list[float],
        rows: int,
        unit: bool,
        whole: bool,
        smallest: float,
    ) -> None: ...
    @property
    def cells(self) -> int: ...
    @property
    def real(self) -> bool: ...
    @property
    def unit(self) -> bool: ...
    @property
    def open(self) -> list[int]: ...
    @property
    def node_count(self) -> int: ...
    @property
    def n_rows(self) -> NDArray[np.int64]: ...
    @property
    def parent(self) -> NDArray[np.int32]: ...
    @property
    def first_child(self) -> NDArray[np.int32]: ...
    @property
    def n_children(self) -> NDArray[np.int32]: ...
    def frontier(self, nodes: list[int]) -> Frontier: ...
    def split(self, nodes: list[int], counts: list[NDArray[Any]], n_jobs: int) -> None: ...
    def grow_below(self, nodes: list[int], rows: FetchedRows, n_jobs: int) -> None: ...
    def state(self) -> tuple[Tree, list[int]]: ...
    def restore(self, tree: Tree, open: list[int]) -> None: ...
    def finished(self) -> Tree: ...

class Path:
    """Rows from which the trees of many orders are grown at once."""

    def __init__(self, blocks: list[Block], classes: NDArray[np.uint32], n_classes: int) -> None: ...
    def takes_some_rows(self, settings: Settings) -> bool: ...
    def trees(
        self,
        rows: NDArray[np.uint32],
        weights: NDArray[np.float64] | None,
        settings: Settings,
        qs: NDArray[np.float64],
        every: bool,
        n_jobs: int,
    ) -> tuple[list[Tree], NDArray[np.uint32]]: ...
    def evaluate(
        self,
        train: list[NDArray[np.uint32]],
        test: list[NDArray[np.uint32]],
        weights: list[NDArray[np.float64] | None],
        test_weights: NDArray[np.float64] | None,
        settings: list[Settings],
        qs: NDArray[np.float64],
        answering: list[Answering],
        n_jobs: int,
    ) -> dict[str, NDArray[np.float64]]: ...

def apply(tree: Tree, blocks: list[Block], rows: int, n_jobs: int) -> NDArray[np.int32]: ...
def spread(
    tree: Tree,
    blocks: list[Block],
    rows: int,
    values: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    n_jobs: int,
) -> NDArray[np.float64] | None: ...
def paths(tree: Tree, blocks: list[Block], rows: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
def honest_counts(counts: NDArray[np.float64], answering: Answering) -> NDArray[np.float64]: ...
def honest_shares(counts: NDArray[np.float64], answering: Answering) -> NDArray[np.float64]: ...
def voting_shares(counts: NDArray[np.float64], answering: Answering) -> NDArray[np.float64]: ...
def votes(shares: NDArray[np.float64], answering: Answering) -> NDArray[np.int64]: ...
def not_finite(block: Block) -> list[int]: ...
def fingerprint(blocks: list[Block], classes: NDArray[np.uint32], n_jobs: int) -> list[int]: ...
def collapse(tree: Tree, n_categories: list[int]) -> Tree: ...
def prune_pessimistic(
    tree: Tree, n_categories: list[int], confidence: float, z: float | None, collapse: bool
) -> Tree: ...
def prune_raising(
    tree: Tree,
    blocks: list[Block],
    classes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    confidence: float,
    z: float | None,
    collapse: bool,
    q: float,
) -> Tree: ...
def prune_reduced_error(
    tree: Tree,
    blocks: list[Block],
    classes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    answers: NDArray[np.uint32] | None = None,
) -> Tree: ...
def prune_cost_complexity(tree: Tree, n_categories: list[int], alpha: float) -> Tree: ...
def cost_complexity_path(tree: Tree, n_categories: list[int]) -> dict[str, NDArray[Any]]: ...
def validated_path(
    tree: Tree,
    blocks: list[Block],
    classes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    answers: NDArray[np.uint32] | None = None,
) -> dict[str, NDArray[Any]]: ...
def merge_leaves(
    tree: Tree,
    n_categories: list[int],
    q: float,
    answers: NDArray[np.uint32] | None = None,
    join: bool = True,
) -> Tree: ...
def added_errors(weight: float, wrong: float, confidence: float, z: float | None = None) -> float: ...
def normal_quantile(probability: float) -> float: ...
