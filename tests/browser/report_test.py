"""Opens reports in headless Chromium and uses them: figures, tables, themes, and hostile names.

Usage: report_test.py REPORTS RAVI PICTURES: the folder of make_reports, the program, and a folder for
pictures of every report at both widths and in both themes, which are for looking at.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import Browser

REPORTS, RAVI, PICTURES = (pathlib.Path(a) for a in sys.argv[1:4])
KINDS = ("accurate", "usable", "moved", "unreliable", "modes", "multimodal", "failed", "hostile", "large")
# Figures that a report has, by what the fit did: these two need averaging, the others draws.
OF_DRAWS = {"marginals", "pairs"}
OF_AVERAGING = {"elbo-chains", "rhat", "error", "ess", "autocorrelation", "tail-index"}


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser())
        PICTURES.mkdir(parents=True, exist_ok=True)

    def open(self, kind):
        self.browser.look()
        self.browser.open(REPORTS / kind / "report.html")
        return json.loads((REPORTS / kind / "fit.json").read_text())

    def texts(self, selector):
        return self.browser.run(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def column(self, number, table="#parameter-table"):
        """The cells in sight of a column, the names being the first."""
        return self.texts(f"{table} tbody tr:not(.space) > :nth-child({number})")

    def find(self, selector):
        return self.browser.driver.find_element(By.CSS_SELECTOR, selector)

    def figures(self):
        return {f: self.browser.run("return document.querySelectorAll(`#${arguments[0]} svg .mark`).length", f)
                for f in self.browser.run("return [...document.querySelectorAll('figure')].map(f => f.id)")}

    def test_every_report_opens_without_errors_or_requests(self):
        for kind in KINDS:
            with self.subTest(kind):
                self.open(kind)
                self.assertEqual(self.browser.errors(), [])
                self.assertEqual(self.browser.requests(), [])

    def test_the_verdict_and_the_advice_are_those_of_the_fit(self):
        expected = {"accurate": "accurate", "moved": "usable", "unreliable": "unreliable",
                    "modes": "accurate", "multimodal": "not-converged", "failed": "failed"}
        for kind in KINDS:
            with self.subTest(kind):
                fit = self.open(kind)
                self.assertEqual(self.texts("#verdict-word"), [fit["verdict"]])
                self.assertEqual(fit["verdict"], expected.get(kind, fit["verdict"]))
                advice = self.texts(".finding-advice")
                self.assertEqual(len(advice), len(fit["findings"]))
                for shown, finding in zip(advice, fit["findings"]):
                    self.assertIn(finding["advice"], shown)

    def test_every_figure_has_marks_and_a_caption(self):
        for kind in KINDS:
            with self.subTest(kind):
                self.open(kind)
                marks = self.figures()
                self.assertTrue(all(marks.values()), marks)
                wanted = set() if kind == "failed" else set(OF_DRAWS)
                if kind in ("usable", "unreliable"):
                    wanted |= OF_AVERAGING | {"weights", "elbo-searches"}
                self.assertLessEqual(wanted, set(marks))
                self.assertTrue(all(len(c) > 40 for c in self.texts("figcaption")))

    def test_a_failed_fit_says_why_and_shows_no_empty_figure_or_table(self):
        self.open("failed")
        self.assertEqual(self.figures(), {})
        self.assertEqual(self.texts("table.parameters"), [])
        self.assertIn("could not be computed", self.texts(".finding-message")[0])

    def test_chains_that_disagree_have_a_table_each_with_mode_and_mass(self):
        fit = self.open("multimodal")
        titles = self.texts(".table-title")
        self.assertEqual(len(titles), len(fit["chains"]))
        for title, chain in zip(titles, fit["chains"]):
            self.assertIn(f"mode {chain['mode']['number']}", title)
            self.assertIn("% of the mass", title)
        for number, chain in enumerate(fit["chains"], 1):
            table = "#parameter-table" + (f"-{number}" if number > 1 else "")
            shown = [float(c.replace("\u2212", "-")) for c in self.column(2, table)]
            for value, parameter in zip(shown, chain["parameters"], strict=True):
                self.assertAlmostEqual(value, parameter["mean"], delta=max(1e-6, parameter["mcse"]))

    def test_modes_have_a_list_with_their_mass_and_colors(self):
        fit = self.open("modes")
        rows = self.texts(".modes tbody tr")
        self.assertEqual(len(rows), len(fit["modes"]))
        masses = [float(t.split()[0]) for t in self.texts(".modes tbody td:nth-child(2)")]
        for row, mass, mode in zip(rows, masses, fit["modes"]):
            self.assertAlmostEqual(mass, 100 * mode["mass"], delta=100 * mode["mass_error"])
            self.assertIn(", ".join(str(c) for c in mode["chains"]), row)
        self.assertEqual(len(self.texts(".modes .swatch")), len(fit["modes"]))

    def test_the_table_sorts_by_every_column_and_back(self):
        fit = self.open("usable")
        names = [p["name"] for p in fit["parameters"]]
        keys = ["mean", "sd", "q5", "q50", "q95", "mcse", "digits"]
        for column, key in enumerate(keys, 2):
            button = self.find(f"#parameter-table thead th:nth-child({column}) button")
            for order in ("descending", "ascending", "none"):
                button.click()
                head = self.find(f"#parameter-table thead th:nth-child({column})")
                self.assertEqual(head.get_attribute("aria-sort"), order)
                cells = [float(c.replace("\u2212", "-")) for c in self.column(column)]
                if order == "none":
                    self.assertEqual(self.column(1), names)
                else:
                    self.assertEqual(cells, sorted(cells, reverse=order == "descending"))

    def test_searching_leaves_the_names_that_match(self):
        self.open("usable")
        search = self.find("#search")
        search.send_keys("TILDE[3")
        self.assertEqual(self.column(1), ["theta_tilde[3]"])
        self.assertIn("1 of 18", self.texts("#count")[0])
        search.send_keys(Keys.CONTROL, "a")
        search.send_keys("no such name")
        self.assertEqual(self.column(1), [])

    def test_weighted_and_unweighted_are_those_of_the_fit(self):
        for kind, uncorrected, corrected in (("usable", "unweighted", "weighted"), ("moved", "q", "moved")):
            fit = self.open(kind)
            for view, key in ((uncorrected, "unweighted_parameters"), (corrected, "parameters")):
                self.browser.driver.find_element(By.XPATH, f"//div[@class='toggle']/button[.='{view}']").click()
                for shown, parameter in zip(self.column(2), fit[key], strict=True):
                    value = float(shown.replace("\u2212", "-"))
                    self.assertAlmostEqual(value, parameter["mean"], delta=max(1e-6, parameter["mcse"]))

    def test_of_ten_thousand_rows_few_are_drawn(self):
        self.open("large")
        self.assertLess((REPORTS / "large" / "report.html").stat().st_size, 2e6)
        self.assertLess(len(self.column(1)), 40)
        self.browser.run("document.querySelector('.rows').scrollTop = 1e9")
        self.browser.frame()
        self.assertEqual(self.column(1)[-1], "theta[10000]")
        self.find("#parameter-table thead th:nth-child(2) button").click()
        self.find("#search").send_keys("99")
        self.assertLess(len(self.column(1)), 40)
        self.assertIn("of 10\u2009000", self.texts("#count")[0])

    def test_names_and_messages_are_text_and_nothing_else(self):
        self.open("hostile")
        self.browser.run("window.alerts = 0; window.alert = () => { ++window.alerts; }")
        self.assertIn("<img src=x onerror=alert(1)>", self.column(1))
        self.assertEqual(self.browser.run("return document.querySelectorAll('img, iframe, a:not(.skip)').length"), 0)
        self.assertEqual(self.browser.run("return document.scripts.length"), 3)
        for selector in ("#marginals svg", "#pairs svg", "#tail-index svg"):
            self.find(selector).send_keys(Keys.ARROW_RIGHT)
            self.assertEqual(self.browser.run("return document.querySelectorAll('#tooltip img').length"), 0)
        self.assertEqual(self.browser.run("return window.alerts"), 0)
        self.assertEqual(self.browser.errors(), [])

    def test_the_policy_stops_markup_that_would_get_in(self):
        self.open("usable")
        self.browser.run("window.alerts = 0; window.alert = () => { ++window.alerts; }")
        stopped = self.browser.driver.execute_async_script("""
            document.addEventListener('securitypolicyviolation', event => {
                if (event.effectiveDirective === 'script-src-attr') arguments[0](event.blockedURI);
            });
            document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>');""")
        self.assertEqual(stopped, "inline")
        self.assertEqual(self.browser.run("return window.alerts"), 0)

    def test_values_show_under_the_pointer_and_by_keyboard(self):
        for kind in ("usable", "multimodal"):
            self.open(kind)
            for figure in self.figures():
                with self.subTest(kind, figure=figure):
                    svg = self.find(f"#{figure} svg")
                    svg.send_keys(Keys.ARROW_RIGHT)
                    first = self.texts("#tooltip:not([hidden])")
                    self.assertTrue(first and any(c.isdigit() for c in first[0]))
                    svg.send_keys(Keys.ESCAPE)
                    self.assertEqual(self.texts("#tooltip:not([hidden])"), [])

    def test_figures_save_as_svg_that_stands_alone(self):
        self.open("usable")
        for figure in self.figures():
            text = self.browser.run(
                "return svgText(document.querySelector(`#${arguments[0]} svg`), 'a <title>')", figure)
            root = ElementTree.fromstring(text)
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertNotIn("var(--", text)
            self.assertNotIn("class=", text)
        self.assertEqual(len(self.texts("button.save")), len(self.figures()))

    def test_choosing_a_parameter_draws_its_densities(self):
        self.open("usable")
        curve = "return document.querySelector('#marginals path.mark').getAttribute('d')"
        before = self.browser.run(curve)
        self.find("#marginals select").send_keys(Keys.ARROW_DOWN)
        self.assertNotEqual(self.browser.run(curve), before)

    def test_the_theme_follows_the_system_and_the_button(self):
        self.open("usable")
        color = "return getComputedStyle(document.body).backgroundColor"
        light = self.browser.run(color)
        self.browser.look(scheme="dark")
        dark = self.browser.run(color)
        self.assertNotEqual(dark, light)
        self.find("#theme").click()
        self.assertEqual(self.browser.run(color), light)
        self.browser.run("localStorage.clear()")

    def test_nothing_is_wider_than_a_telephone(self):
        for kind in KINDS:
            with self.subTest(kind):
                self.browser.look(width=390)
                self.browser.open(REPORTS / kind / "report.html")
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 390)

    def test_the_command_makes_a_page_without_draws_that_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.html"
            done = subprocess.run([RAVI, "report", REPORTS / "usable", "--output", page], check=False)
            self.assertEqual(done.returncode, 0)
            self.browser.look()
            self.browser.open(page)
            self.assertEqual(self.browser.errors(), [])
            self.assertIn("rhat", self.figures())
            self.assertNotIn("pairs", self.figures())
            self.assertIn("no draws in this file", self.texts("#posterior .muted")[0])

    def test_pictures_are_taken(self):
        for kind in KINDS:
            self.open(kind)
            for width in (1400, 390):
                for scheme in ("light", "dark"):
                    path = PICTURES / f"{kind}-{width}-{scheme}.png"
                    self.browser.picture(path, width, scheme)
                    self.assertGreater(path.stat().st_size, 10000)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
