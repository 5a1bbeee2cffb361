"""The network that sets corners right: YOLO26n-cls' backbone, a head of its own, and its loss."""

from typing import Any

from torch import nn
from torch.nn import functional
from ultralytics.nn.modules import Conv
from ultralytics.nn.tasks import ClassificationModel

from vision.corners import OUTPUTS, REFINE_PX

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
