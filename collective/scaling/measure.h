// Times collectives of a group, for fit.h.
// Threads: every rank of the group calls it at the same time.
// Errors: those of collectives.
#ifndef SWITCHYARD_COLLECTIVE_SCALING_MEASURE_H_
#define SWITCHYARD_COLLECTIVE_SCALING_MEASURE_H_

#include <chrono>
#include <string>
#include <vector>

#include "switchyard/collective/scaling/fit.h"

namespace sy::collective::scaling {

// Each collective at each size, in place or into a tensor that is there: of as many rounds as the
// time for a row allows, but five at least, the first quartile, which interruptions do not reach;
// of a round the rank that takes longest. Sizes that ranks do not divide are left out but for
// all_reduce.
std::vector<Row> Measure(const std::string& group, const std::vector<int64_t>& bytes,
                         std::chrono::duration<double> a_row);

}  // namespace sy::collective::scaling

#endif  // SWITCHYARD_COLLECTIVE_SCALING_MEASURE_H_
