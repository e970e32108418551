"""The code of docs/python runs, and says what the pages say it says."""

import doctest
import pathlib
import re

import pytest

PAGES = sorted((pathlib.Path(__file__).parents[2] / "docs" / "python").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page):
    pytest.importorskip("sklearn")
    pytest.importorskip("pandas")
    text = re.sub(r"^```.*$", "", page.read_text(), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, page.stem, str(page), 0)
    assert test.examples, "a page without code"
    told = []
    doctest.DocTestRunner().run(test, out=told.append)
    assert not told, "".join(told)


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
