"""Writes golden.txt: what PyTorch makes of the encoder of encoder.cc, seeded alike.

    python examples/transformer/record.py > examples/transformer/golden.txt
"""

import torch
from torch.nn import functional as F

LAYERS, WIDTH, HEADS, MLP, VOCABULARY, POSITIONS = 6, 384, 12, 1536, 30522, 512


def weight(rows, columns):
    return torch.randn(rows, columns).mul_(0.02)


torch.manual_seed(0)
tokens, positions = weight(VOCABULARY, WIDTH), weight(POSITIONS, WIDTH)
layers = [(weight(WIDTH, 3 * WIDTH), weight(WIDTH, WIDTH), weight(WIDTH, MLP), weight(MLP, WIDTH))
          for _ in range(LAYERS)]
ids = torch.randint(VOCABULARY, (4, 32))
b, l = ids.shape


def normalized(x):
    return F.layer_norm(x, (WIDTH,), torch.ones(WIDTH), torch.zeros(WIDTH))


x = normalized((F.embedding(ids, tokens) + positions[:l]).view(b * l, WIDTH))
for qkv, merge, widen, narrow in layers:
    q, k, v = (x @ qkv).view(b, l, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
    heard = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b * l, WIDTH)
    x = normalized(x + heard @ merge)
    x = normalized(x + F.gelu(x @ widen) @ narrow)
sentences = F.normalize(x.view(b, l, WIDTH).mean(1), dim=1)
for row in range(b):
    for column in range(row, WIDTH, 32):
        print(row, column, f"{sentences[row, column].item():.9g}")
