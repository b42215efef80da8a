"""Opens the page of `ravi paper` in headless Chromium.

Usage: paper_test.py FOLDER PICTURES: what `ravi paper` wrote, and a folder for pictures to look at.
"""
import pathlib
import sys
import unittest

from browser import Browser

FOLDER, PICTURES = (pathlib.Path(a) for a in sys.argv[1:3])


class PaperTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser())
        PICTURES.mkdir(parents=True, exist_ok=True)
        cls.browser.look()
        cls.browser.open(FOLDER / "index.html")

    def test_it_opens_without_errors_or_requests(self):
        self.assertEqual(self.browser.errors(), [])
        self.assertEqual(self.browser.requests(), [])

    def test_every_figure_has_curves_axes_and_a_caption(self):
        figures = self.browser.run("""return [...document.querySelectorAll("figure")].map(f => ({
            curves: f.querySelectorAll("svg path, svg polyline, svg circle").length,
            words: [...f.querySelectorAll("svg text")].map(t => t.textContent).filter(t => t).length,
            caption: f.querySelector("figcaption")?.textContent.length ?? 0}))""")
        self.assertGreaterEqual(len(figures), len(list(FOLDER.glob("*.svg"))))
        for figure in figures:
            self.assertGreater(figure["curves"], 0)
            self.assertGreater(figure["words"], 4)
            self.assertGreater(figure["caption"], 20)

    def test_nothing_is_wider_than_the_window(self):
        for width in (1400, 390):
            self.browser.look(width)
            wide = self.browser.run("return document.documentElement.scrollWidth")
            self.assertLessEqual(wide, width, f"the page is {wide} wide at {width}")
            self.browser.picture(PICTURES / f"paper-{width}.png", width, "light")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
