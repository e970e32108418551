"""The code of docs/python runs, and says what the pages say it says."""

import doctest
import pathlib
import re
import textwrap

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
    doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert not told, "".join(told)


def blocks(page, heading, fence="```text\n"):
    """The code of a section that doctests leave out."""
    section = (PAGES[0].parent / page).read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    if fence:
        return [block.split("```")[0] for block in section.split(fence)[1:]]
    return re.findall(r"(?:^    .+\n)+", section, flags=re.MULTILINE)


def test_their_taggers_and_ours_learn_the_same():
    pytest.importorskip("sklearn_crfsuite", reason="sklearn-crfsuite is not installed")
    words, y = hinge.datasets.recipes("train")
    features = [[{"bias": 1.0, "word.lower": s[i].lower(), "BOS": i == 0} for i in range(len(s))] for s in words]
    theirs = {"X_train": features, "y_train": y}
    exec(blocks("from-others.md", "sklearn-crfsuite")[0], theirs)
    ours = hinge.SequenceTagger(method="crf", C=1.0, features="observed", gap=1e-7).fit(features, y)
    assert abs(ours.transitions_["B-QTY", "B-UNIT"] - theirs["weight"]) < 0.01
    assert abs(ours.predict_proba(features)[0][0, ours.classes_.tolist().index("B-QTY")] - theirs["probability"]) < 1e-3
    assert sum(list(a) != list(b) for a, b in zip(ours.predict(features), theirs["labels"])) <= 1


@pytest.mark.parametrize("heading", ["pytorch-crf", "Layers for torch"])
def test_code_for_torch(heading):
    torch = pytest.importorskip("torch", reason="torch is not installed: python/test_torch installs it and runs this")
    import hinge.torch

    torch.manual_seed(0)
    mask = torch.arange(5) < torch.tensor([5, 2, 3])[:, None]
    names = dict(torch=torch, hinge=hinge, num_tags=4, emissions=torch.randn(3, 5, 4, requires_grad=True), mask=mask, tags=torch.randint(4, (3, 5)),
                 start_transitions=torch.randn(4), end_transitions=torch.randn(4))
    if heading == "pytorch-crf":
        names["torchcrf"] = pytest.importorskip("torchcrf", reason="pytorch-crf is not installed")
        code = blocks("from-others.md", heading)
    else:
        spans = torch.zeros(1, 3, 3, dtype=torch.long)
        spans[0, 0, 1] = 1
        names.update(transitions=torch.randn(4, 4, requires_grad=True), labels=names["tags"], lengths=mask.sum(1), words=None, spans=spans,
                     network=lambda words: torch.randn(1, 3, 3, 2, requires_grad=True))
        code = blocks("engines.md", heading, None)
    assert len(code) >= 2
    for block in code:
        if "trees_loss" in block:
            names["labels"] = names["spans"]
        exec(textwrap.dedent(block), names)
        assert torch.isfinite(names["loss"]).all()
    if heading == "pytorch-crf":
        assert names["paths"].shape == (3, 5)


def test_every_estimator_has_a_page():
    text = "".join(page.read_text() for page in PAGES if page.parent.name == "tasks")
    estimators = [name for name in hinge.__all__ if isinstance(getattr(hinge, name), type) and hasattr(getattr(hinge, name), "_task")
                  and getattr(hinge, name)._task and not name.endswith("CV")]
    assert [name for name in estimators if f"hinge.{name}(" not in text] == []


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
