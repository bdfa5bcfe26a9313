"""A real browser for the tests: Chromium without a window, one for all pages.

It is spoken to in the protocol of its developer tools, through two pipes: a message is an
object of JSON that ends in a zero byte.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile

PROGRAM = shutil.which("chromium")
TALL = 1000  # pixels of the window


class Browser:
    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        ours, theirs = os.pipe(), os.pipe()
        self.process = subprocess.Popen(
            [PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
             f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=lambda: place_pipes(ours[0], theirs[1]))
        os.close(ours[0])
        os.close(theirs[1])
        self.to, self.of = os.fdopen(ours[1], "wb"), os.fdopen(theirs[0], "rb")
        self.last, self.rest, self.events, self.session = 0, b"", [], None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(domain + ".enable")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.to.close()
        self.of.close()
        self.profile.cleanup()

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.of.fileno(), 1 << 20)
            assert more, "the browser is gone"
            self.rest += more
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.last += 1
        question = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            question["sessionId"] = self.session
        self.to.write(json.dumps(question).encode() + b"\0")
        self.to.flush()
        while True:
            answer = self.message()
            if answer.get("id") == self.last:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def window(self, width, dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=TALL, deviceScaleFactor=1,
                 mobile=False)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, page):
        """Loads a page; the browser's complaints about it."""
        self.events.clear()
        self.ask("Page.navigate", url="file://" + os.path.abspath(page))
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())
        self.run("document.fonts.ready.then(() => 0)")
        return [event["params"] for event in self.events
                if event.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")]

    def run(self, script):
        """The value of an expression in the page."""
        done = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def draw(self, path):
        """The whole page as a picture, for people."""
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        picture = self.ask("Page.captureScreenshot", captureBeyondViewport=True,
                           clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))


def place_pipes(reading, writing):
    """Where the browser looks for them: descriptors 3 and 4."""
    reading, writing = os.dup(reading), os.dup(writing)
    while reading < 5:
        reading = os.dup(reading)
    while writing < 5:
        writing = os.dup(writing)
    os.dup2(reading, 3)
    os.dup2(writing, 4)
