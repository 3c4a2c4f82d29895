"""Results as tables."""

from __future__ import annotations

from statistics import median
from typing import Any

from . import ratios
from .contenders import Contender, Ramify
from .suites import Suite
from .tables import Table, duration, size
from .timing import Measurement, Result

NONE = "-"


def machine_table(machine: dict[str, Any], settings: dict[str, Any]) -> Table:
    """Describe where the run happens, with what, and how hard it tries."""
    memory = machine["memory_bytes"]
    load = machine["load_before"]
    rows = [
        ["date", machine["date"]],
        ["cpu", f"{machine['cpu']}, {machine['cores']} cores ({machine['cores_usable']} usable)"],
        ["memory", NONE if memory is None else size(memory)],
        ["load before", NONE if load is None else " ".join(f"{x:.2f}" for x in load)],
        ["system", machine["system"]],
        ["python", machine["python"]],
        ["revision", machine["revision"] or NONE],
        *[[name, version] for name, version in machine["versions"].items()],
        ["repeats", f"{settings['repeats']}, fewer after {settings['budget']:g} s in one case"],
    ]
    table = Table("Machine and versions", ["", ""], rows, left=2)
    if settings["quick"]:
        table.notes.append("Quick run: small data. It shows that everything works, not how fast.")
    return table


def who(contender: Contender) -> str:
    """Name a contender with its threads."""
    return f"{contender.name}, {contender.threads}T"


def case_table(suite: Suite, result: Result) -> Table:
    """Show a case: one row per contender."""
    if result.case.operation == "memory":
        return _memory_table(suite, result)
    case = result.case
    fit = case.operation != "predict"
    heads = ["contender", "threads", "median", "min", "spread", "repeats", "nodes"]
    heads.append("dataset" if fit else "rows/s")
    heads += [f"x {who(reference)}" for reference in case.references]
    table = Table(f"{suite.name}: {case.label}", heads)
    for m in result.measurements:
        start = [m.contender.name, str(m.contender.threads)]
        if not m.samples:
            table.rows.append([*start, *[NONE] * (len(heads) - 2)])
        else:
            table.rows.append([*start, *_timing_cells(m, result)])
    _add_notes(table, result)
    same = ratios.same_tree(result)
    if case.same_tree and same is not None:
        table.notes.append(f"same tree for every number of threads: {'yes' if same else 'NO'}")
    return table


def _timing_cells(m: Measurement, result: Result) -> list[str]:
    seconds = m.seconds
    middle, wide = median(seconds), ratios.spread(seconds)
    repeats = f"{len(seconds)}" if m.loops == 1 else f"{len(seconds)} x {m.loops}"
    cells = [
        duration(middle),
        duration(min(seconds)),
        NONE if wide is None else f"{wide:.0%}",
        repeats,
        NONE if m.nodes is None else f"{m.nodes:,}",
    ]
    if result.case.operation != "predict":
        preparing = median(s.preparing for s in m.samples)
        cells.append(f"{preparing / middle:.0%}" if preparing > 0.005 * middle else NONE)
    else:
        cells.append(f"{result.rows / middle:,.0f}")
    return cells + [_ratio_text(ratios.speed(m, result.of(other))) for other in result.case.references]


def _ratio_text(ratio: ratios.Ratio | None) -> str:
    return NONE if ratio is None else f"{ratio.median:.3g}"


def _memory_table(suite: Suite, result: Result) -> Table:
    heads = ["contender", "threads", "bytes per cell", "extra", "returned", "before", "nodes", "seconds"]
    table = Table(f"{suite.name}: {result.case.label}", heads)
    for m in result.measurements:
        row = [m.contender.name, str(m.contender.threads)]
        if m.memory is None:
            table.rows.append([*row, *[NONE] * (len(heads) - 2)])
            continue
        row += [f"{m.memory['bytes_per_cell']:.2f}", size(m.memory["extra_bytes"])]
        returned = m.memory["returned_bytes"]
        row.append(NONE if returned is None else size(returned))
        row += [size(m.memory["before_bytes"]), NONE if m.nodes is None else f"{m.nodes:,}"]
        table.rows.append([*row, duration(m.seconds[0])])
        for reference, times in _memory_ratios(m, result):
            text = f"{times:.2f} times the memory of {who(reference)}, what is returned left out"
            table.notes.append(f"{who(m.contender)}: {text}")
    _add_notes(table, result)
    return table


def _memory_ratios(m: Measurement, result: Result) -> list[tuple[Contender, float]]:
    references = [other for other in result.case.references if other != m.contender]
    times = [(other, ratios.memory(m, result.of(other))) for other in references]
    return [(other, ratio) for other, ratio in times if ratio is not None]


def _add_notes(table: Table, result: Result) -> None:
    for m in result.measurements:
        if not m.usable:
            table.notes.append(f"{who(m.contender)}: {m.status}")


def growth_table(suite: Suite, results: list[Result]) -> Table | None:
    """Show time along the suite's axis, each with the factor since the case before."""
    placed = [result for result in results if result.case.axis is not None]
    if len(placed) < 2:
        return None
    heads = ["contender", *[str(result.case.axis) for result in placed]]
    table = Table(f"{suite.name}: {suite.title} (median, x the case before)", heads)
    contenders = dict.fromkeys(m.contender for r in placed for m in r.measurements)
    for contender in contenders:
        cells = []
        for step in ratios.growth(placed, contender):
            if step is None:
                cells.append(NONE)
            else:
                seconds, factor = step
                grown = "" if factor is None else f" (x{factor:.3g})"
                cells.append(duration(seconds) + grown)
        table.rows.append([who(contender), *cells])
    return table


def total_table(suite: Suite, results: list[Result]) -> Table | None:
    """Add up the medians of the cases that belong together."""
    summed = [result for result in results if result.case.summed]
    if len(summed) < 2:
        return None
    totals = ratios.totals(summed)
    heads = ["contender", "total", *[f"x {who(contender)}" for contender in totals]]
    table = Table(f"{suite.name}: the {len(summed)} data sets together (sums of medians)", heads)
    for contender, seconds in totals.items():
        others = [f"{other / seconds:.3g}" for other in totals.values()]
        table.rows.append([who(contender), duration(seconds), *others])
    return table


def contender_table(measured: list[tuple[Suite, list[Result]]]) -> Table:
    """Say once what each contender's fit is."""
    met = [m.contender for _, results in measured for r in results for m in r.measurements]
    told = dict.fromkeys((contender.name, contender.note) for contender in met)
    rows = [[name, note] for name, note in told if note]
    return Table("What was compared", ["contender", "a fit is"], rows, left=2)


def summary_table(measured: list[tuple[Suite, list[Result]]]) -> Table:
    """Gather what the run says about ramify: ratios, growth, memory and sameness."""
    heads = ["suite", "case", "contender", "against", "result", "range", "pairs"]
    table = Table("Summary of ramify's results", heads, left=4)
    for suite, results in measured:
        for result in results:
            table.rows += _summary_rows(suite, result)
        table.rows += _growth_rows(suite, results)
    return table


def _summary_rows(suite: Suite, result: Result) -> list[list[str]]:
    case = result.case
    start = [suite.name, case.label]
    rows = []
    for m in result.measurements:
        if not isinstance(m.contender, Ramify):
            continue
        if m.memory is not None:
            text = f"{m.memory['bytes_per_cell']:.2f} bytes per cell"
            rows.append([*start, who(m.contender), NONE, text, NONE, NONE])
            for reference, times in _memory_ratios(m, result):
                rows.append([*start, who(m.contender), who(reference), f"{times:.2f} times", NONE, NONE])
        for reference in () if m.memory is not None else case.references:
            ratio = ratios.speed(m, result.of(reference))
            if ratio is not None and reference != m.contender:
                cells = [f"{ratio.median:.3g} times as fast", f"{ratio.low:.3g}-{ratio.high:.3g}"]
                rows.append([*start, who(m.contender), who(reference), *cells, str(ratio.pairs)])
    same = ratios.same_tree(result) if case.same_tree else None
    if same is not None:
        rows.append([*start, "all", NONE, "same tree" if same else "DIFFERENT TREES", NONE, NONE])
    return rows


def _growth_rows(suite: Suite, results: list[Result]) -> list[list[str]]:
    placed = [result for result in results if result.case.axis is not None]
    rows = []
    for contender in dict.fromkeys(m.contender for r in placed for m in r.measurements):
        if not isinstance(contender, Ramify):
            continue
        for before, after, step in zip(
            placed, placed[1:], ratios.growth(placed, contender)[1:], strict=False
        ):
            if step is not None and step[1] is not None:
                where = f"{before.case.axis} to {after.case.axis}"
                cells = [suite.name, where, who(contender), NONE, f"{step[1]:.3g} times the time"]
                rows.append([*cells, NONE, NONE])
    return rows
