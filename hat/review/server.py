"""The review's page and its two calls, for people in one house: no accounts, whoever opens it gives a name."""

from pathlib import Path
from random import Random
from typing import Any

from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from hat.review.data import REVIEWER, Item, ReviewError, Vote, append_votes, load_items, load_votes, require_known

PAGE = Path(__file__).parent / "page.html"


class Review:
    """A review that is going on."""

    def __init__(self, folder: Path) -> None:
        """Read the items. Raises ReviewError."""
        self.folder = folder
        self.items = load_items(folder)

    def tasks(self, reviewer: str) -> dict[str, Any]:
        """All items in an order of the reviewer's own, and what they have said so far.

        Raises:
            ReviewError: a name that cannot be a file's.
        """
        if not REVIEWER.fullmatch(reviewer):
            raise ReviewError(f"reviewer {reviewer!r}: use 1-40 letters, digits, _ - or .")
        order: list[Item] = list(self.items)
        Random(f"review/{reviewer}").shuffle(order)
        said = {vote.item: vote.choice for vote in load_votes(self.folder) if vote.reviewer == reviewer}
        return {"items": [item.model_dump() for item in order], "votes": said}

    def vote(self, data: Any) -> Vote:
        """Keep a vote. Raises ReviewError."""
        try:
            vote = Vote.model_validate(data)
        except ValidationError as error:
            raise ReviewError(f"no vote: {error.errors()[0]['msg']}") from error
        require_known([vote], self.items)
        append_votes(self.folder, [vote])
        return vote


def build_app(folder: Path) -> Starlette:
    """The web application of a review. Raises ReviewError."""
    review = Review(folder)

    async def page(_: Request) -> Response:
        return HTMLResponse(PAGE.read_text(encoding="utf-8"))

    async def tasks(request: Request) -> Response:
        try:
            return JSONResponse(review.tasks(request.query_params.get("reviewer", "")))
        except ReviewError as error:
            return JSONResponse({"error": str(error)}, 400)

    async def vote(request: Request) -> Response:
        try:
            return JSONResponse(review.vote(await request.json()).model_dump())
        except ValueError as error:
            return JSONResponse({"error": str(error)}, 400)

    return Starlette(
        routes=[
            Route("/", page),
            Route("/api/items", tasks),
            Route("/api/votes", vote, methods=["POST"]),
        ]
    )
