"""Critics: samples of the values of all actions at an observation, from the networks that people have.

A controller from settings is handed values by a critic: ``AdvisedEnv(env, advisor, controller, critic=counsel.critics.sb3(model))``. A recommended
controller learns values by itself and needs none. Every critic here reads the network as it is at the moment, so it follows while the network
learns; it gives an array of shape (samples, actions), or (environments, samples, actions) with ``side_by_side``.

| you have | use | a sample is |
|---|---|---|
| a DQN of Stable-Baselines3 | :func:`sb3` | the network, and its target network |
| a QR-DQN of sb3-contrib | :func:`sb3` | a quantile of the return |
| several Q-networks | :func:`modules` | one of them |
| a Q-network with dropout | :func:`dropout` | the network without some of its units |
| a quantile network | :func:`quantiles` | a quantile of the return |
| nothing of this | :class:`counsel.torch.Heads` | a head with a prior of its own |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import RefusedError

__all__ = ["dropout", "modules", "quantiles", "sb3"]

Values = npt.NDArray[np.float32]


def _tensor(observation: Any, network: Any, side_by_side: bool) -> Any:
    """The observation as a batch, where the network is."""
    import torch

    if isinstance(observation, dict):
        return {name: _tensor(part, network, side_by_side) for name, part in observation.items()}
    parameter = next(iter(network.parameters()), None) if hasattr(network, "parameters") else None
    device = None if parameter is None else parameter.device
    tensor = torch.as_tensor(np.asarray(observation), dtype=torch.float32, device=device)
    return tensor if side_by_side else tensor[None]


def _numbers(output: Any, dimensions: int, what: str) -> Values:
    """The output of a network as an array with a batch in front."""
    array: Values = np.asarray(output.detach().cpu().numpy() if hasattr(output, "detach") else output, np.float32)
    if array.ndim != dimensions:
        wanted = ("environments", "samples", "actions") if dimensions == 3 else ("environments", "actions")
        raise RefusedError(f"{what} gave the shape {list(array.shape)}; make it give {wanted}")
    return array


def modules(networks: Sequence[Callable[[Any], Any]], *, side_by_side: bool = False) -> Callable[[Any], Values]:
    """Several Q-networks, such as an ensemble: each is a sample.

    Parameters
    ----------
    networks : sequence of torch.nn.Module
        Each takes a batch of observations and gives the values of all actions.
    side_by_side : bool
        Whether observations come as a batch, as those of a vector environment do.

    Examples
    --------
    >>> import torch
    >>> from counsel import critics
    >>> critic = critics.modules([torch.nn.Linear(4, 2) for _ in range(8)])
    >>> critic([0.0, 0.0, 0.1, 0.2]).shape
    (8, 2)
    """
    held = list(networks)
    if not held:
        raise RefusedError("no networks came; pass one or more")

    def critic(observation: Any) -> Values:
        import torch

        with torch.no_grad():
            each = [_numbers(network(_tensor(observation, network, side_by_side)), 2, f"network {place}") for place, network in enumerate(held)]
        values = np.stack(each, axis=1)
        return values if side_by_side else values[0]

    return critic


def dropout(network: Any, *, samples: int = 8, seed: int = 0, side_by_side: bool = False) -> Callable[[Any], Values]:
    """A Q-network with dropout: a sample is the network without the units that one draw leaves out.

    The draws are a function of ``seed``, and the network's own mode and PyTorch's generator are left as they were.

    Parameters
    ----------
    network : torch.nn.Module
        It takes a batch of observations and gives the values of all actions.
    samples : int
        How many draws.
    seed : int
        Which.
    side_by_side : bool
        As for :func:`modules`.
    """
    import torch
    from torch.nn.modules.dropout import _DropoutNd

    if samples < 1:
        raise RefusedError(f"`samples` is {samples}; pass 1 or more")
    layers = [layer for layer in network.modules() if isinstance(layer, _DropoutNd)]
    if not layers:
        raise RefusedError("the network has no dropout, so all its samples would be the same; pass several networks to counsel.critics.modules")

    def critic(observation: Any) -> Values:
        modes = [(module, module.training) for module in network.modules()]
        network.eval()
        for layer in layers:
            layer.train()
        try:
            batch, each = _tensor(observation, network, side_by_side), []
            with torch.no_grad(), torch.random.fork_rng():
                for draw in range(samples):
                    torch.manual_seed(seed * samples + draw)
                    each.append(_numbers(network(batch), 2, "the network"))
        finally:
            for module, mode in modes:
                module.training = mode
        values = np.stack(each, axis=1)
        return values if side_by_side else values[0]

    return critic


def quantiles(network: Any, *, actions: int, side_by_side: bool = False) -> Callable[[Any], Values]:
    """A quantile network: a sample is a quantile of the return.

    Its spread is that of returns, and not of what is unknown: it stays where the world is noisy, however much was learned.

    Parameters
    ----------
    network : torch.nn.Module
        It takes a batch of observations and gives an array of shape (batch, quantiles, actions), or (batch, actions, quantiles).
    actions : int
        How many actions there are.
    side_by_side : bool
        As for :func:`modules`.
    """

    def critic(observation: Any) -> Values:
        import torch

        with torch.no_grad():
            values = _numbers(network(_tensor(observation, network, side_by_side)), 3, "the network")
        if values.shape[2] != actions:
            values = values.transpose(0, 2, 1)
        if values.shape[2] != actions:
            raise RefusedError(f"the network gave the shape {list(values.shape)}, and none of it is the {actions} actions; pass their number")
        return values if side_by_side else values[0]

    return critic


def sb3(model: Any) -> Callable[[Any], Values]:
    """The values of a learner of Stable-Baselines3, read as it reads observations: images, dictionaries and vector environments included.

    A DQN has two samples, its network and its target network: they differ where it is still learning. A QR-DQN of sb3-contrib has its
    quantiles. Actor-critic learners have values of states and not of actions; :func:`counsel.wrap` learns values beside them.

    Parameters
    ----------
    model : DQN or QRDQN
        The learner.
    """
    policy = getattr(model, "policy", model)
    if not any(hasattr(policy, name) for name in ("q_net", "quantile_net")):
        raise RefusedError(
            f"{type(model).__name__} has no values of actions; use counsel.wrap, which learns values by itself, or pass networks that "
            "have some to counsel.critics.modules"
        )

    def critic(observation: Any) -> Values:
        import torch

        batch, is_batch = policy.obs_to_tensor(observation)
        with torch.no_grad():
            if hasattr(policy, "quantile_net"):
                values = _numbers(policy.quantile_net(batch), 3, "the learner")
            else:
                values = np.stack([_numbers(network(batch), 2, "the learner") for network in (policy.q_net, policy.q_net_target)], axis=1)
        return values if is_batch else values[0]

    return critic
