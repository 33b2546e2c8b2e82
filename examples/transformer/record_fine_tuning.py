"""Writes fine_tuning_golden.txt: PyTorch's losses in the runs of fine_tuning_test.cc, seeded alike.

    python examples/transformer/record_fine_tuning.py > examples/transformer/fine_tuning_golden.txt
"""

import torch
from torch.nn import functional as F
from torch.optim import lr_scheduler


def weight(rows, columns):
    return torch.randn(rows, columns).mul_(0.02).requires_grad_()


class Encoder:
    def __init__(self, layers, width, heads, mlp, vocabulary, positions):
        torch.manual_seed(0)
        self.width, self.heads = width, heads
        self.tokens, self.positions = weight(vocabulary, width), weight(positions, width)
        self.scale = torch.ones(width, requires_grad=True)
        self.shift = torch.zeros(width, requires_grad=True)
        self.layers = [[(weight(i, o), torch.zeros(o, requires_grad=True))
                        for i, o in [(width, 3 * width), (width, width), (width, mlp), (mlp, width)]]
                       for _ in range(layers)]

    def parameters(self):
        linear = [t for layer in self.layers for pair in layer for t in pair]
        return [self.tokens, self.positions, self.scale, self.shift] + linear

    def normalized(self, x):
        return F.layer_norm(x, (self.width,), self.scale, self.shift)

    def __call__(self, ids):
        b, l = ids.shape
        x = F.embedding(ids, self.tokens) + self.positions[:l]
        x = self.normalized(x.view(b * l, self.width))
        for qkv, merge, widen, narrow in self.layers:
            q, k, v = torch.addmm(qkv[1], x, qkv[0]).view(b, l, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
            heard = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b * l, self.width)
            x = self.normalized(torch.addmm(merge[1], heard, merge[0]) + x)
            wide = F.gelu(torch.addmm(widen[1], x, widen[0]))
            x = self.normalized(torch.addmm(narrow[1], wide, narrow[0]) + x)
        sentences = x.view(b, l, self.width).mean(1)
        return sentences / torch.linalg.vector_norm(sentences, dim=1, keepdim=True)


def pairs(vocabulary, b, l):
    torch.manual_seed(1)
    left, other = torch.randint(vocabulary, (b, l)), torch.randint(vocabulary, (b, l))
    return left, torch.where(torch.rand(b, l) < 0.85, other, left)


def run(name, sizes, steps, warm_up, lr):
    encoder = Encoder(*sizes)
    parameters = encoder.parameters()
    optimiser = torch.optim.AdamW([{"params": [p for p in parameters if p.dim() == 2], "weight_decay": 0.01},
                                   {"params": [p for p in parameters if p.dim() != 2], "weight_decay": 0}], lr=lr)
    warm = lr_scheduler.LinearLR(optimiser, start_factor=0.1, total_iters=warm_up)
    fall = lr_scheduler.CosineAnnealingLR(optimiser, T_max=steps - warm_up)
    schedule = lr_scheduler.SequentialLR(optimiser, [warm, fall], milestones=[warm_up])
    left, right = pairs(sizes[4], 8, 16)
    for _ in range(steps):
        optimiser.zero_grad()
        loss = F.cross_entropy(encoder(left) @ encoder(right).T * 10, torch.arange(len(left)))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        schedule.step()
        print(name, f"{loss.item():.9g}")


run("small", (2, 96, 4, 192, 500, 64), steps=12, warm_up=3, lr=1e-3)
run("full", (6, 384, 12, 1536, 30522, 512), steps=4, warm_up=1, lr=5e-5)
