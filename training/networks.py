"""The networks that we change, and their losses.

*Locate*, `CardPoseModel`, is YOLO26n-pose with four keypoints, the corners of a card. Which short
side is the upper one cannot be seen on many cards, and no rule of order is continuous under
turning, so every prediction is compared with the nearer of the two orders. Only cells of the
feature map where a card is seen are asked for it: the boxes of cards in a ladder have nearly all
cells in common, and a cell cannot tell whose corners it is to give. A second class is the index
corner, the place on a card where an index stands, of which a ladder shows one for each card; it
gives the four corners of its card, too.

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
        """As ultralytics does it; what is wanted is kept for `select_candidates_in_gts`."""
        _scores, _boxes, labels, *_ = args
        self.is_card = labels == CARD
        self.places = places_of(extra["gt_kpts"][..., :2], self.is_card)
        return super().get_pos_mask(*args, **extra)

    def select_candidates_in_gts(
        self, xy_centers: Any, gt_bboxes: Any, mask_gt: Any, eps: float = 1e-9
    ) -> Any:
        """The cells that see each card or index corner, on levels that fit its size.

        A cell that sees an index corner is asked for that, not for its card. What no cell sees
        keeps the cells in its box.
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
        """How near the corners of each candidate pair are, for the size of the card."""
        cards = boxes_around(gt_kpts)
        given = super().pair_overlaps(indices, cards, pd_bboxes, pd_kpts, gt_kpts)
        turned = gt_kpts.roll(2, dims=-2)
        return torch.maximum(
            given, super().pair_overlaps(indices, cards, pd_bboxes, pd_kpts, turned)
        )


def places_of(corners: Any, is_card: Any) -> Any:
    """Where cards and index corners lie: (batch, n, 4, 2), from the corners of their cards.

    Those of an index corner's card begin at that corner. `is_card` is (batch, n, 1).
    """
    at_first = corners.new_tensor(INDEX_CORNER_OF_CARD) @ corners
    return torch.where(is_card[..., None], corners, at_first)


def boxes_around(corners: Any) -> Any:
    """x0, y0, x1, y1 around the corners (..., 4, 2 or more) of each card."""
    return torch.cat([corners[..., :2].amin(-2), corners[..., :2].amax(-2)], dim=-1)


def within(corners: Any, points: Any) -> Any:
    """Which points (p, 2) lie in which cards (batch, n, 4, 2), corners clockwise: (batch, n, p)."""
    inside = torch.ones(*corners.shape[:2], len(points), dtype=torch.bool, device=points.device)
    for here, there in zip(range(4), (1, 2, 3, 0), strict=True):
        start, side = corners[..., here, None, :], (corners[..., there, :] - corners[..., here, :])
        to_x, to_y = (points - start).unbind(-1)
        inside &= side[..., 0, None] * to_y - side[..., 1, None] * to_x > 0
    return inside


def covered(lies: Any) -> Any:
    """Where a later card lies over each: (batch, n, p), given where cards lie, lowest first.

    >>> covered(torch.tensor([[[True, True, False], [False, True, False]]])).tolist()
    [[[False, True, False], [False, False, False]]]
    """
    from_top = lies.flip(1).int().cumsum(1) - lies.flip(1).int()
    return from_top.flip(1) > 0


class EitherEndLoss(PoseLoss26):  # type: ignore[misc]  # ultralytics has no types
    """The corner loss against whichever end of the card the network put first."""

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
        """As ultralytics does it, after pointing each prediction at its nearer corner order.

        An error counts by the size of the card, also where an index corner gave it.
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
    """YOLO26n-pose with the loss above."""

    def init_criterion(self) -> Any:
        """The loss."""
        return EitherEndLoss(self)


CHANNELS = 128
"""Of the head's own layer."""
BETA = 0.02
"""Corner errors below this, in sides of the crop, count by their square."""
CORNERS_WEIGHT = 30.0
"""Of the corner loss beside that of there being a card."""


class CornerHead(nn.Module):  # type: ignore[misc]  # torch is not in mypy's venv
    """Features -> eight corner moves and one score, keeping where in the crop they were seen."""

    def __init__(self, channels: int, cells: int) -> None:
        super().__init__()
        self.conv = Conv(channels, CHANNELS, 1)
        self.linear = nn.Linear(CHANNELS * cells * cells, OUTPUTS)

    def forward(self, x: Any) -> Any:
        """(batch, channels, cells, cells) -> (batch, OUTPUTS)."""
        return self.linear(self.conv(x).flatten(1))


class CornerLoss:
    """Smooth L1 on the corners of cards, binary cross-entropy on there being one."""

    def __call__(self, found: Any, batch: dict[str, Any]) -> Any:
        """The loss of a batch; `batch["cls"]` holds OUTPUTS targets a crop."""
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
        """The loss."""
        return CornerLoss()


OWN_CLASSES = {one.__name__: one for one in (CardPoseModel, RefineModel, CornerHead)}
"""The classes of ours that a checkpoint may name."""


class _Unpickler(pickle.Unpickler):
    """Finds our own classes by name: checkpoints name the modules of the time they were saved."""

    def find_class(self, module: str, name: str) -> Any:
        """A class or function that a checkpoint names."""
        if module.startswith(("training.", "vision.training.")) and name in OWN_CLASSES:
            return OWN_CLASSES[name]
        return super().find_class(module, name)


def load_checkpoint(path: Path) -> Any:
    """The network that a checkpoint holds, in float32: its running average where it has one."""
    reading = SimpleNamespace(Unpickler=_Unpickler, load=pickle.load, __name__="training")
    stored = torch.load(path, map_location="cpu", weights_only=False, pickle_module=reading)
    return (stored.get("ema") or stored["model"]).float()


CHANCE = 0.5
"""How often a batch is mixed."""
ALPHA = 0.1
"""Of the beta distribution of the share that stays: mostly nearly all or nearly nothing."""
LAYERS = (2, 4)
"""Layers of the network after which styles are mixed."""


def mix_styles(model: Any) -> None:
    """Mixes styles after the first layers of an ultralytics model whenever it trains."""
    for layer in LAYERS:
        model.model[layer].register_forward_hook(_mixed)


def _mixed(layer: Any, _inputs: Any, features: torch.Tensor) -> torch.Tensor | None:
    """(batch, channels, height, width) with styles mixed, or None: as they are."""
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
