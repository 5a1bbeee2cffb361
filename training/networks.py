"""The networks that we change, and their losses.

*Locate*, `CardPoseModel`, is YOLO26n-pose with four keypoints, the corners of a card. On many
cards the upper end cannot be seen, and no order of corners is continuous under rotation. So the
loss compares a prediction with the nearer of the two orders. Only cells of the feature map that see
a card learn to find it: the boxes of cards in a ladder share nearly all cells, and a cell could not
tell whose corners to give. A second class is the index corner, the place of an index on a card,
which a ladder shows of every card. It gives the four corners of its card, too.

*Refine*, `RefineModel`, is the backbone of YOLO26n-cls with a head that gives corners.

*MixStyle* (Zhou and others, "Domain Generalization with MixStyle", ICLR 2021) is for the
classifiers: mean and spread of a channel over a crop say more of inks and paper than of what is
drawn, so in the first layers and while training they are mixed with those of another crop.
"""

import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from ultralytics.nn.modules import Conv
from ultralytics.nn.tasks import ClassificationModel, PoseModel
from ultralytics.utils.loss import PoseLoss26
from ultralytics.utils.tal import PoseTaskAlignedAssigner, TaskAlignedAssigner

from vision.corners import OUTPUTS, REFINE_PX

CARD, INDEX_CORNER = 0, 1
"""The classes."""
_WIDE, _HIGH = 0.3, 0.2
INDEX_CORNER_OF_CARD = (
    (1.0, 0.0, 0.0, 0.0),
    (1.0 - _WIDE, _WIDE, 0.0, 0.0),
    (1.0 - _WIDE - _HIGH, _WIDE, 0.0, _HIGH),
    (1.0 - _HIGH, 0.0, 0.0, _HIGH),
)
"""The corners of the index corner at a card's first corner are these sums of the card's own: three
tenths of its width and a fifth of its height, as large as a cell on a card 30 pixels wide."""


class EitherEndAssigner(PoseTaskAlignedAssigner):  # type: ignore[misc]  # ultralytics has no types
    """Matches predictions to cards by the nearer of the two corner orders, where each is seen."""

    def get_pos_mask(self, *args: Any, **extra: Any) -> Any:
        """As ultralytics does it; keeps the targets for `select_candidates_in_gts`."""
        _scores, _boxes, labels, *_ = args
        self.is_card = labels == CARD
        self.places = places_of(extra["gt_kpts"][..., :2], self.is_card)
        return super().get_pos_mask(*args, **extra)

    def select_candidates_in_gts(
        self, xy_centers: Any, gt_bboxes: Any, mask_gt: Any, eps: float = 1e-9
    ) -> Any:
        """Return the cells that see each card or index corner, on levels that fit its size.

        A cell that sees an index corner learns that, not its card. A target that no cell sees keeps
        the cells in its box.
        """
        boxed = TaskAlignedAssigner.select_candidates_in_gts(
            self, xy_centers, gt_bboxes, mask_gt, eps
        )
        lies = within(self.places, xy_centers)
        seen = boxed & lies & ~covered(lies & self.is_card)
        seen &= ~(self.is_card & (seen & ~self.is_card).any(1, keepdim=True))
        finest = self.anc_strides == self.anc_strides.min()
        share = (seen & finest).sum(-1) / (lies & finest).sum(-1).clamp(min=1)
        area = (gt_bboxes[..., 2:] - gt_bboxes[..., :2]).prod(-1).clamp(min=0) * share
        side, (low, high) = area.sqrt().unsqueeze(-1), self.level_range
        coarsest = self.anc_strides == self.anc_strides.max()
        fits = (side >= low * self.anc_strides) | finest
        fits &= (side <= high * self.anc_strides) | coarsest
        for narrower in (seen, seen & fits):
            boxed = torch.where(narrower.any(-1, keepdim=True), narrower, boxed)
        return boxed

    def pair_overlaps(
        self, indices: Any, gt_bboxes: Any, pd_bboxes: Any, pd_kpts: Any, gt_kpts: Any
    ) -> Any:
        """Return how near the corners of each candidate pair are, for the size of the card."""
        cards = boxes_around(gt_kpts)
        given = super().pair_overlaps(indices, cards, pd_bboxes, pd_kpts, gt_kpts)
        turned = gt_kpts.roll(2, dims=-2)
        return torch.maximum(
            given, super().pair_overlaps(indices, cards, pd_bboxes, pd_kpts, turned)
        )


def places_of(corners: Any, is_card: Any) -> Any:
    """Return the corners of cards and index corners (batch, n, 4, 2) from those of their cards.

    The corners of an index corner's card begin at that corner. `is_card` is (batch, n, 1).
    """
    at_first = corners.new_tensor(INDEX_CORNER_OF_CARD) @ corners
    return torch.where(is_card[..., None], corners, at_first)


def boxes_around(corners: Any) -> Any:
    """Return x0, y0, x1, y1 around the corners (..., 4, 2 or more) of each card."""
    return torch.cat([corners[..., :2].amin(-2), corners[..., :2].amax(-2)], dim=-1)


def within(corners: Any, points: Any) -> Any:
    """Return which points (p, 2) are in which cards (batch, n, 4, 2), clockwise: (batch, n, p)."""
    inside = torch.ones(*corners.shape[:2], len(points), dtype=torch.bool, device=points.device)
    for here, there in zip(range(4), (1, 2, 3, 0), strict=True):
        start, side = corners[..., here, None, :], (corners[..., there, :] - corners[..., here, :])
        to_x, to_y = (points - start).unbind(-1)
        inside &= side[..., 0, None] * to_y - side[..., 1, None] * to_x > 0
    return inside


def covered(lies: Any) -> Any:
    """Return where a later card covers each (batch, n, p), given the points in each, lowest first.

    >>> covered(torch.tensor([[[True, True, False], [False, True, False]]])).tolist()
    [[[False, True, False], [False, False, False]]]
    """
    from_top = lies.flip(1).int().cumsum(1) - lies.flip(1).int()
    return from_top.flip(1) > 0


class EitherEndLoss(PoseLoss26):  # type: ignore[misc]  # ultralytics has no types
    """The corner loss, with the card's ends in the order that the network chose."""

    def __init__(self, model: Any, tal_topk: int = 10, tal_topk2: int | None = None) -> None:
        super().__init__(model, tal_topk, tal_topk2)
        names = ("topk", "topk2", "num_classes", "alpha", "beta", "stride")
        given: Any = self.assigner
        chosen = {name: getattr(given, name) for name in names}
        self.assigner: Any = EitherEndAssigner(self.keypoint_loss.sigmas, **chosen)

    def calculate_keypoints_loss(
        self, masks: Any, target_gt_idx: Any, keypoints: Any, stride_tensor: Any,
        target_bboxes: Any, pred_kpts: Any,
    ) -> Any:  # fmt: skip
        """As ultralytics does it, with the nearer corner order of each prediction.

        An error is relative to the size of the card, also if an index corner made it.
        """
        both = torch.cat([keypoints, keypoints.roll(2, dims=-2)], dim=1)
        picture = masks.nonzero(as_tuple=True)[0]
        index = target_gt_idx[masks]
        strides = stride_tensor.view(1, -1).expand(masks.shape[0], -1)[masks][:, None, None]
        pixels = pred_kpts.detach()[masks][..., :2] * strides
        far = (both[picture, index][..., :2] - pixels).norm(dim=-1).sum(-1)
        near = (both[picture, index + keypoints.shape[1]][..., :2] - pixels).norm(dim=-1).sum(-1)
        chosen = target_gt_idx.clone()
        chosen[masks] = torch.where(near < far, index + keypoints.shape[1], index)
        pictures = torch.arange(len(keypoints), device=keypoints.device)[:, None]
        cards = boxes_around(keypoints)[pictures, target_gt_idx]
        return super().calculate_keypoints_loss(
            masks, chosen, both, stride_tensor, cards, pred_kpts
        )


class CardPoseModel(PoseModel):  # type: ignore[misc]  # ultralytics has no types
    """YOLO26n-pose with this loss."""

    def init_criterion(self) -> Any:
        """Return the loss."""
        return EitherEndLoss(self)


CHANNELS = 128
"""Channels of the head's layer."""
BETA = 0.02
"""Corner errors below this, in sides of the crop, count by their square."""
CORNERS_WEIGHT = 30.0
"""Weight of the corner loss relative to the loss of being a card."""


class CornerHead(nn.Module):  # type: ignore[misc]  # torch is not in mypy's venv
    """Features -> eight corner moves and one score, with their place in the crop."""

    def __init__(self, channels: int, cells: int) -> None:
        super().__init__()
        self.conv = Conv(channels, CHANNELS, 1)
        self.linear = nn.Linear(CHANNELS * cells * cells, OUTPUTS)

    def forward(self, x: Any) -> Any:
        """(batch, channels, cells, cells) -> (batch, OUTPUTS)."""
        return self.linear(self.conv(x).flatten(1))


class CornerLoss:
    """Smooth L1 of the corners of cards, binary cross-entropy of being a card."""

    def __call__(self, found: Any, batch: dict[str, Any]) -> Any:
        """Return the loss of a batch; `batch["cls"]` holds OUTPUTS targets a crop."""
        wanted = batch["cls"]
        is_card = wanted[:, -1]
        scores = functional.binary_cross_entropy_with_logits(found[:, -1], is_card)
        errors = functional.smooth_l1_loss(
            found[:, :-1], wanted[:, :-1], beta=BETA, reduction="none"
        )
        corners = (errors.mean(1) * is_card).sum() / is_card.sum().clamp(min=1)
        loss = scores + CORNERS_WEIGHT * corners
        return loss, {"score_loss": scores.detach(), "corner_loss": corners.detach()}


class RefineModel(ClassificationModel):  # type: ignore[misc]  # ultralytics has no types
    """The classifier's backbone with the head and the loss above."""

    def __init__(self) -> None:
        super().__init__("yolo26n-cls.yaml", nc=OUTPUTS, ch=3, verbose=False)
        given = self.model[-1]
        head = CornerHead(given.conv.conv.in_channels, REFINE_PX // 32)
        head.i, head.f, head.type, head.np = given.i, given.f, "CornerHead", 0
        self.model[-1] = head

    def init_criterion(self) -> Any:
        """Return the loss."""
        return CornerLoss()


OWN_CLASSES = {one.__name__: one for one in (CardPoseModel, RefineModel, CornerHead)}
"""Our classes that a checkpoint may name."""


class _Unpickler(pickle.Unpickler):
    """Finds our classes by name; checkpoints name the modules they had when they were saved."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class or function that a checkpoint names."""
        if module.startswith(("training.", "vision.training.")) and name in OWN_CLASSES:
            return OWN_CLASSES[name]
        return super().find_class(module, name)


def load_checkpoint(path: Path) -> Any:
    """Return a checkpoint's network in float32: its running average if it has one."""
    reading = SimpleNamespace(Unpickler=_Unpickler, load=pickle.load, __name__="training")
    stored = torch.load(path, map_location="cpu", weights_only=False, pickle_module=reading)
    return (stored.get("ema") or stored["model"]).float()


CHANCE = 0.5
"""Probability that a batch is mixed."""
ALPHA = 0.1
"""Parameter of the beta distribution of the share that stays: mostly near 0 or 1."""
LAYERS = (2, 4)
"""Layers after which styles are mixed."""


def mix_styles(model: Any) -> None:
    """Mix styles after the first layers of an ultralytics model while it trains."""
    for layer in LAYERS:
        model.model[layer].register_forward_hook(_mixed)


def _mixed(layer: Any, _inputs: Any, features: torch.Tensor) -> torch.Tensor | None:
    """Return (batch, channels, height, width) with mixed styles, or None for no change."""
    if not layer.training or torch.rand(()) >= CHANCE:
        return None
    mean = features.mean((2, 3), keepdim=True).detach()
    centred = features.detach() - mean
    spread = (centred.square().mean((2, 3), keepdim=True) + 1e-6).sqrt()  # var is ten times slower
    other = torch.randperm(len(features))
    share = torch.distributions.Beta(ALPHA, ALPHA).sample((len(features), 1, 1, 1))
    share = share.to(features)
    mixed_mean = share * mean + (1 - share) * mean[other]
    mixed_spread = share * spread + (1 - share) * spread[other]
    return (features - mean) / spread * mixed_spread + mixed_mean
