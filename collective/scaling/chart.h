// A picture of lines over ranks or bytes, as SVG: both axes in powers.
//
//   const std::string svg = Chart("step time", "ranks", "seconds", {{"ring", {{8, 0.1}, …}}});
//
// Owns: nothing. Threads: any. Errors: kInvalidArgument for numbers that have no logarithm.
#ifndef SWITCHYARD_COLLECTIVE_SCALING_CHART_H_
#define SWITCHYARD_COLLECTIVE_SCALING_CHART_H_

#include <string>
#include <utility>
#include <vector>

namespace sy::collective::scaling {

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool marks = false;  // a dot at each point and no line: what was measured
};
std::string Chart(const std::string& title, const std::string& x, const std::string& y,
                  const std::vector<Line>& lines);

}  // namespace sy::collective::scaling

#endif  // SWITCHYARD_COLLECTIVE_SCALING_CHART_H_
