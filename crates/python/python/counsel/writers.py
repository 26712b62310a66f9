"""Where the numbers of advice go besides the log: TensorBoard, Weights & Biases, or any function.

    writer = counsel.writers.TensorBoard("runs/advised")            # or writers.WandB(run), or writers.Numbers(print)
    ...
    writer.write(env.controller, step)                              # now and then: advice/calls, advice/changed, advice/why/...
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._counsel import Controller, VectorController
from .errors import RefusedError

__all__ = ["Numbers", "TensorBoard", "WandB", "numbers"]


def numbers(controller: Controller | VectorController) -> dict[str, float]:
    """What a controller did so far, as flat numbers: ``advice/decisions``, ``advice/calls``, ``advice/calls_left``, ``advice/changed``,
    ``advice/bankroll`` and ``advice/why/REASON``.

    Examples
    --------
    >>> import counsel
    >>> controller = counsel.Controller.recommended(price=0.01, budget=5, actions=["left", "right"])
    >>> act = controller.advise(context="a corridor", base=0, ask=lambda: "right")
    >>> counsel.writers.numbers(controller)["advice/calls"]
    1.0
    """
    summary: dict[str, Any] = dict(controller.summary())
    reasons = summary.pop("reasons")
    counted = {f"advice/{name}": float(value) for name, value in summary.items()}
    return counted | {f"advice/why/{reason}": float(count) for reason, count in reasons.items()}


class Numbers:
    """Hands the numbers of a controller to a function of the numbers and the step.

    Parameters
    ----------
    to : callable
        Called as ``to(numbers, step)``.
    """

    def __init__(self, to: Callable[[dict[str, float], int], Any]) -> None:
        if not callable(to):
            raise RefusedError(f"the receiver is {to!r}; pass a callable of the numbers and the step")
        self._to = to

    def write(self, controller: Controller | VectorController, step: int) -> None:
        """Writes the numbers of a ``controller`` as they are now, at this ``step`` of its run."""
        self._to(numbers(controller), int(step))


class TensorBoard(Numbers):
    """Scalars for TensorBoard.

    Parameters
    ----------
    to : path or SummaryWriter
        A folder, for which PyTorch and tensorboard are needed, or a writer that you have already.
    """

    def __init__(self, to: Any) -> None:
        if isinstance(to, (str, Path)):
            try:
                from torch.utils.tensorboard import SummaryWriter
            except ModuleNotFoundError:
                raise ModuleNotFoundError(
                    "writing event files needs PyTorch and tensorboard; pip install torch tensorboard, or pass a writer that you have"
                ) from None
            make: Any = SummaryWriter
            to = make(str(to))
        if not hasattr(to, "add_scalar"):
            raise RefusedError(f"the writer is {to!r}; pass a folder, or an object with `add_scalar`")
        self.writer = to

        def add(found: dict[str, float], step: int) -> None:
            for name, value in found.items():
                to.add_scalar(name, value, step)
            if hasattr(to, "flush"):
                to.flush()

        super().__init__(add)


class WandB(Numbers):
    """Numbers for Weights & Biases.

    Parameters
    ----------
    run : wandb.Run
        What ``wandb.init`` returned.
    """

    def __init__(self, run: Any) -> None:
        if not hasattr(run, "log"):
            raise RefusedError(f"the run is {run!r}; pass what wandb.init returned")
        super().__init__(lambda found, step: run.log(found, step=step))
