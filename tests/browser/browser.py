"""Headless Chromium as the tests use it: pages from disk, their errors, their pictures."""
import base64
import json
import pathlib

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


class Browser:
    """Opens pages; as a context manager it leaves no process behind."""

    def __init__(self):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--force-device-scale-factor=1"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def look(self, width=1400, height=900, scheme="light"):
        """Sets the size of the window and the color scheme that the system prefers."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.frame()

    def frame(self):
        """Waits for the next frame, before which the page is told of sizes, themes and scrolling."""
        self.driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0]))")

    def open(self, path):
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(pathlib.Path(path).resolve().as_uri())

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def errors(self):
        """What the console said since open(), notes apart."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """Everything that was asked for since open() and is neither the page nor part of it."""
        addresses = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
        return [a for a in addresses if not a.startswith(("file:", "data:", "blob:"))]

    def picture(self, path, width, scheme):
        """A picture of the whole page, as long as it is."""
        self.look(width, 900, scheme)
        self.run("window.scrollTo(0, 0)")
        height = self.run("return document.documentElement.scrollHeight")
        self.look(width, height, scheme)
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
        self.look()
