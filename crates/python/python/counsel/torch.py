"""PyTorch: an ensemble of value heads with random priors, whose spread says how much is known.

A single Q-network has no samples of its values. :class:`Heads` has K of them on one trunk, each beside a prior network that is
never trained (Osband, Aslanides and Cassirer, 2018): where there is no data the heads keep the disagreement of their priors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import torch
    from torch import nn
except ModuleNotFoundError:
    raise ModuleNotFoundError("counsel.torch needs PyTorch; pip install 'counsel-rl[torch]'") from None

__all__ = ["Heads"]


class Heads(nn.Module):
    """K bootstrap heads with random priors.

    Parameters
    ----------
    inputs, actions : int
        The width of an observation, and how many actions there are.
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
        self, inputs: int, actions: int, *, heads: int = 8, hidden: int = 64, prior_scale: float = 1.0, seed: int = 0
    ) -> None:
        super().__init__()
        self.actions, self.heads, self.prior_scale = actions, heads, prior_scale
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.trunk = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU())
            self.values = nn.Linear(hidden, heads * actions)
            self.prior = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, heads * actions))
        self.prior.requires_grad_(False)

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        """Values of shape (..., heads, actions)."""
        values: torch.Tensor = self.values(self.trunk(observation)) + self.prior_scale * self.prior(observation)
        return values.reshape(*values.shape[:-1], self.heads, self.actions)

    def samples(self, observation: Any) -> npt.NDArray[np.float32]:
        """Values as a controller takes them, without gradient."""
        with torch.inference_mode():
            tensor = torch.as_tensor(np.asarray(observation), dtype=torch.float32)
            found: npt.NDArray[np.float32] = self(tensor).cpu().numpy()
        return found

    def loss(
        self, observation: torch.Tensor, action: torch.Tensor, target: torch.Tensor, mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        """The mean squared error of the heads on the actions that were executed; ``mask`` says which head sees which row.

        ``target`` has shape (batch, heads) or (batch, 1), ``mask`` (batch, heads).
        """
        index = action.long().view(-1, 1, 1).expand(-1, self.heads, 1)
        chosen: torch.Tensor = self(observation).gather(-1, index).squeeze(-1)
        error = (chosen - target) ** 2
        if mask is not None:
            return (error * mask).sum() / mask.sum().clamp(min=1)
        return error.mean()
