"""The rest of pyproject.toml: the version, which is in one place for the whole tree."""

from pathlib import Path

from setuptools import setup

root = Path(__file__).resolve().parent.parent
setup(version=(root / "VERSION").read_text(encoding="utf-8").strip())
