"""Harness evolution: from failing episodes to an edit that is confirmed, measured and published."""

from hat.evolve.diagnose import Cluster, diagnose
from hat.evolve.propose import Proposal, ProposalError, by_endpoint, from_folder
from hat.evolve.trial import Trial, TrialConfig, publish, run_trial

__all__ = [
    "Cluster",
    "Proposal",
    "ProposalError",
    "Trial",
    "TrialConfig",
    "by_endpoint",
    "diagnose",
    "from_folder",
    "publish",
    "run_trial",
]
