from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from conftest import System

FOLDER = Path(__file__).parents[1]


def test_the_lines_at_the_start_of_the_readme_work(
    system: System, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CONSUMER_KEY", system.consumerKey)
    monkeypatch.setenv("USER_KEY", system.userKey)
    block = re.search(r"```python\n(.+?)```", (FOLDER / "README.md").read_text(), re.DOTALL)
    assert block is not None
    code = block[1].replace("http://localhost:8080", system.baseUrl)
    exec(code, {})
    assert "Gardener Published" in capsys.readouterr().out


def test_the_wheel_has_the_types_and_the_version_of_the_product(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=FOLDER, check=True)
    [wheel] = tmp_path.glob("*.whl")
    version = json.loads((FOLDER / "package.json").read_text())["version"]
    assert wheel.name == f"job_listing_client-{version}-py3-none-any.whl"
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    sources = {path.name for path in (FOLDER / "src" / "job_listing_client").iterdir() if path.is_file()}
    assert {f"job_listing_client/{name}" for name in sources} <= names
    assert {"_generated.py", "py.typed"} <= sources


def test_the_readme_has_the_retries_of_the_typescript_client() -> None:
    readmes = [FOLDER / "README.md", FOLDER.parent / "client" / "README.md"]
    tables = [re.search(r"## Retries\n\n(\|.+?)\n\n", path.read_text(), re.DOTALL) for path in readmes]
    [ours, theirs] = [table and table[1] for table in tables]
    assert ours is not None
    assert ours == theirs
