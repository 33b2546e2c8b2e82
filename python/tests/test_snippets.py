"""Every snippet of the documents in snippets/ runs, and prints what the document shows."""

import pytest
import snippets


@pytest.mark.parametrize("name", snippets.files())
def test_prints_what_the_document_shows(name):
    found = list(snippets.run(name))
    assert found
    assert [f"[{number}]: {problem}" for number, problem in found if problem] == []


def test_the_documents_are_all_there():
    counts = {name: len(snippets.cells(f"{snippets.HERE}/{name}")) for name in snippets.files()}
    assert counts == {"index_copy_-article.txt": 1, "introduction-to-tensors.txt": 35,
                      "torch-package.txt": 1, "torch.Tensor.index_copy_.txt": 1}


def test_a_wrong_output_is_seen(tmp_path, monkeypatch):
    (tmp_path / "wrong.txt").write_text(
        "# %% code\nprint(torch.ones(1))\n# %% output\ntensor([2.])\n")
    monkeypatch.setattr(snippets, "HERE", str(tmp_path))
    assert [problem is not None for _, problem in snippets.run("wrong.txt")] == [True]
