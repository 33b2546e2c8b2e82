// Every fault of testdata/mutant and testdata/late, with the check of the kit that finds it.
#ifndef TESTING_CONFORM_FAULTS_H_
#define TESTING_CONFORM_FAULTS_H_

namespace sy::conform {

struct Fault {
  const char *name, *check;
};

// In kernels: of operators that the host has too, and of the plugin's own.
constexpr Fault kKernelFaults[] = {
    {"add ignores alpha", "kernels.arguments"},
    {"add truncates alpha", "kernels.arguments"},
    {"add reads self as row-major", "kernels.transposed"},
    {"add clears its output first", "kernels.variants"},
    {"add writes between its elements", "kernels.variants"},
    {"mul turns NaN into 0", "kernels.special"},
    {"mul computes integers as floats", "kernels.arguments"},
    {"fill goes by way of double", "kernels.arguments"},
    {"copy leaves a row out", "kernels.values"},
    {"maximum drops NaN", "kernels.special"},
    {"clamp ignores min", "kernels.arguments"},
    {"clamp ignores max", "kernels.arguments"},
    {"clamp prefers min", "kernels.arguments"},
    {"clamp turns NaN into a bound", "kernels.special"},
    {"relu turns NaN into 0", "kernels.special"},
    {"relu writes its argument", "kernels.arguments"},
    {"leaky_relu takes the default slope", "kernels.arguments"},
    {"gelu ignores approximate", "kernels.arguments"},
    {"hardtanh takes the default max_val", "kernels.arguments"},
    {"div truncates for floor", "kernels.arguments"},
    {"div ignores rounding_mode", "kernels.arguments"},
    {"addcmul ignores value", "kernels.arguments"},
    {"lerp takes one weight for all", "kernels.arguments"},
    {"sum takes the first of several dims", "kernels.arguments"},
    {"sum of dim=[] sums nothing", "kernels.arguments"},
    {"sum reads negative dims as 0", "kernels.arguments"},
    {"sum of nothing is 1", "kernels.edges"},
    {"sum keeps 32 bits", "kernels.arguments"},
    {"mean divides by the first size", "kernels.arguments"},
    {"amax starts at 0", "kernels.arguments"},
    {"amax turns NaN into -inf", "kernels.special"},
    {"prod of nothing is 0", "kernels.edges"},
    {"var ignores correction", "kernels.arguments"},
    {"argmax takes dim 0 for none", "kernels.arguments"},
    {"argmax passes NaN by", "kernels.special"},
    {"cumsum runs along the last dim", "kernels.arguments"},
    {"softmax runs along dim 0", "kernels.arguments"},
    {"softmax does not subtract the maximum", "kernels.special"},
    {"mm leaves its output at k = 0", "kernels.variants"},
    {"addmm ignores alpha", "kernels.arguments"},
    {"addmm ignores beta", "kernels.arguments"},
    {"addmm multiplies NaN by a beta of 0", "kernels.special"},
    {"addmm takes one number of a row", "kernels.arguments"},
    {"bmm takes one matrix for all", "kernels.arguments"},
    {"linear ignores its bias", "kernels.arguments"},
    {"convolution ignores its bias", "kernels.arguments"},
    {"convolution takes stride[0] for all", "kernels.arguments"},
    {"convolution takes padding[0] for all", "kernels.arguments"},
    {"convolution takes dilation[0] for all", "kernels.arguments"},
    {"convolution ignores groups", "kernels.arguments"},
    {"convolution pads with the edge", "kernels.arguments"},
    {"index_select reads negative dims as 0", "kernels.arguments"},
    {"index_select reads the index as row-major", "kernels.arguments"},
    {"index_select moves what is outside inside", "kernels.errors"},
    {"index_copy reads negative dims as 0", "kernels.arguments"},
    {"index_copy clears what it does not write", "kernels.arguments"},
    {"index_add ignores alpha", "kernels.arguments"},
    {"index_add forgets what came before", "kernels.arguments"},
    {"gather runs along dim 0", "kernels.arguments"},
    {"flip takes the first of several dims", "kernels.arguments"},
    {"roll takes the first shift for all", "kernels.arguments"},
    {"roll stays for negative shifts", "kernels.arguments"},
    {"cat drops the third tensor", "kernels.arguments"},
    {"cat reads negative dims as 0", "kernels.arguments"},
    {"tril ignores diagonal", "kernels.arguments"},
    {"constant_pad_nd ignores value", "kernels.arguments"},
    {"constant_pad_nd pads alike on both sides", "kernels.arguments"},
    {"scale ignores by", "operators.arguments"},
    {"scale ignores plus", "operators.arguments"},
    {"scale ignores negate", "operators.arguments"},
    {"scale turns NaN into 0", "operators.special"},
    {"scale clears its output first", "operators.variants"},
    {"pick takes the first position for all", "operators.arguments"},
    {"pick ignores otherwise", "operators.arguments"},
    {"join ignores b", "operators.arguments"},
    {"halves swaps its results", "operators.arguments"},
    {"total ignores weights", "operators.arguments"},
    {"total stops after two tensors", "operators.arguments"},
    {"dequantize takes one scale for all", "operators.arguments"},
    {"dequantize takes q for unsigned", "operators.arguments"},
    {"quantized ignores bias", "operators.arguments"},
    {"quantized takes the first weight_scale for all", "operators.arguments"},
    {"smooth reads x as row-major", "operators.arguments"},
    {"smooth keeps the last call's sum", "operators.arguments"},
    {"smooth follows a bad address", "operators.arguments"},
    {"smooth takes another by", "operators.arguments"},
};

// In what happens later.
constexpr Fault kLateFaults[] = {
    {"event_query is always ready", "streams.done"},
    {"event_query is never ready", "streams.events_again"},
    {"stream_query is always ready", "streams.done"},
    {"event_wait does nothing", "streams.waits"},
    {"event_wait waits for the first record", "streams.waits"},
    {"event_record does nothing", "streams.done"},
    {"event_synchronize returns at once", "streams.done"},
    {"stream_synchronize returns at once", "streams.done"},
    {"free gives back at once", "order.freed_while_queued"},
    {"copies to the host run at once", "order.arguments_end"},
    {"copies within run at once", "streams.kernels"},
    {"copies within run on the first stream", "streams.kernels"},
    {"copies keep the address of their buffers", "streams.kernels"},
    {"copies within leave a byte out", "memory.copies_within"},
    {"stream_destroy drops what is queued", "streams.dropped"},
    {"failures are not told", "failure.late"},
    {"failures forget their call", "failure.late"},
    {"event_elapsed runs backwards", "streams.elapsed"},
    {"mul runs on the first stream", "streams.kernels"},
    {"mul runs at once", "streams.kernels"},
    {"mul reads single elements at once", "streams.kernels"},
    {"add keeps the address of a number", "order.arguments_end"},
    {"add keeps the addresses of sizes", "order.arguments_end"},
    {"weigh keeps the address of its list", "order.arguments_end"},
    {"twice does its first half at once", "streams.kernels"},
};

// What the kit may miss, and why. One that is found after all must go from here.
struct Missed {
  const char *name, *why;
};
constexpr Missed kMissed[] = {
    {"smooth takes another by",
     "two runs of an operator without a reference agree on a wrong value; with --reference it is "
     "found"},
};

}  // namespace sy::conform

#endif  // TESTING_CONFORM_FAULTS_H_
