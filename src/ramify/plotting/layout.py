"""Where the nodes of a drawn tree go: Reingold and Tilford's rules in Buchheim's linear time.

Parents stand in the middle of their first and last child, no two nodes of a level come closer than their
sizes and the gap ask for, subtrees of one shape are drawn alike, and small subtrees between large ones are
spread out. C. Buchheim, M. Jünger and S. Leipert: Improving Walker's algorithm to run in linear time (2002).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def breadths(children: Sequence[Sequence[int]], sizes: Sequence[float], gap: float) -> NDArray[np.float64]:
    """Return the place of each node's middle across the direction in which the tree grows.

    Parameters
    ----------
    children : sequence of sequences of int
        The children of each node in order; node 0 is the root, and children have higher numbers than their
        parents.
    sizes : sequence of float
        How wide each node is.
    gap : float
        The least distance of two nodes of a level; nodes of different parents are half as far again apart.

    Returns
    -------
    ndarray
        The least edge of all nodes is at 0.

    Examples
    --------
    >>> from ramify.plotting.layout import breadths
    >>> breadths([[1, 2], [], []], [1.0, 1.0, 1.0], gap=0.5)
    array([1.25, 0.5 , 2.  ])
    """
    walk = _Walk(children, sizes, gap)
    # Children have higher numbers: this is from the leaves up, without recursion, which deep trees forbid.
    for node in range(len(children) - 1, -1, -1):
        walk.place_children(node)
    middles = np.zeros(len(children))
    shifts = np.zeros(len(children))
    for node, below in enumerate(children):
        for child in below:
            shifts[child] = shifts[node] + walk.shift_below[node]
            middles[child] = walk.preliminary[child] + shifts[child]
    middles[0] = walk.middle[0]
    edges = middles - np.asarray(sizes) / 2.0
    moved: NDArray[np.float64] = middles - edges.min()
    return moved


class _Walk:
    """The first walk of the algorithm; the names are those of the paper where it has some."""

    def __init__(self, children: Sequence[Sequence[int]], sizes: Sequence[float], gap: float) -> None:
        size = len(children)
        self.children = children
        self.sizes = sizes
        self.gap = gap
        self.preliminary = [0.0] * size
        self.shift_below = [0.0] * size  # what is added to all nodes below: the paper's mod
        self.middle = [0.0] * size  # of the children of a node, before it is placed itself
        self.thread: list[int | None] = [None] * size
        self.ancestor = list(range(size))
        self.shift = [0.0] * size
        self.change = [0.0] * size
        self.parent = [-1] * size
        self.number = [0] * size
        for node, below in enumerate(children):
            for place, child in enumerate(below):
                self.parent[child], self.number[child] = node, place

    def place_children(self, node: int) -> None:
        """Place the children of a node, whose own subtrees are finished, beside each other."""
        below = self.children[node]
        if not below:
            return
        default = below[0]
        for place, child in enumerate(below):
            if place == 0:
                self.preliminary[child] = self.middle[child]
            else:
                left = below[place - 1]
                self.preliminary[child] = self.preliminary[left] + self._distance(left, child)
                self.shift_below[child] = self.preliminary[child] - self.middle[child]
                default = self._apportion(child, left, below[0], default)
        shift = change = 0.0
        for child in reversed(below):
            self.preliminary[child] += shift
            self.shift_below[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change
        self.middle[node] = (self.preliminary[below[0]] + self.preliminary[below[-1]]) / 2.0

    def _distance(self, left: int, right: int) -> float:
        gap = self.gap if self.parent[left] == self.parent[right] else 1.5 * self.gap
        return (self.sizes[left] + self.sizes[right]) / 2.0 + gap

    def _next_left(self, node: int) -> int | None:
        return self.children[node][0] if self.children[node] else self.thread[node]

    def _next_right(self, node: int) -> int | None:
        return self.children[node][-1] if self.children[node] else self.thread[node]

    def _apportion(self, node: int, left: int, first: int, default: int) -> int:
        """Push a subtree away from those to its left, and spread the ones between."""
        inner_right = outer_right = node
        inner_left, outer_left = left, first
        s_inner_right = s_outer_right = self.shift_below[node]
        s_inner_left, s_outer_left = self.shift_below[inner_left], self.shift_below[outer_left]
        next_inner_left, next_inner_right = self._next_right(inner_left), self._next_left(inner_right)
        while next_inner_left is not None and next_inner_right is not None:
            inner_left, inner_right = next_inner_left, next_inner_right
            outer_left = _there(self._next_left(outer_left))
            outer_right = _there(self._next_right(outer_right))
            self.ancestor[outer_right] = node
            shift = (
                self.preliminary[inner_left]
                + s_inner_left
                - (self.preliminary[inner_right] + s_inner_right)
                + self._distance(inner_left, inner_right)
            )
            if shift > 0:
                moving = self.ancestor[inner_left]
                above = moving if self.parent[moving] == self.parent[node] else default
                self._move(above, node, shift)
                s_inner_right += shift
                s_outer_right += shift
            s_inner_left += self.shift_below[inner_left]
            s_inner_right += self.shift_below[inner_right]
            s_outer_left += self.shift_below[outer_left]
            s_outer_right += self.shift_below[outer_right]
            next_inner_left, next_inner_right = self._next_right(inner_left), self._next_left(inner_right)
        if next_inner_left is not None and self._next_right(outer_right) is None:
            self.thread[outer_right] = next_inner_left
            self.shift_below[outer_right] += s_inner_left - s_outer_right
        if next_inner_right is not None and self._next_left(outer_left) is None:
            self.thread[outer_left] = next_inner_right
            self.shift_below[outer_left] += s_inner_right - s_outer_left
            default = node
        return default

    def _move(self, left: int, right: int, shift: float) -> None:
        between = self.number[right] - self.number[left]
        self.change[right] -= shift / between
        self.shift[right] += shift
        self.change[left] += shift / between
        self.preliminary[right] += shift
        self.shift_below[right] += shift


def _there(node: int | None) -> int:
    """Return a node of an outer contour, which is as long as the inner one by the algorithm's invariant."""
    assert node is not None
    return node
