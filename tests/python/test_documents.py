"""The Python that the documents show runs: blocks below a line <!-- run -->, in their order."""

import os
import re

import pytest

ROOT = os.path.dirname(os.environ["RAVI_MODELS"])
PAGES = sorted(name for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))
DOCUMENTS = ["README.md", *(os.path.join("docs", name) for name in PAGES)]


def blocks_of(document):
    with open(os.path.join(ROOT, document)) as file:
        return re.findall(r"^<!-- run -->\n```python\n(.*?)^```$", file.read(), re.M | re.S)


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if blocks_of(d)])
def test_the_blocks_of_a_document_run(document, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # what they write is not left behind
    (tmp_path / "models").symlink_to(os.environ["RAVI_MODELS"])
    names = {}
    for block in blocks_of(document):
        exec(compile(block, document, "exec"), names)


def test_the_blocks_of_docs_python_are_found():
    assert len(blocks_of("docs/python.md")) >= 3
