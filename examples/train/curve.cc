#include "examples/train/curve.h"

#include <algorithm>
#include <fstream>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace train {

namespace {

// In pixels: of the picture, and around the curve.
constexpr double kWidth = 640, kHeight = 320, kMargin = 40;

std::vector<double> Means(const std::vector<double>& values, size_t window) {
  std::vector<double> means;
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += values[i] - (i >= window ? values[i - window] : 0);
    means.push_back(sum / static_cast<double>(std::min(i + 1, window)));
  }
  return means;
}

std::string Line(const std::vector<double>& values, double highest, const char* color) {
  std::string points;
  const double step =
      (kWidth - 2 * kMargin) / std::max<double>(1, static_cast<double>(values.size()) - 1);
  for (size_t i = 0; i < values.size(); ++i) {
    points += fmt::format("{:.1f},{:.1f} ", kMargin + step * static_cast<double>(i),
                          kHeight - kMargin - values[i] / highest * (kHeight - 2 * kMargin));
  }
  return fmt::format("<polyline fill=\"none\" stroke=\"{}\" points=\"{}\"/>\n", color, points);
}

std::string Text(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, text);
}

}  // namespace

void WriteCurve(const std::string& path, const std::vector<double>& losses, size_t window) {
  const double highest = losses.empty() ? 1 : *std::max_element(losses.begin(), losses.end());
  std::ofstream file(path);
  file << fmt::format(
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
              "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n",
              kWidth, kHeight)
       << fmt::format("<path d=\"M{0} {0}V{1}H{2}\" fill=\"none\" stroke=\"#888\"/>\n", kMargin,
                      kHeight - kMargin, kWidth - kMargin)
       << Line(losses, highest, "#bcd") << Line(Means(losses, window), highest, "#15c")
       << Text(kMargin - 4, kMargin + 4, "end", fmt::format("{:.2f}", highest))
       << Text(kMargin - 4, kHeight - kMargin, "end", "0")
       << Text(kWidth - kMargin, kHeight - kMargin + 16, "end",
               fmt::format("{} steps", losses.size()))
       << Text(kWidth / 2, kMargin / 2, "middle", "loss") << "</svg>\n";
  file.close();
  if (!file) sy::Fail(sy::ErrorCode::kUnavailable, {path, " cannot be written"});
}

}  // namespace train
