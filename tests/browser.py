"""Pages in a real browser: headless Chromium, without a network."""

import json
import shutil
import tempfile
import time
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1360,860",
)


def _found(*names):
    return next((place for place in map(shutil.which, names) if place), None)


class Browser:
    """Chromium with one page at a time."""

    def __init__(self):
        from selenium import webdriver

        self._profile = tempfile.mkdtemp(prefix="ramify-browser")
        options = webdriver.ChromeOptions()
        options.binary_location = _found(*BROWSERS)
        for flag in (*FLAGS, f"--user-data-dir={self._profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService(_found("chromedriver"))
        self.driver = webdriver.Chrome(options=options, service=service)
        self.command("Network.enable")
        offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.command("Network.emulateNetworkConditions", **offline)

    def close(self):
        self.driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def run(self, script, *arguments):
        """Run JavaScript in the page and return its value."""
        return self.driver.execute_script(script, *arguments)

    def open(self, path, size=(1360, 860), colours="light", motion="reduce"):
        """Open a file and wait until its tree is there."""
        width, height = size
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        features = {"prefers-color-scheme": colours, "prefers-reduced-motion": motion}
        listed = [{"name": name, "value": value} for name, value in features.items()]
        self.command("Emulation.setEmulatedMedia", media="", features=listed)
        self.driver.get(Path(path).as_uri())
        self.wait("return document.documentElement.dataset.ready === 'true'")

    def wait(self, script, seconds=20):
        """Wait until JavaScript returns what is true, and return it."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < end, f"waited {seconds} s for {script}; {self.messages()}"
            time.sleep(0.02)
        return value

    def messages(self):
        """What the console has been told since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def all(self, selector):
        return self.driver.find_elements("css selector", selector)

    def text(self, selector):
        return self.find(selector).text

    def click(self, selector):
        """Click an element, as a mouse does."""
        self.find(selector).click()

    def click_button(self, text):
        found = "return [...document.querySelectorAll('button')].find((b) => b.textContent === arguments[0])"
        self.run(found, text).click()

    def node(self, number):
        """The card of a node."""
        return self.find(f".node[data-node='{number}']")

    def click_node(self, number, part=".headline"):
        self.find(f".node[data-node='{number}'] {part}").click()

    def press(self, *keys):
        """Press keys, wherever the focus is."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self):
        """The number of the node that has the focus, or the id of another element."""
        return self.run(
            "const { id, dataset } = document.activeElement;"
            "return dataset.node === undefined ? id : Number(dataset.node)"
        )

    def shown(self):
        """The numbers of the nodes that are shown, from top to bottom."""
        return self.run("return [...document.querySelectorAll('.node')].map((node) => +node.dataset.node)")

    def told(self):
        """What a screen reader was told last."""
        return self.run("return document.querySelector('#live').textContent")

    def passed(self):
        """The numbers of the nodes on the way of the case that is followed, in order."""
        marked = "return [...document.querySelectorAll('.node.passed')].map((node) => +node.dataset.node)"
        return sorted(self.run(marked))

    def move_slider(self, place):
        """Move the slider of q to a place of the grid."""
        self.run("arguments[0].value = arguments[1]", self.find("#q"), place)
        self.run("arguments[0].dispatchEvent(new Event('input'))", self.find("#q"))

    def first_paint(self):
        """When the first text was painted, in milliseconds."""
        return self.wait(
            "const [paint] = performance.getEntriesByName('first-contentful-paint');"
            "return paint && paint.startTime"
        )

    def answers(self, rows):
        """What the page answers to cases, dicts of column to value."""
        return self.run("return window.ramify.answer(arguments[0])", json.dumps(rows))


def unavailable():
    """Why there can be no browser here; None if there can."""
    for what, names in (("Chromium", BROWSERS), ("chromedriver", ("chromedriver",))):
        if _found(*names) is None:
            return f"{what} is not installed"
    return None
