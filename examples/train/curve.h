// A curve of losses as a picture, in SVG, which browsers show.
//
//   WriteCurve("loss.svg", training.losses());
//
// Errors: kUnavailable where the file cannot be written.
#ifndef EXAMPLES_TRAIN_CURVE_H_
#define EXAMPLES_TRAIN_CURVE_H_

#include <string>
#include <vector>

namespace train {

// Each loss, pale, and the mean of the last `window` of them.
void WriteCurve(const std::string& path, const std::vector<double>& losses, size_t window = 16);

}  // namespace train

#endif  // EXAMPLES_TRAIN_CURVE_H_
