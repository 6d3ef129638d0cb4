"""What came of a run, on a terminal: the table, where things are, what to do next."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from hat.report.data import SUITES, Number, ReportData, percent

SHORT = {"base": "Base model", "fixed": "Fixed-harness SFT", "result": "Result"}


def print_result(console: Console, data: ReportData, places: Mapping[str, str]) -> None:
    """Print verdict, table, places and next steps."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("Score, %")
    for policy in data.policies:
        table.add_column(f"{SHORT.get(policy, policy)}\n[dim](95 % interval)[/dim]", justify="right", no_wrap=True)
    table.add_column("n", justify="right")
    for suite in data.suites:
        numbers = [data.number(policy, suite) for policy in data.policies]
        counts = {number.n for number in numbers if number}
        label = f"{suite}  [dim]{SUITES.get(suite, '')}[/dim]" if console.width >= 150 else suite
        table.add_row(label, *(_cell(number) for number in numbers), "/".join(f"{n:,}" for n in sorted(counts)))
    console.print(table)
    style = "green" if data.verdict == "promote" else "yellow"
    console.print(f"\n[{style}]{data.verdict}[/{style}]: {data.reason}\n", soft_wrap=True)
    for name, place in places.items():
        console.print(f"{name}: {place}", soft_wrap=True)
    if data.following:
        console.print("\nNext:")
    for step in data.following:
        console.print(f"  {step.replace('`', '')}", soft_wrap=True, markup=False)


def _cell(number: Number | None) -> str:
    if number is None:
        return "-"
    return f"[bold]{percent(number.mean)}[/bold] ({percent(number.low)}-{percent(number.high)})"
