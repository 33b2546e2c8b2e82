#include "switchyard/collective/scaling/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::collective::scaling {
namespace {

// In pixels: the picture, what is around the axes, and the names of lines on the right.
constexpr double kWidth = 760, kHeight = 420, kLeft = 70, kRight = 190, kTop = 36, kBottom = 50;
// Told apart without seeing colours too well (Okabe and Ito).
constexpr std::array<std::string_view, 7> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#000000"};

struct Axis {
  double least = HUGE_VAL, most = -HUGE_VAL;  // logarithms
  double from = 0, to = 0;                    // pixels
  void Take(double v) {
    if (!(v > 0) || !std::isfinite(v))
      Fail(ErrorCode::kInvalidArgument, {"a chart in powers cannot show ", v});
    least = std::min(least, std::log10(v));
    most = std::max(most, std::log10(v));
  }
  double At(double v) const {
    return from + (std::log10(v) - least) / std::max(most - least, 1e-9) * (to - from);
  }
};

std::string Escaped(const std::string& text) {
  std::string s;
  for (const char c : text) {
    if (c == '&') {
      s += "&amp;";
    } else if (c == '<') {
      s += "&lt;";
    } else {
      s += c;
    }
  }
  return s;
}
std::string Text(double x, double y, std::string_view anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     Escaped(text));
}

std::string Number(double v) {
  if (v >= 1e4 || v < 1e-3) return fmt::format("1e{}", std::lround(std::log10(v)));
  return fmt::format("{:g}", v);
}

}  // namespace

std::string Chart(const std::string& title, const std::string& x, const std::string& y,
                  const std::vector<Line>& lines) {
  Axis across, up;
  for (const Line& line : lines) {
    for (const auto& [a, b] : line.points) {
      across.Take(a);
      up.Take(b);
    }
  }
  if (across.least > across.most) Fail(ErrorCode::kInvalidArgument, {"a chart of nothing"});
  across.from = kLeft;
  across.to = kWidth - kRight;
  up.from = kHeight - kBottom;
  up.to = kTop;
  up.least = std::floor(up.least);
  up.most = std::max(std::ceil(up.most), up.least + 1);
  std::string s = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  for (double p = up.least; p <= up.most; ++p) {
    const double v = std::pow(10, p), at = up.At(v);
    s += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#ddd\"/>\n", kLeft, at,
                     kWidth - kRight);
    s += Text(kLeft - 6, at + 4, "end", Number(v));
  }
  // Powers of two, or of ten where there would be too many.
  const double base = across.most - across.least > 4 ? 10 : 2, unit = std::log10(base);
  for (double p = std::ceil(across.least / unit - 1e-9); p * unit <= across.most + 1e-9; ++p) {
    const double v = std::pow(base, p), at = across.At(v);
    s += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}\" stroke=\"#eee\"/>\n", at, kTop,
                     kHeight - kBottom);
    s += Text(at, kHeight - kBottom + 18, "middle", base == 2 ? fmt::format("{:g}", v) : Number(v));
  }
  s += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"#888\"/>\n", kLeft, kTop,
                   kHeight - kBottom, kWidth - kRight);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view color = kColors[i % kColors.size()];
    std::string points;
    for (const auto& [a, b] : lines[i].points) {
      points += fmt::format("{:.1f},{:.1f} ", across.At(a), up.At(b));
      if (lines[i].marks) {
        s += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>\n",
                         across.At(a), up.At(b), color);
      }
    }
    if (!lines[i].marks) {
      s += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"{}\"/>\n",
                       color, points);
    }
    constexpr double kLine = 18, kGap = 14;
    const double at = kTop + kLine * (static_cast<double>(i) + 0.5);
    s += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"10\" height=\"10\" fill=\"{}\"/>\n",
                     kWidth - kRight + kGap, at - 9, color);
    s += Text(kWidth - kRight + 2 * kGap, at, "start", lines[i].name);
  }
  s += Text((kLeft + kWidth - kRight) / 2, kTop - 14, "middle", title);
  s += Text((kLeft + kWidth - kRight) / 2, kHeight - 12, "middle", x);
  s += fmt::format(
      "<text transform=\"translate(18 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}"
      "</text>\n",
      (kTop + kHeight - kBottom) / 2, Escaped(y));
  return s + "</svg>\n";
}

}  // namespace sy::collective::scaling
