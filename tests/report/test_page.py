"""The report page: whole, safe, and free of requests."""

import re
import shutil
import subprocess

import pytest

from hat.report import Number, ReportData, render_page
from hat.report.figures import Bar, bars, lines
from tests.report.sample import sample


def test_page__shows_every_number_with_interval_and_n():
    page = render_page(sample())

    for number in sample().numbers:
        shown = (
            f'<b>{100 * number.mean:.1f}</b><span class="ci">{100 * number.low:.1f} to {100 * number.high:.1f}, n 300'
        )
        assert shown in page


def test_page__asks_for_nothing_and_runs_nothing():
    page = render_page(sample())

    assert not re.search(r"<script|<link|@import|\bsrc=|url\(|https?://", page)


def test_page__viewers_words_are_text_not_markup():
    assert "多少钱？&lt;b&gt;" in render_page(sample())
    assert "？<b>" not in render_page(sample())


def test_page__what_was_not_measured_is_said():
    data = ReportData(
        title="x",
        verdict="hold",
        reason="r",
        numbers=(
            Number(policy="base", suite="T1", n=9, mean=0.5, low=0.2, high=0.8),
            Number(policy="result", suite="T4", n=9, mean=0.5, low=0.2, high=0.8),
        ),
    )

    page = render_page(data)

    assert page.count("not measured") == 2
    assert "held back" in page


def test_variant_prompt__differences_are_marked():
    page = render_page(sample())

    assert "<del>- 查商品：get_product_info_by_link_id</del>" in page
    assert "<ins>- 查商品：ra_mi</ins>" in page


def test_bar__ends_at_its_share_of_the_axis():
    svg = bars([("T1", [Bar("base", "Base", 0.5, 0.4, 0.6, 10)])], "t")
    width = float(re.search(r'class="bar"[^>]*width="([\d.]+)"', svg)[1])
    ticks = [float(x) for x in re.findall(r'class="grid" x1="([\d.]+)"', svg)]

    assert width == pytest.approx((ticks[-1] - ticks[0]) / 2, abs=0.1)


def test_lines__nothing_measured_draws_nothing():
    assert lines([("loss", [])], "t") == ""


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_page__fits_the_window(tmp_path, width):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("no Chromium here: apt-get install chromium fonts-noto-cjk")
    probe = "<script>document.title='w'+document.documentElement.scrollWidth+'/'+innerWidth</script></body>"
    page = tmp_path / "report.html"
    page.write_text(render_page(sample()).replace("</body>", probe), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    run = [
        browser,
        *flags,
        f"--user-data-dir={tmp_path}/profile",
        f"--window-size={width},900",
        "--dump-dom",
        page.as_uri(),
    ]

    dom = subprocess.run(run, capture_output=True, text=True, timeout=90, check=True).stdout

    content, window = map(int, re.search(r"<title>w(\d+)/(\d+)", dom).groups())
    assert content <= window
