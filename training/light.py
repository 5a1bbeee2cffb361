"""Different light, inks and cameras for crops, on the device that trains.

All functions take crops (n, 3, h, w) float32 RGB, 0 to 1, and return others of the same shape.
"""

from collections.abc import Callable

import torch
from torch.nn import functional

STRIPED, LAMPS, GLARING, SMEARED, UNFOCUSED, COARSE, HALF_SHARP = (
    0.07, 0.07, 0.08, 0.08, 0.08, 0.14, 0.05
)  # fmt: skip
"""Shares of the crops: with the bands of a flickering lamp, in coloured light, with glare on a
part, smeared by motion, out of focus, of few pixels as from a webcam, and partly out of focus."""
LAMP_RGB = (
    (1.0, 0.1, 0.05), (0.15, 0.25, 1.0), (0.2, 1.0, 0.25), (1.0, 0.5, 0.1), (0.8, 0.1, 1.0)
)  # fmt: skip
"""Colours of lamps: red, blue, green, amber, violet."""
FLOOR = (0.12, 0.6)
"""Least and greatest share of white light next to a coloured lamp."""
GROUPS = 4
"""Different blurs in a batch; crops share them."""


def relit(crops: torch.Tensor, *, strength: float = 1.0) -> torch.Tensor:
    """Return crops in different light, some of them blurred or grainy."""
    count, device = len(crops), crops.device
    gain = torch.randn(count, 1, 1, 1, device=device) * 0.2
    gain = ((gain + torch.randn(count, 3, 1, 1, device=device) * 0.06) * strength).exp()
    lit = crops * gain + torch.randn(count, 1, 1, 1, device=device) * 0.03
    _change(lit, 0.15, _soft)
    _change(lit, 0.3, _grainy)
    return lit.clamp_(0, 1)


def recoloured(crops: torch.Tensor) -> torch.Tensor:
    """Return crops with the inks of a different press; some of them coarse."""
    count, device = len(crops), crops.device
    eye = torch.eye(3, device=device)
    turn = torch.randn(count, device=device) * 0.35
    turn = torch.where(
        torch.rand(count, device=device) < 0.15, torch.rand(count, device=device) * 6.28, turn
    )
    axis = torch.full((3, 3), 1 / 3, device=device)
    cross = torch.tensor([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], device=device) / 3**0.5
    c, s = turn.cos()[:, None, None], turn.sin()[:, None, None]
    hue = c * eye + s * cross + (1 - c) * axis
    strength = (torch.rand(count, 1, 1, device=device) * 1.6).clamp(min=0.0)
    strength = torch.where(torch.rand_like(strength) < 0.4, torch.ones_like(strength), strength)
    mixed = (eye * strength + (1 - strength) / 3) @ hue
    mixed = mixed + torch.randn(count, 3, 3, device=device) * 0.04
    changes = torch.rand(count, 1, 1, device=device) < 0.5
    mixed = torch.where(changes, mixed, eye.expand_as(mixed))
    inked = torch.bmm(mixed, crops.flatten(2)).view(crops.shape).clamp_(1e-4, 1)
    curve = (torch.randn(count, 1, 1, 1, device=device) * 0.25).exp()
    chosen = changes.flatten().nonzero()[:, 0]
    inked[chosen] = inked[chosen] ** curve[chosen]
    _change(inked, 0.15, _halved)
    return inked


def _soft(crops: torch.Tensor) -> torch.Tensor:
    """Blur crops slightly."""
    return functional.avg_pool2d(crops, 3, stride=1, padding=1, count_include_pad=False)


def _grainy(crops: torch.Tensor) -> torch.Tensor:
    """Add the noise of a sensor."""
    return crops + torch.randn_like(crops) * _uniform(crops, 0.004, 0.047)


def disturbed(crops: torch.Tensor) -> torch.Tensor:
    """Return crops, some of them as bad lamps and bad cameras show them."""
    crops = crops.clone()
    for share, change in (
        (STRIPED, _striped),
        (LAMPS, _under_a_lamp),
        (GLARING, _glaring),
        (SMEARED, _smeared),
        (UNFOCUSED, _unfocused),
        (COARSE, _coarse),
        (HALF_SHARP, _half_sharp),
    ):
        _change(crops, share, change)
    return crops


def _change(
    crops: torch.Tensor, share: float, change: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    """Change this share of `crops`, in place, in `GROUPS` groups."""
    chosen = (torch.rand(len(crops), device=crops.device) < share).nonzero()[:, 0]
    for group in chosen.chunk(GROUPS):
        if len(group):
            crops[group] = change(crops[group])


def _across(crops: torch.Tensor) -> torch.Tensor:
    """Return the place of each pixel along a line through the middle, -0.5 to 0.5: (n, 1, h, w)."""
    high, wide = crops.shape[2:]
    y = torch.linspace(-0.5, 0.5, high, device=crops.device).view(1, 1, high, 1)
    x = torch.linspace(-0.5, 0.5, wide, device=crops.device).view(1, 1, 1, wide)
    turn = _uniform(crops, 0, 6.28)
    return x * turn.cos() + y * turn.sin()


def _uniform(crops: torch.Tensor, low: float, high: float) -> torch.Tensor:
    """Return a random number for each crop: (n, 1, 1, 1)."""
    return low + (high - low) * torch.rand(len(crops), 1, 1, 1, device=crops.device)


def _striped(crops: torch.Tensor) -> torch.Tensor:
    """Add dark bands, as a camera sees a lamp that flickers."""
    waves = (6.28 * (_uniform(crops, 0.5, 5) * _across(crops) + _uniform(crops, 0, 1))).sin()
    dark = (0.5 + 0.5 * waves) ** _uniform(crops, 0.5, 3)
    return crops * (1 - _uniform(crops, 0.2, 0.8) * dark)


def _under_a_lamp(crops: torch.Tensor) -> torch.Tensor:
    """Light crops with one colour and some white; the strongest colour stays as bright."""
    lamps = torch.tensor(LAMP_RGB, device=crops.device)
    light = lamps[torch.randint(len(lamps), (len(crops),), device=crops.device)][..., None, None]
    white = _uniform(crops, *FLOOR)
    return crops * (light * (1 - white) + white)


def _glaring(crops: torch.Tensor) -> torch.Tensor:
    """Add a soft bright spot."""
    along, over = _across(crops), _across(crops)
    off = (along - _uniform(crops, -0.5, 0.5)) ** 2 + (over - _uniform(crops, -0.5, 0.5)) ** 2
    spot = (-off / (2 * _uniform(crops, 0.08, 0.35) ** 2)).exp()
    return (crops + spot * _uniform(crops, 0.2, 0.9)).clamp(max=1)


def _smeared(crops: torch.Tensor) -> torch.Tensor:
    """Blur crops along a line of a twentieth to a seventh of the side, as motion does."""
    reach = crops.shape[-1] * float(torch.empty(()).uniform_(0.05, 0.15)) / 2
    turn = torch.rand(()) * 3.14
    steps = torch.linspace(-1, 1, 33) * reach
    half = int(reach) + 1
    at = torch.stack([steps * turn.sin(), steps * turn.cos()]).round().long() + half
    kernel = torch.zeros(2 * half + 1, 2 * half + 1)
    kernel.index_put_((at[0], at[1]), torch.ones(steps.shape), accumulate=True)
    return _filtered(crops, kernel)


def _unfocused(crops: torch.Tensor) -> torch.Tensor:
    """Blur crops softly, by up to a thirtieth of the side."""
    sigma = crops.shape[-1] * float(torch.empty(()).uniform_(0.01, 0.033))
    half = int(2 * sigma) + 1
    line = (-(torch.arange(-half, half + 1) ** 2) / (2 * sigma**2)).exp()
    return _filtered(crops, line[:, None] * line)


def _filtered(crops: torch.Tensor, kernel: torch.Tensor) -> torch.Tensor:
    """Filter crops with one kernel of odd sides, with repeated edges."""
    half = len(kernel) // 2
    weight = (kernel / kernel.sum()).to(crops).expand(3, 1, -1, -1)
    padded = functional.pad(crops, (half, half, half, half), mode="replicate")
    return functional.conv2d(padded, weight, groups=3)


def _coarse(crops: torch.Tensor) -> torch.Tensor:
    """Return crops with a quarter to three fifths of the pixels."""
    return _resampled(crops, float(torch.empty(()).uniform_(0.25, 0.6)))


def _halved(crops: torch.Tensor) -> torch.Tensor:
    """Return crops with half of the pixels."""
    return _resampled(crops, 0.5)


def _resampled(crops: torch.Tensor, share: float) -> torch.Tensor:
    side = max(4, round(crops.shape[-1] * share))
    small = functional.interpolate(crops, size=(side, side), mode="area")
    return functional.interpolate(small, size=crops.shape[2:], mode="bilinear")


def _half_sharp(crops: torch.Tensor) -> torch.Tensor:
    """Blur one side of crops."""
    far = ((_across(crops) - _uniform(crops, -0.3, 0.3)) / _uniform(crops, 0.02, 0.2)).sigmoid()
    return crops + far * (_unfocused(crops) - crops)
