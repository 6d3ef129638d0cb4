"""Figures as inline SVG: bars with intervals, lines over steps.

Colours come from one style sheet, in the page or in the figure itself, so they follow light and dark; every mark has a
title with its value in words.
"""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

Points = Sequence[tuple[float, float]]


class Bar(NamedTuple):
    """One bar: a share with its interval, all from 0 to 1."""

    series: str
    label: str
    mean: float
    low: float
    high: float
    n: int


WIDTH, ROW, GROUP, LEFT, RIGHT = 640, 18, 14, 134, 58
CHARACTER = 7
"""Width of a character of a label, at most."""


def bars(groups: Sequence[tuple[str, Sequence[Bar]]], title: str, legend: Sequence[tuple[str, str]] = ()) -> str:
    """Groups of horizontal bars on one axis from 0 to 100 %, each with its interval and its value.

    `legend`: series and what they are called, listed above the bars.
    """
    left = max(LEFT, 20 + CHARACTER * max((len(name) for name, _ in groups), default=0))
    top = 8.0 + ROW * len(legend)
    height = top + sum(len(group) * ROW + GROUP for _, group in groups) + 20
    parts = [_entry(series, name, ROW * place) for place, (series, name) in enumerate(legend)]
    parts.append(_axis(left, top, height - 20))
    y = top
    for name, group in groups:
        middle = y + len(group) * ROW / 2
        parts.append(f'<text class="name" x="{left - 10}" y="{middle:.1f}" text-anchor="end">{escape(name)}</text>')
        for bar in group:
            parts.append(_bar(bar, left, y))
            y += ROW
        y += GROUP
    return _svg(WIDTH, height, title, parts, "bars")


def _x(share: float, left: float) -> float:
    return left + share * (WIDTH - left - RIGHT)


def _axis(left: float, top: float, bottom: float) -> str:
    ticks = [
        f'<line class="grid" x1="{_x(t, left):.1f}" x2="{_x(t, left):.1f}" y1="{top:.1f}" y2="{bottom:.1f}"/>'
        f'<text class="tick" x="{_x(t, left):.1f}" y="{bottom + 15:.1f}" text-anchor="middle">{round(100 * t)}</text>'
        for t in (0, 0.25, 0.5, 0.75, 1)
    ]
    return "".join(ticks)


def _entry(series: str, name: str, y: float) -> str:
    return (
        f'<g class="s-{escape(series)}"><rect class="bar" x="10" y="{y + 4:.1f}" width="12" height="10" rx="2"/>'
        f'<text class="tick" x="28" y="{y + 13:.1f}">{escape(name)}</text></g>'
    )


def _bar(bar: Bar, left: float, y: float) -> str:
    middle = y + ROW / 2
    low, high = _x(bar.low, left), _x(bar.high, left)
    words = (
        f"{bar.label}: {100 * bar.mean:.1f} %, 95 % interval {100 * bar.low:.1f} to {100 * bar.high:.1f}, n = {bar.n}"
    )
    width, end = max(1.0, _x(bar.mean, left) - left), max(high, _x(bar.mean, left)) + 6
    whisker = f"M{low:.1f} {middle:.1f}H{high:.1f}M{low:.1f} {middle - 4:.1f}v8M{high:.1f} {middle - 4:.1f}v8"
    return (
        f'<g class="s-{escape(bar.series)}"><title>{escape(words)}</title>'
        f'<rect class="bar" x="{left}" y="{y + 2:.1f}" width="{width:.1f}" height="{ROW - 4}" rx="2"/>'
        f'<path class="whisker" d="{whisker}"/>'
        f'<text class="value" x="{end:.1f}" y="{middle + 4:.1f}">{100 * bar.mean:.1f}</text></g>'
    )


def lines(series: Sequence[tuple[str, Points]], title: str, *, named: bool = False) -> str:
    """Lines over steps; on the left the range of the values, below the last step. `named`: with their names inside."""
    width, height, left, bottom = 320, 150, 46, 128
    points = [point for _, line in series for point in line]
    if not points:
        return ""
    x_max = max(x for x, _ in points) or 1
    y_low, y_high = _range([y for _, y in points])

    def place(x: float, y: float) -> str:
        return f"{left + x / x_max * (width - left - 8):.1f} {10 + (y_high - y) / (y_high - y_low) * (bottom - 10):.1f}"

    parts = [
        f'<line class="grid" x1="{left}" x2="{width - 8}" y1="{y}" y2="{y}"/>'
        f'<text class="tick" x="{left - 6}" y="{y + 4}" text-anchor="end">{_short(value)}</text>'
        for y, value in ((10, y_high), (bottom, y_low))
    ]
    parts += [
        f'<text class="tick" x="{left}" y="{height - 6}">0</text>',
        f'<text class="tick" x="{width - 8}" y="{height - 6}" text-anchor="end">step {round(x_max)}</text>',
    ]
    for number, (name, line) in enumerate(series):
        path = "L".join(place(x, y) for x, y in _thin(line))
        parts.append(f'<path class="line l-{number}" d="M{path}"><title>{escape(name)}</title></path>')
        if named:
            y = bottom - 8 - 13 * (len(series) - 1 - number)
            parts.append(f'<path class="line l-{number}" d="M{width - 26} {y - 4}h16"/>')
            parts.append(f'<text class="tick" x="{width - 32}" y="{y}" text-anchor="end">{escape(name)}</text>')
    return _svg(width, height, title, parts, "lines")


def _thin(line: Points, most: int = 240) -> Points:
    every = max(1, len(line) // most)
    return [*line[::every], line[-1]]


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _short(value: float) -> str:
    return f"{value:.3g}"


def style() -> str:
    """The style sheet of figures."""
    return (Path(__file__).parent / "figure.css").read_text(encoding="utf-8")


def standalone(svg: str) -> str:
    """A figure with its style, as a file of its own."""
    opened = svg.replace('<svg class="', '<svg xmlns="http://www.w3.org/2000/svg" class="alone ', 1)
    return opened.replace("<title>", f"<style>{style()}</style><title>", 1) + "\n"


def _svg(width: float, height: float, title: str, parts: Sequence[str], kind: str) -> str:
    return (
        f'<svg class="{kind}" viewBox="0 0 {width} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
