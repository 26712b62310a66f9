"""PyTorch: an ensemble of value heads with random priors, whose spread says how much is known.

A single Q-network has no samples of its values. :class:`Heads` has K of them on one trunk, each beside a prior network that is
never trained (Osband, Aslanides and Cassirer, 2018): where there is no data the heads keep the disagreement of their priors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import RefusedError

try:
    import torch
    from torch import nn
except ModuleNotFoundError:
    raise ModuleNotFoundError("counsel.torch needs PyTorch; pip install 'counsel-rl[torch]'") from None

__all__ = ["Heads"]


class _Pixels(nn.Module):
    """Images as a network of convolutions reads them: channels first, 0 to 1."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        super().__init__()
        self.is_last = shape[2] <= 4 < shape[0]
        height, width, channels = shape if self.is_last else (shape[1], shape[2], shape[0])
        self.layers = nn.Sequential(
            nn.Conv2d(channels, 16, 3, stride=2 if min(height, width) > 16 else 1, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(min(4, height, width)), nn.Flatten(),
        )
        self.width = 32 * min(4, height, width) ** 2

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        batch = image.reshape(-1, *image.shape[-3:]) / 255
        found: torch.Tensor = self.layers(batch.permute(0, 3, 1, 2) if self.is_last else batch)
        return found.reshape(*image.shape[:-3], self.width)


def _trunk(inputs: int | tuple[int, ...], hidden: int) -> nn.Sequential:
    if isinstance(inputs, int):
        return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU())
    if len(inputs) == 1:
        return _trunk(inputs[0], hidden)
    if len(inputs) != 3:
        raise RefusedError(f"the shape of an observation is {inputs}; pass a width, or the shape of an image")
    pixels = _Pixels(inputs)
    return nn.Sequential(pixels, nn.Linear(pixels.width, hidden), nn.ReLU())


class Heads(nn.Module):
    """K bootstrap heads with random priors.

    Parameters
    ----------
    inputs : int or tuple of int
        The width of an observation; or the shape of an image, (height, width, channels) or (channels, height, width), whose trunk is then
        convolutional and whose bytes are read as 0 to 1.
    actions : int
        How many actions there are.
    heads : int
        K.
    hidden : int
        The width of the trunk.
    prior_scale : float
        How much of the prior is added to each head.
    seed : int
        The weights are a function of it.
    """

    def __init__(
        self, inputs: int | tuple[int, ...], actions: int, *, heads: int = 8, hidden: int = 64, prior_scale: float = 1.0, seed: int = 0
    ) -> None:
        super().__init__()
        self.actions, self.heads, self.prior_scale = actions, heads, prior_scale
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.trunk = _trunk(inputs, hidden)
            self.values = nn.Linear(hidden, heads * actions)
            self.prior = nn.Sequential(_trunk(inputs, hidden), nn.Linear(hidden, heads * actions))
        self.prior.requires_grad_(False)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Values of an ``observation``, or of many, of shape (..., heads, actions)."""
        values: torch.Tensor = self.values(self.trunk(observation)) + self.prior_scale * self.prior(observation)
        return values.reshape(*values.shape[:-1], self.heads, self.actions)

    def samples(self, observation: Any) -> npt.NDArray[np.float32]:
        """Values as a controller takes them, without gradient: of one observation, or of many."""
        with torch.inference_mode():
            tensor = torch.as_tensor(np.asarray(observation), dtype=torch.float32, device=self.values.weight.device)
            found: npt.NDArray[np.float32] = self(tensor).cpu().numpy()
        return found

    def loss(
        self, observation: torch.Tensor, action: torch.Tensor, target: torch.Tensor, mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """The mean squared error of the heads on the actions that were executed; ``mask`` says which head sees which row.

        ``observation`` and ``action`` have an entry per row; ``target`` has shape (batch, heads) or (batch, 1), ``mask`` (batch, heads).
        """
        index = action.long().view(-1, 1, 1).expand(-1, self.heads, 1)
        chosen: torch.Tensor = self(observation).gather(-1, index).squeeze(-1)
        error = (chosen - target) ** 2
        if mask is not None:
            return (error * mask).sum() / mask.sum().clamp(min=1)
        return error.mean()
