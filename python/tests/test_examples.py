"""The examples in docstrings."""

import doctest
import importlib
import pkgutil

import pytest

import topoi

MODULES = [name for _, name, _ in pkgutil.iter_modules(topoi.__path__) if name != "__main__"]


@pytest.mark.parametrize("name", ["topoi", *(f"topoi.{name}" for name in MODULES)])
def test_examples_run(name, tmp_path):
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder()
    for at, example in enumerate(finder.find(module, name)):
        folder = tmp_path / str(at)
        folder.mkdir()
        example.globs.update(folder=folder, store=topoi.open(folder / "texts.db", frames="rows"), topoi=topoi)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(example)
        assert runner.failures == 0, example.name
