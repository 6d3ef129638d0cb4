"""What a trace is worth: the paper's four reward parts, each judged on its own."""

from hat.harness import Frozen


class Verdict(Frozen):
    """Scores of one trace; the paper's four reward parts."""

    accuracy: float
    """0 or 1: every expected fact said, nothing false, by the calls and the reply skill that the task needs."""
    effectiveness: float
    """0, 0.5 or 1: a half is lost for each of opening, closing, length and emoji that the harness asks for and the
    reply misses."""
    tool_rationality: float
    """1 if the needed calls were made and no others, 0.5 if others too, 0 if one is missing."""
    skill_selection: float
    """1 if the expected skills were loaded, once, and no others; 0.5 if others too or the strategy is missing;
    0 if the reply skill is missing."""
    problems: tuple[str, ...] = ()
    """What was wrong, in words."""

    @property
    def score(self) -> float:
        """One figure: accuracy, halved where the style is all wrong: accuracy * (1 + effectiveness) / 2."""
        return self.accuracy * (1 + self.effectiveness) / 2
