# Kernels in Triton for `wavesmith launch` under test. `python kernels_triton.py FOLDER gfx942` compiles each without a
# GPU into FOLDER/NAME.hsaco and prints a line "NAME SHARED" each, SHARED being the bytes of LDS that a launch must add.

import pathlib
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def reduction(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0), axis=0))


@triton.jit
def histogram(x, counts, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(counts + value, 1, mask=i < n)


@triton.jit
def scan(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.cumsum(tl.load(x + i, mask=i < n, other=0), axis=0), mask=i < n)


@triton.jit
def transpose(x, out, rows, columns, BLOCK: tl.constexpr):
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (r[:, None] < rows) & (c[None, :] < columns)
    tile = tl.load(x + r[:, None] * columns + c[None, :], mask=inside)
    inside = (c[:, None] < columns) & (r[None, :] < rows)
    tl.store(out + c[:, None] * rows + r[None, :], tl.trans(tile), mask=inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * columns + i
    row = tl.load(x + at, mask=i < columns, other=-float("inf"))
    e = tl.exp(row - tl.max(row, axis=0))
    tl.store(out + at, e / tl.sum(e, axis=0), mask=i < columns)


@triton.jit
def layernorm(x, out, columns, epsilon, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    at = tl.program_id(0) * columns + i
    row = tl.load(x + at, mask=i < columns, other=0.0).to(tl.float32)
    mean = tl.sum(row, axis=0) / columns
    d = tl.where(i < columns, row - mean, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(d * d, axis=0) / columns + epsilon)
    tl.store(out + at, (d * scale).to(tl.float16), mask=i < columns)


@triton.jit
def attention(q, k, v, out, n, scale, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.arange(0, 32)
    query = tl.load(q + row[:, None] * 32 + d[None, :], mask=row[:, None] < n, other=0.0)
    most = tl.full((BLOCK,), -1e30, tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    sums = tl.zeros((BLOCK, 32), tl.float32)
    for first in range(0, tl.minimum(n, (tl.program_id(0) + 1) * BLOCK), 32):
        column = first + tl.arange(0, 32)
        key = tl.load(k + column[None, :] * 32 + d[:, None], mask=column[None, :] < n, other=0.0)
        score = tl.where(row[:, None] >= column[None, :], tl.dot(query, key) * scale, -1e30)
        largest = tl.maximum(most, tl.max(score, 1))
        weight = tl.exp2(score - largest[:, None])
        shrink = tl.exp2(most - largest)
        value = tl.load(v + column[:, None] * 32 + d[None, :], mask=column[:, None] < n, other=0.0)
        total = total * shrink + tl.sum(weight, 1)
        sums = tl.dot(weight.to(tl.float16), value, sums * shrink[:, None])
        most = largest
    tl.store(out + row[:, None] * 32 + d[None, :], sums / total[:, None], mask=row[:, None] < n)


@triton.jit
def bins(x, sums, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(sums + i % 16, tl.load(x + i, mask=i < n, other=0.0), mask=i < n)


KERNELS = [
    (reduction, {"x": "*fp32", "out": "*fp32", "n": "i32"}, 1024),
    (histogram, {"x": "*u8", "counts": "*i32", "n": "i32"}, 1024),
    (scan, {"x": "*i32", "out": "*i32", "n": "i32"}, 256),
    (transpose, {"x": "*fp32", "out": "*fp32", "rows": "i32", "columns": "i32"}, 32),
    (softmax, {"x": "*fp32", "out": "*fp32", "columns": "i32"}, 512),
    (layernorm, {"x": "*fp16", "out": "*fp16", "columns": "i32", "epsilon": "fp32"}, 512),
    (attention, {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp32", "n": "i32", "scale": "fp32"}, 64),
    # Most parts have no atomic addition of half a dword: a loop of compare-and-swap.
    (bins, {"x": "*fp16", "sums": "*fp16", "n": "i32"}, 1024),
]

folder, target = pathlib.Path(sys.argv[1]), GPUTarget("hip", sys.argv[2], 64)
for kernel, signature, block in KERNELS:
    source = ASTSource(kernel, signature | {"BLOCK": "constexpr"}, {"BLOCK": block})
    compiled = triton.compile(source, target=target, options={"num_warps": 4})
    name = kernel.__name__
    (folder / f"{name}.hsaco").write_bytes(compiled.asm["hsaco"])
    print(name, compiled.metadata.shared)
