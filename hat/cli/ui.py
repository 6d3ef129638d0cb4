"""Open the runs in MLflow's own page, on this machine only."""

import os
import socket
import subprocess
import sys
from typing import Annotated

import typer

app = typer.Typer(help=__doc__, add_completion=False, pretty_exceptions_enable=False)


@app.command()
def ui(port: Annotated[int, typer.Option(help="First port to try.")] = 5000) -> None:
    """Serve MLflow over the local store until Ctrl-C; prints the address."""
    from hat.tracking.runs import client, experiment_id, tracking_uri

    where = tracking_uri()
    if not where.startswith("sqlite:"):
        typer.echo(f"runs are kept at {where}: open that")
        return
    experiment = experiment_id(client())
    free = free_port(port)
    page = f"http://127.0.0.1:{free}/#/experiments/{experiment}"
    typer.echo(f"runs:     {page}/runs\nepisodes: {page}/traces\nmodels:   http://127.0.0.1:{free}/#/models")
    typer.echo("Ready in about ten seconds; Ctrl-C ends it.")
    command = [sys.executable, "-m", "mlflow", "server", "--backend-store-uri", where]
    command += ["--host", "127.0.0.1", "--port", str(free), "--workers", "1"]
    env = os.environ | {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "MLFLOW_ALLOW_MODEL_CODE_EXECUTION": "false"}
    try:
        sys.exit(subprocess.run(command, env=env, check=False).returncode)  # noqa: S603
    except KeyboardInterrupt:
        typer.echo("ended")


def free_port(first: int) -> int:
    """The first port from `first` on that nobody listens on."""
    for port in range(first, first + 100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise typer.BadParameter(f"ports {first} to {first + 99} are all in use; give another with --port")
