"""What is easy is shown seldom: a later stage learns from the rest.

Of crops: the network that a stage starts from names half of them almost surely; going through
those again costs as much as through hard ones and teaches nothing. Those it cannot name at all,
mostly covered beyond reading, are shown half as often. Of scenes: those in which no cards lie on
one another are mostly read already.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from training.data.shards import Crop, Sample, decode
from training.stages import trainer

EASY, EASY_SHARE = 0.03, 0.2
"""Crops of a smaller loss are shown with this share."""
HOPELESS, HOPELESS_SHARE = 3.0, 0.5
"""Crops of a greater loss are shown with this share."""
AT_ONCE = 64
"""Crops in one batch."""
HALF_COVERED, CROWD = 0.5, 4
"""A scene is crowded in which so many cards show less of themselves than this."""
UNCROWDED_SHARE = 0.3
"""How often another scene is shown, 1 for as often as once an epoch."""


class Oftener(torch.utils.data.Dataset):  # type: ignore[misc]  # torch is not in mypy's venv
    """The items of another data set, drawn by chance: an epoch shows as many as their shares."""

    def __init__(self, items: Any, shares: np.ndarray) -> None:
        self._items = items
        self.collate_fn = getattr(items, "collate_fn", None)
        self._edges = np.cumsum(shares) / shares.sum()
        self._length = max(1, round(float(shares.sum())))

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, _index: int) -> dict[str, Any]:
        drawn = int(np.searchsorted(self._edges, trainer.fresh_rng().random()))
        item: dict[str, Any] = self._items[min(drawn, len(self._items) - 1)]
        return item


def shares_of(losses: np.ndarray) -> np.ndarray:
    """How often crops of some losses are shown, 1 for as often as once an epoch.

    >>> shares_of(np.array([0.01, 0.5, 4.0])).tolist()
    [0.2, 1.0, 0.5]
    """
    hopeless = np.where(losses > HOPELESS, HOPELESS_SHARE, 1.0)
    return np.asarray(np.where(losses < EASY, EASY_SHARE, hopeless))


def losses_of(model: Any, crops: list[Crop]) -> np.ndarray:
    """The loss of each crop, as it is, under an ultralytics classifier in its present state."""
    training = model.training
    model.eval()
    found = []
    for at in range(0, len(crops), AT_ONCE):
        part = crops[at : at + AT_ONCE]
        pixels = np.stack([decode(crop.jpeg)[..., ::-1].transpose(2, 0, 1) for crop in part])
        device = next(model.parameters()).device
        with torch.no_grad():
            chances = model(torch.from_numpy(pixels).to(device).float() / 255)[0].cpu()
        right = chances[torch.arange(len(part)), torch.tensor([crop.label for crop in part])]
        found.append(-np.log(np.maximum(right.numpy(), 1e-6)))
    model.train(training)
    return np.concatenate(found)


def crowded_shares(samples: Sequence[Sample]) -> np.ndarray:
    """How often scenes are shown so that cards under others are learnt."""
    covered = np.array([(sample.visible < HALF_COVERED).sum() for sample in samples])
    return np.where(covered >= CROWD, 1.0, UNCROWDED_SHARE)


class HardCrops:
    """Mixin for a trainer on crops: mostly those that the weights it starts from do not name."""

    def build_dataset(self, img_path: str, mode: str = "train", batch: Any = None) -> Any:
        """The crops of the folder, the hard ones oftener."""
        crops = super().build_dataset(img_path, mode, batch)  # type: ignore[misc]
        return Oftener(crops, shares_of(losses_of(self.model, crops.crops)))  # type: ignore[attr-defined]


class CrowdedScenes:
    """Mixin for a trainer on scenes: mostly those in which cards lie on one another."""

    def build_dataset(self, img_path: str, mode: str = "train", batch: Any = None) -> Any:
        """The scenes of the folder, the crowded ones oftener."""
        scenes = super().build_dataset(img_path, mode, batch)  # type: ignore[misc]
        return Oftener(scenes, crowded_shares(scenes.samples))
