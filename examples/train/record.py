"""Writes golden.txt: the losses of training.cc's steps, by PyTorch, seeded alike, and the accuracy.

    python examples/train/record.py > examples/train/golden.txt
"""

import math
import re

import torch
from torch.nn import functional as F

EPOCHS, DIGITS, BATCH, MAX_LR, SEED, SIDE = 4, 2048, 32, 0.1, 0, 16

with open("examples/train/digits.cc", encoding="utf-8") as f:
    font = re.findall(r'"([.#]{35})"', f.read())
glyphs = torch.tensor([[float(c == "#") for c in digit] for digit in font]).reshape(10, 7, 5)
glyphs = glyphs.repeat_interleave(2, 1).repeat_interleave(2, 2)


def draw_digits(n, seed):
    height, width = glyphs.shape[1:]
    torch.manual_seed(seed)
    labels = torch.randint(10, (n,))
    left, top = torch.randint(SIDE - width + 1, (n,)), torch.randint(SIDE - height + 1, (n,))
    ink = torch.rand(n, 1, 1) * 0.5 + 0.5
    images = torch.randn(n, 1, SIDE, SIDE) * 0.3
    inked = glyphs[labels] * ink
    for i in range(n):
        images[i, 0, top[i]:top[i] + height, left[i]:left[i] + width] += inked[i]
    return images, labels


def layer(*sizes):
    bound = 1 / math.sqrt(math.prod(sizes[1:]))
    return [torch.empty(s).uniform_(-bound, bound).requires_grad_() for s in (sizes, sizes[:1])]


images, labels = draw_digits(DIGITS, SEED)
unseen, unseen_labels = draw_digits(1000, SEED + 1)
torch.manual_seed(SEED)
conv1, conv2, linear = layer(8, 1, 3, 3), layer(16, 8, 3, 3), layer(10, 256)
parameters = conv1 + conv2 + linear


def network(x):
    for conv in (conv1, conv2):
        x = F.max_pool2d(F.relu(F.conv2d(x, *conv, padding=1)), 2)
    return F.linear(x.flatten(1), *linear)


steps = EPOCHS * DIGITS // BATCH
optimiser = torch.optim.SGD(parameters, lr=MAX_LR, momentum=0.9, nesterov=True)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, MAX_LR, total_steps=steps)
for step in range(steps):
    epoch, at = divmod(step * BATCH, DIGITS)
    torch.manual_seed(SEED + 100 + epoch)
    rows = torch.randperm(DIGITS)[at:at + BATCH]
    optimiser.zero_grad()
    loss = F.cross_entropy(network(images[rows]), labels[rows])
    loss.backward()
    torch.nn.utils.clip_grad_norm_(parameters, 1.0)
    optimiser.step()
    schedule.step()
    print(f"{loss.item():.9g}")
with torch.no_grad():
    print(f"accuracy {(network(unseen).argmax(1) == unseen_labels).double().mean().item():.4f}")
