"""YOLO26n-pose for cards: four corners, and a loss that does not mind which end comes first.

Which short side is the upper one cannot be seen on many cards, and no rule of order is continuous
under turning; so every prediction is compared with the nearer of the two orders.
"""

from typing import Any

import torch
from ultralytics.nn.tasks import PoseModel
from ultralytics.utils.loss import PoseLoss26
from ultralytics.utils.tal import PoseTaskAlignedAssigner


class EitherEndAssigner(PoseTaskAlignedAssigner):  # type: ignore[misc]  # ultralytics has no types
    """Matches predictions to cards by the nearer of the two corner orders."""

    def pair_overlaps(
        self, indices: Any, gt_bboxes: Any, pd_bboxes: Any, pd_kpts: Any, gt_kpts: Any
    ) -> Any:
        """Overlap of each candidate pair."""
        given = super().pair_overlaps(indices, gt_bboxes, pd_bboxes, pd_kpts, gt_kpts)
        turned = gt_kpts.roll(2, dims=-2)
        return torch.maximum(
            given, super().pair_overlaps(indices, gt_bboxes, pd_bboxes, pd_kpts, turned)
        )


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
        """As ultralytics does it, after pointing each prediction at its nearer corner order."""
        both = torch.cat([keypoints, keypoints.roll(2, dims=-2)], dim=1)
        picture = masks.nonzero(as_tuple=True)[0]
        index = target_gt_idx[masks]
        strides = stride_tensor.view(1, -1).expand(masks.shape[0], -1)[masks][:, None, None]
        pixels = pred_kpts.detach()[masks][..., :2] * strides
        far = (both[picture, index][..., :2] - pixels).norm(dim=-1).sum(-1)
        near = (both[picture, index + keypoints.shape[1]][..., :2] - pixels).norm(dim=-1).sum(-1)
        chosen = target_gt_idx.clone()
        chosen[masks] = torch.where(near < far, index + keypoints.shape[1], index)
        return super().calculate_keypoints_loss(
            masks, chosen, both, stride_tensor, target_bboxes, pred_kpts
        )


class CardPoseModel(PoseModel):  # type: ignore[misc]  # ultralytics has no types
    """YOLO26n-pose with the loss above."""

    def init_criterion(self) -> Any:
        """The loss."""
        return EitherEndLoss(self)
