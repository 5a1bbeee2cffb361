"""YOLO26n-pose for cards: four corners, and a loss that does not mind which end comes first.

Which short side is the upper one cannot be seen on many cards, and no rule of order is continuous
under turning; so every prediction is compared with the nearer of the two orders.

Only cells of the feature map where a card is seen are asked for it. The boxes of cards squared up
or in a ladder have nearly all cells in common, and a cell cannot tell whose corners it is to give.

A second class is the index corner: the place on a card where an index stands, of which a ladder
shows one for each card. What it gives are the four corners of its card, as the card itself does.
"""

from typing import Any

import torch
from ultralytics.nn.tasks import PoseModel
from ultralytics.utils.loss import PoseLoss26
from ultralytics.utils.tal import PoseTaskAlignedAssigner, TaskAlignedAssigner

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
