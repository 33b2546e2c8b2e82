// floor of integers, which are integers already.
#include "switchyard/backends/cpu/kernels/same.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

const Kernel kernel{"floor", "cpu", kIntegerTypes | kWideUnsignedTypes, Same};

}  // namespace
}  // namespace sy::cpu
