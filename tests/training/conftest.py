"""What the tests of training share."""

from pathlib import Path

import pytest

from training import data, printings


@pytest.fixture(scope="session")
def little_shard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one shard of a few scenes, made as `training.data` does without ../shared."""
    folder = tmp_path_factory.mktemp("scenes")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(printings, "SHARED", folder / "missing")
        patched.setattr(data, "SCENES_PER_SHARD", 6)
        data.main([str(folder), "--shards", "1", "--workers", "1"])
    return folder
