"""A Chromium that a test drives over its DevTools protocol."""

import base64
import json
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx
import websocket


class Chromium:
    """One page in a headless browser with a profile of its own; close it."""

    def __init__(self, program: str, profile: Path, width: int = 900, height: int = 800) -> None:
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
        command += ["--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={profile}"]
        command += ["--disable-background-networking", f"--window-size={width},{height}", "about:blank"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = self._wait(profile / "DevToolsActivePort").splitlines()[0]
        pages = httpx.get(f"http://127.0.0.1:{port}/json/list").json()
        page = next(page for page in pages if page["type"] == "page")
        self._socket = websocket.create_connection(page["webSocketDebuggerUrl"], timeout=20)
        self._number = 0

    def _wait(self, file: Path) -> str:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if file.exists() and (text := file.read_text()):
                return text
            time.sleep(0.1)
        raise TimeoutError(f"{file} did not appear")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to one command."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            answer: dict[str, Any] = json.loads(self._socket.recv())
            if answer.get("id") == self._number:
                return dict(answer["result"])

    def value(self, expression: str) -> Any:
        """What a JavaScript expression gives; promises are awaited."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return found["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true. Raises TimeoutError."""
        deadline = time.monotonic() + 15
        while not self.value(expression):
            if time.monotonic() > deadline:
                raise TimeoutError(expression)
            time.sleep(0.05)

    def open(self, url: str) -> None:
        """Go to a page that has an element `language`, the last that its script fills."""
        self.send("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && !!document.getElementById('language')?.textContent")

    def press(self, key: str) -> None:
        """A key, down and up."""
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 else "")

    def resize(self, width: int, height: int) -> None:
        """Another size of the window."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self, path: Path) -> None:
        """A picture of what is seen."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def close(self) -> None:
        """End the browser."""
        self._socket.close()
        self._process.terminate()
        self._process.wait(20)
