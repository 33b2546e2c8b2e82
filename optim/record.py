"""Writes recorded.txt: what PyTorch's optimisers, schedules and clipping give in recorded_test.cc.

    python optim/record.py > optim/recorded.txt

A line is a name and numbers.
"""

import torch
from torch import optim
from torch.optim import lr_scheduler

STEPS, EPOCHS = 6, 24
torch.set_default_dtype(torch.float64)


def parameters():
    w = torch.arange(6.0).reshape(3, 2).sub(2.5).requires_grad_()
    b = torch.tensor([0.5, -1.5]).requires_grad_()
    return w, b


def line(name, values):
    print(name, *(f"{v:.17g}" for v in values))


def set_gradients(tensors, step):
    for t in tensors:
        t.grad = torch.sin(t.detach() * 3 + step)


OPTIMISERS = {
    "sgd": (optim.SGD, {"lr": 0.1}),
    "sgd_decay": (optim.SGD, {"lr": 0.1, "weight_decay": 0.2}),
    "sgd_momentum": (optim.SGD, {"lr": 0.1, "momentum": 0.9}),
    "sgd_dampening": (optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.4, "weight_decay": 0.1}),
    "sgd_nesterov": (optim.SGD, {"lr": 0.1, "momentum": 0.8, "nesterov": True, "weight_decay": 0.1}),
    "sgd_maximize": (optim.SGD, {"lr": 0.1, "momentum": 0.8, "maximize": True}),
    "adam": (optim.Adam, {}),
    "adam_all": (optim.Adam, {"lr": 0.05, "betas": (0.8, 0.95), "eps": 1e-6, "weight_decay": 0.1}),
    "adam_amsgrad": (optim.Adam, {"lr": 0.1, "betas": (0.5, 0.6), "amsgrad": True}),
    "adam_maximize": (optim.Adam, {"lr": 0.1, "maximize": True, "weight_decay": 0.1}),
    "adamw": (optim.AdamW, {}),
    "adamw_all": (optim.AdamW, {"lr": 0.05, "betas": (0.8, 0.95), "eps": 1e-6, "weight_decay": 0.5}),
    "adamw_amsgrad": (optim.AdamW, {"lr": 0.1, "betas": (0.5, 0.6), "amsgrad": True}),
    "adamw_maximize": (optim.AdamW, {"lr": 0.1, "maximize": True}),
}
for name, (kind, options) in OPTIMISERS.items():
    tensors = parameters()
    optimiser = kind(tensors, **options)
    for step in range(STEPS):
        set_gradients(tensors, step)
        optimiser.step()
        line(f"{name}.{step}", torch.cat([t.detach().flatten() for t in tensors]))

# Two groups, the second one with a gradient from the third step on.
w, b = parameters()
optimiser = optim.SGD([{"params": [w]}, {"params": [b], "lr": 0.3, "momentum": 0.5}], lr=0.1, momentum=0.9)
for step in range(STEPS):
    set_gradients([w, b] if step >= 2 else [w], step)
    optimiser.step()
    line(f"groups.{step}", torch.cat([w.detach().flatten(), b.detach()]))


def warm_up(optimiser):
    warm = lr_scheduler.LinearLR(optimiser, start_factor=0.1, total_iters=5)
    fall = lr_scheduler.CosineAnnealingLR(optimiser, T_max=10, eta_min=0.01)
    rest = lr_scheduler.ExponentialLR(optimiser, gamma=0.9)
    return lr_scheduler.SequentialLR(optimiser, [warm, fall, rest], milestones=[5, 15])


class Both:
    """Two at once."""

    def __init__(self, optimiser):
        self.schedules = [lr_scheduler.LinearLR(optimiser, start_factor=0.5, total_iters=4),
                          lr_scheduler.ExponentialLR(optimiser, gamma=0.9)]

    def step(self):
        for s in self.schedules:
            s.step()


SCHEDULES = {
    "step": lambda o: lr_scheduler.StepLR(o, step_size=3, gamma=0.5),
    "multi_step": lambda o: lr_scheduler.MultiStepLR(o, milestones=[2, 5, 5, 9], gamma=0.3),
    "exponential": lambda o: lr_scheduler.ExponentialLR(o, gamma=0.8),
    "cosine": lambda o: lr_scheduler.CosineAnnealingLR(o, T_max=8, eta_min=0.01),
    "linear": lambda o: lr_scheduler.LinearLR(o, start_factor=0.25, end_factor=0.75, total_iters=6),
    "lambda": lambda o: lr_scheduler.LambdaLR(o, lambda epoch: 1 / (1 + epoch)),
    "one_cycle": lambda o: lr_scheduler.OneCycleLR(o, max_lr=[0.5, 1.0], total_steps=24),
    "one_cycle_line": lambda o: lr_scheduler.OneCycleLR(o, max_lr=0.5, total_steps=24, pct_start=0.25, div_factor=10,
                                                        anneal_strategy="linear", cycle_momentum=False),
    "one_cycle_three": lambda o: lr_scheduler.OneCycleLR(o, max_lr=0.5, total_steps=24, three_phase=True,
                                                         base_momentum=0.7, max_momentum=0.9, final_div_factor=100),
    "warm_up": warm_up,
    "both": Both,
}
for name, make in SCHEDULES.items():
    w, b = parameters()
    optimiser = optim.SGD([{"params": [w]}, {"params": [b], "lr": 0.05}], lr=0.1, momentum=0.9)
    schedule = make(optimiser)
    for epoch in range(EPOCHS):
        line(f"{name}.{epoch}", [v for g in optimiser.param_groups for v in (g["lr"], g["momentum"])])
        optimiser.step()
        schedule.step()

for name, kind in {"two": 2.0, "one": 1.0, "three": 3.0, "largest": float("inf")}.items():
    for bound in [0.5, 100.0]:
        tensors = parameters()
        set_gradients(tensors, 0)
        norm = torch.nn.utils.clip_grad_norm_(tensors, bound, kind)
        line(f"norm_{name}.{bound:g}", torch.cat([norm.reshape(1)] + [t.grad.flatten() for t in tensors]))
tensors = parameters()
set_gradients(tensors, 0)
torch.nn.utils.clip_grad_value_(tensors, 0.25)
line("value", torch.cat([t.grad.flatten() for t in tensors]))
