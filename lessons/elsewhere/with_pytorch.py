"""The experiment in PyTorch: a scheduler counts how often its step() is called."""

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import ExponentialLR

x = torch.linspace(1, 2, 10)
w = torch.tensor(0.0, requires_grad=True)
optimizer = SGD([w], lr=0.1)
scheduler = ExponentialLR(optimizer, gamma=2**0.1)
for _ in range(10):
    optimizer.zero_grad()
    ((w * x - x) ** 2).mean().backward()
    optimizer.step()
    scheduler.step()
    step = scheduler.last_epoch
    print(f"{scheduler.get_last_lr()[0]:.6g} {step} {w.item():.4f}")
