// Losses, element by element.
#include "switchyard/ops/formulas/loss.h"

#include "switchyard/backends/cpu/simd/register.h"

SY_CPU_LOOPS(squared_difference, f::SquaredDifference, Binary, kHalves | kFloats, 0)
SY_CPU_LOOPS(smooth_l1, f::SmoothL1, BinaryWith1, kHalves | kFloats, 0)
SY_CPU_LOOPS(huber, f::Huber, BinaryWith1, kHalves | kFloats, 0)
SY_CPU_LOOPS(binary_cross_entropy, f::BinaryCrossEntropy, Binary, kHalves | kFloats, 0)
