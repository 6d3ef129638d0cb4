"""Numbers in speech, brought to one form, so that what a reply says can be held against what is true.

`9.90` and `9.9`, `1,299` and `1299`, full-width digits, `二百九十九元` and `299元`, `21点半` and `21:30` are the same.
Chinese numerals count only before a unit, so `一下` and `一起` are no numbers.
"""

import re

TOKEN = re.compile(
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?!\d)|点(?:(?P<half>半)|(?P<past>\d{1,2})分?)?)"
    r"|(?P<whole>\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?P<fraction>\.\d+)?"
    r"|(?P<chinese>[零一二两三四五六七八九十百千]+)(?=元|块|件|克|天|个月|号|码|公斤|厘米|折)"
)
AFTERNOON = re.compile(r"(?:下午|晚上|今晚)$")
WIDE = str.maketrans("０１２３４５６７８９：．", "0123456789:.")
DIGITS = {letter: value for value, letter in enumerate("零一二三四五六七八九")} | {"两": 2}
PLACES = {"十": 10, "百": 100, "千": 1000}


def numbers(text: str) -> list[str]:
    """The numbers of a text in order, each in its one form: `299`, `9.9`, `21:30`."""
    return [number for number, _ in located(text)]


def located(text: str) -> list[tuple[str, int]]:
    """The numbers of a text in order, each with the place where it starts."""
    found = []
    text = text.translate(WIDE)
    for match in TOKEN.finditer(text):
        number = _canonical(match, text)
        if number is not None:
            found.append((number, match.start()))
    return found


def _canonical(match: re.Match[str], text: str) -> str | None:
    if hour := match["hour"]:
        minute = 30 if match["half"] else int(match["minute"] or match["past"] or 0)
        late = int(hour) < 12 and AFTERNOON.search(text, max(0, match.start() - 2), match.start())
        return f"{int(hour) + (12 if late else 0):02d}:{minute:02d}"
    if whole := match["whole"]:
        digits = whole.replace(",", "").lstrip("0") or "0"
        return (digits + match["fraction"]).rstrip("0").rstrip(".") if match["fraction"] else digits
    chinese = match["chinese"]
    if chinese in ("一", "两") and text[match.end()] not in "元块号":
        return None
    return str(from_chinese(chinese))


def from_chinese(numeral: str) -> int:
    """The value of a Chinese numeral below ten thousand, such as `二百九十九` or `二九九`."""
    if not any(place in numeral for place in PLACES):
        return int("".join(str(DIGITS[letter]) for letter in numeral))
    total, digit = 0, 0
    for letter in numeral:
        if letter in PLACES:
            total += (digit or 1) * PLACES[letter]
            digit = 0
        else:
            digit = DIGITS[letter]
    return total + digit


def to_chinese(number: int) -> str:
    """A number from 1 to 99 as it is spoken: `三`, `十二`, `四十`."""
    tens, ones = divmod(number, 10)
    letters = "零一二三四五六七八九"
    head = "" if tens == 0 else "十" if tens == 1 else letters[tens] + "十"
    return head + (letters[ones] if ones else "")
