"""Features as another pack would have given them: MixStyle.

The mean and the spread of a channel over a crop say more of inks and paper than of what is drawn.
Mixed with those of another crop of the batch, in the first layers and only while training, they
teach the rest of the network not to lean on them (Zhou and others, "Domain Generalization with
MixStyle", ICLR 2021).
"""

from typing import Any

import torch

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
    spread = (features.var((2, 3), keepdim=True) + 1e-6).sqrt().detach()
    other = torch.randperm(len(features))
    share = torch.distributions.Beta(ALPHA, ALPHA).sample((len(features), 1, 1, 1))
    share = share.to(features)
    mixed_mean = share * mean + (1 - share) * mean[other]
    mixed_spread = share * spread + (1 - share) * spread[other]
    return (features - mean) / spread * mixed_spread + mixed_mean
