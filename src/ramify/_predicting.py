"""Predicting: from new rows to nodes, shares and classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify._answers import Answers
from ramify._encoding import Blocks, check_columns, encode
from ramify._parameters import MISSING, UNKNOWN, check_choice, check_jobs
from ramify._table import read_table
from ramify.schema import Schema
from ramify.sources._predict import answer, is_parted
from ramify.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Predicting:
    """What a fitted classifier does with new rows: `TreeClassifier` is one."""

    handle_unknown: str
    missing: str
    n_jobs: int | None
    schema_: Schema
    tree_: Tree
    classes_: NDArray[Any]
    _answers: Answers

    def _encode(self, X: Any) -> tuple[Blocks, int]:
        check_is_fitted(self, "tree_")
        check_choice("handle_unknown", self.handle_unknown, UNKNOWN)
        check_choice("missing", self.missing, MISSING)
        table = read_table(X, self)
        check_columns(table, self.schema_, type(self).__name__)
        return encode(table, self.schema_.columns, self.handle_unknown, self.missing), table.n_rows

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the node in which each row ends.

        It is a leaf, unless the row has a category that its node has no branch for, or with
        ``missing="own_branch"`` a missing value where none was missing in training: then it is that
        node. A row with missing values may go down several branches; then it is the end that takes the
        most of it, the first such node on a tie.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data.

        Returns
        -------
        ndarray of int32, shape (rows,)

        Examples
        --------
        >>> from ramify import TreeClassifier
        >>> model = TreeClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
        >>> model.apply([[1.2], [9.0]])
        array([1, 2], dtype=int32)
        """
        blocks, rows = self._encode(X)
        return _core.apply(self.tree_.core, blocks, rows, check_jobs(self.n_jobs))

    def decision_path(self, X: Any) -> csr_matrix:
        """Return the nodes that each row passes, as a matrix of rows by nodes.

        A row with missing values may pass the nodes of several branches.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data.

        Returns
        -------
        csr_matrix, shape (rows, node_count)
            1 where the row passes the node.
        """
        from scipy.sparse import csr_matrix

        blocks, rows = self._encode(X)
        starts, nodes = _core.paths(self.tree_.core, blocks, rows)
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, starts), shape=(len(starts) - 1, self.tree_.node_count))

    def _spread(
        self,
        blocks: Blocks,
        rows: int,
        of_nodes: NDArray[np.float64],
        weights: NDArray[np.float64] | None = None,
    ) -> tuple[NDArray[np.int32] | None, NDArray[np.float64]]:
        """Return the end of each row and what belongs to it; no ends where rows go down in parts."""
        n_jobs = check_jobs(self.n_jobs)
        if any(missing for _, _, missing in blocks):
            in_parts = _core.spread(self.tree_.core, blocks, rows, of_nodes, weights, n_jobs)
            if in_parts is not None:
                return None, in_parts
        ends = _core.apply(self.tree_.core, blocks, rows, n_jobs)
        return ends, of_nodes

    def _votes(self, blocks: Blocks, rows: int) -> NDArray[np.int64]:
        """Return the class numbers that encoded rows get."""
        ends, shares = self._spread(blocks, rows, self._answers.vote_shares)
        return self._answers.vote(shares) if ends is None else self._answers.votes[ends]

    def predict(self, X: Any) -> Any:
        """Predict the class of each row: the most frequent where it ends, the first in order on a tie.

        With a `cost_matrix` it is the class of the least expected cost.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data. Or a source of files, which is answered a batch at a
            time, or a Dask or Spark frame, which is answered lazily.

        Returns
        -------
        ndarray, shape (rows,)
            For a Dask frame a lazy series, for a Spark frame that frame with one more column,
            ``prediction``.
        """
        if is_parted(X):
            check_is_fitted(self, "tree_")
            return answer(self, "predict", X)
        votes = self._votes(*self._encode(X))
        answers: NDArray[Any] = self.classes_[votes]
        return answers

    def predict_proba(self, X: Any) -> Any:
        """Predict the share of each class in the node where a row ends.

        Of a row that ends in several nodes it is their mean, weighted by the parts. Class weights are
        taken out again, so that the shares are those of the training cases.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data. Or a source of files, or a Dask or Spark frame, as in
            `predict`.

        Returns
        -------
        ndarray, shape (rows, n_classes_)
            Columns in the order of `classes_`. For a Dask frame a lazy frame, for a Spark frame that frame
            with one more column, ``probability``.
        """
        if is_parted(X):
            check_is_fitted(self, "tree_")
            return answer(self, "predict_proba", X)
        ends, shares = self._spread(*self._encode(X), self._answers.shares, self._answers.part_weights)
        # Parts may add up to a rounding more than 1, at which scikit-learn's log_loss takes offence.
        return np.minimum(shares, 1.0) if ends is None else shares[ends]

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the logarithms of the class shares; minus infinity where a share is 0.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data.

        Returns
        -------
        ndarray, shape (rows, n_classes_)
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms
