"""The code of docs/python runs, and says what the pages say it says."""

import doctest
import pathlib
import re

import pytest

import hinge

PAGES = sorted((pathlib.Path(__file__).parents[2] / "docs" / "python").rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page):
    pytest.importorskip("sklearn")
    pytest.importorskip("pandas")
    pytest.importorskip("networkx")
    text = re.sub(r"^```.*$", "", page.read_text(), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, page.stem, str(page), 0)
    assert test.examples or page.stem == "index", "a page without code"
    told = []
    doctest.DocTestRunner().run(test, out=told.append)
    assert not told, "".join(told)


def test_every_estimator_has_a_page():
    text = "".join(page.read_text() for page in PAGES if page.parent.name == "tasks")
    estimators = [name for name in hinge.__all__ if isinstance(getattr(hinge, name), type) and hasattr(getattr(hinge, name), "_task")
                  and getattr(hinge, name)._task and not name.endswith("CV")]
    assert [name for name in estimators if f"hinge.{name}(" not in text] == []


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
