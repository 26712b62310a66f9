"""What would another gate have asked? A logged run, decided again under other settings.

Every row is decided as it was met, with the reply that was logged. After the first action that differs, the rows of an episode are
hypothetical: the program says how many are not, and never speaks of a return.
"""

import numpy as np

import counsel

ACTIONS = ["left", "right", "wait"]
rng = np.random.default_rng(0)

# A run that always asks, logged by a program of yours.
always = counsel.Settings(advisor="chance", budget=counsel.Budget(per_run=1_000), gate=counsel.gates.Always(), execution=counsel.rules.Certified(tolerance=2.0))
with counsel.Log("runs", arm="always") as log:
    controller = counsel.Controller(always, ACTIONS, price=0.01, log=log, predictor=counsel.Predictor.frequency(3))
    for step in range(600):
        if step % 30 == 0:
            controller.begin_episode()
        controller.advise(values=rng.random((6, 3)), base=int(rng.integers(3)), ask=lambda: ACTIONS[int(rng.integers(3))], context=step % 40)
        controller.outcome(float(rng.random()))

rows = counsel.log.read("runs", backend="numpy")
print("price   calls  of  same action  rows that are not hypothetical")
for price in (0.001, 0.02, 0.1):
    engine = counsel.Engine(counsel.Settings(advisor="chance", budget=counsel.Budget(per_run=1_000), execution=counsel.rules.Certified(tolerance=2.0)), ACTIONS)
    same = real = 0
    diverged = False
    for row in range(len(rows["step"])):
        if rows["step_in_episode"][row] == 0:
            engine.begin_episode()
            diverged = False
        turn = engine.decide(
            np.reshape(rows["value_samples"][row], (-1, 3)), rows["lower_bounds"][row], rows["upper_bounds"][row],
            rows["response_law"][row], int(rows["base"][row]), context=int(rows["context"][row]), radius=0.01, price=price,
        )
        act = engine.resume(turn, str(rows["reply"][row])) if isinstance(turn, counsel.Ask) else turn
        real += not diverged
        agrees = act.action == rows["executed"][row]
        same += agrees
        diverged |= not agrees
    count = len(rows["step"])
    print(f"{price:<7} {engine.calls:>5} {count:>4} {same / count:>11.0%}  {real}")
