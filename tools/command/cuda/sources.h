// Sources of kernels that are compiled ahead of their first call.
//
// Owns: nothing. Threads: any.
#ifndef TOOLS_COMMAND_CUDA_SOURCES_H_
#define TOOLS_COMMAND_CUDA_SOURCES_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace sy::cuda {

// Those that most programs use. only: of these formulas, by name; none: of all, and with them
// copies and reductions. Errors: kInvalidArgument for a formula that there is not.
std::vector<std::string> UsualSources(const std::vector<std::string>& only);
// Those of the kernels that a folder of compiled ones has, a cache or an architecture of a package,
// whatever compiled them: one may come once for each architecture. of_others is raised by the
// number of those that were made from other headers, another version's, and are left out.
std::vector<std::string> SourcesLike(const std::string& folder, int* of_others);

// f(0) … f(n - 1), on as many threads as there are processors. Throws the first that was thrown.
void ForEachSideBySide(size_t n, const std::function<void(size_t)>& f);

}  // namespace sy::cuda

#endif  // TOOLS_COMMAND_CUDA_SOURCES_H_
