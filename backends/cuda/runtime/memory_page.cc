// The picture of a memory's history: owners' shares as layers over time, the largest at the bottom.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "backends/cuda/runtime/memory_history.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

constexpr size_t kLayers = 12;  // owners with a colour of their own; the rest share one
constexpr int kWidth = 1200, kHeight = 420, kMargin = 70;
// Source of the colours, which people of every colour vision tell apart: P. Tol, "Colour schemes",
// SRON/EPS/TN/09-002.
constexpr const char* kColours[kLayers + 1] = {
    "#4477aa", "#66ccee", "#228833", "#ccbb44", "#ee6677", "#aa3377", "#88ccaa",
    "#999933", "#cc6677", "#882255", "#117733", "#ddcc77", "#bbbbbb"};

std::string Escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string InBytes(double bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(kUnits); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, kUnits[unit]);
}

std::string OwnerOf(const MemoryEvent& e) { return e.owner.empty() ? "(nobody)" : e.owner; }

// What is held at the times at which that changes: bytes by owner's number.
struct Course {
  std::vector<std::string> owners;  // the largest first
  std::vector<int64_t> times;
  std::vector<std::vector<size_t>> held;  // of each time, of each owner
  std::vector<size_t> reserved;
  size_t peak = 0;
  std::map<std::string, size_t> at_peak;
};

Course CourseOf(const std::vector<MemoryEvent>& events) {
  // Who ever held most gets a layer.
  std::map<std::string, size_t> now, most;
  std::map<const void*, const MemoryEvent*> alive;
  Course c;
  size_t all = 0;
  const auto free = [&](const MemoryEvent& e) {
    const auto it = alive.find(e.address);
    if (it == alive.end()) return;  // it was there before
    now[OwnerOf(*it->second)] -= it->second->bytes;
    all -= it->second->bytes;
    alive.erase(it);
  };
  for (const MemoryEvent& e : events) {
    if (e.kind == MemoryEvent::kFreed) free(e);
    if (e.kind != MemoryEvent::kAllocated) continue;
    alive[e.address] = &e;
    size_t& held = now[OwnerOf(e)];
    held += e.bytes;
    most[OwnerOf(e)] = std::max(most[OwnerOf(e)], held);
    all += e.bytes;
    if (all <= c.peak) continue;
    c.peak = all;
    c.at_peak = now;
  }
  std::vector<std::pair<size_t, std::string>> by_size;
  for (const auto& [owner, bytes] : most) by_size.emplace_back(bytes, owner);
  std::ranges::sort(by_size, std::greater());
  for (size_t i = 0; i < std::min(by_size.size(), kLayers); ++i)
    c.owners.push_back(by_size[i].second);
  if (by_size.size() > kLayers) c.owners.emplace_back("others");

  const auto number = [&c](const std::string& owner) {
    const auto it = std::ranges::find(c.owners, owner);
    return it == c.owners.end() ? c.owners.size() - 1 : static_cast<size_t>(it - c.owners.begin());
  };
  alive.clear();
  std::vector<size_t> held(c.owners.size(), 0);
  size_t reserved = 0;
  for (const MemoryEvent& e : events) {
    if (e.kind == MemoryEvent::kReserved) reserved += e.bytes;
    if (e.kind == MemoryEvent::kReleased) reserved -= std::min(reserved, e.bytes);
    if (e.kind == MemoryEvent::kAllocated) {
      alive[e.address] = &e;
      held[number(OwnerOf(e))] += e.bytes;
    }
    if (e.kind == MemoryEvent::kFreed) {
      const auto it = alive.find(e.address);
      if (it == alive.end()) continue;
      held[number(OwnerOf(*it->second))] -= it->second->bytes;
      alive.erase(it);
    }
    c.times.push_back(e.time_ns);
    c.held.push_back(held);
    c.reserved.push_back(reserved);
  }
  return c;
}

// A layer's outline: its upper edge to the right in steps, its lower edge back.
std::string Layer(const Course& c, size_t owner, double scale, const std::vector<double>& x) {
  std::string up, down;
  const auto edge = [&](size_t time, size_t owners) {
    double sum = 0;
    for (size_t k = 0; k < owners; ++k) sum += static_cast<double>(c.held[time][k]);
    return kMargin + kHeight - sum * scale;
  };
  for (size_t t = 0; t < c.times.size(); ++t) {
    const double end = t + 1 < x.size() ? x[t + 1] : x[t];
    const double top = edge(t, owner + 1), bottom = edge(t, owner);
    up += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x[t], top, end, top);
    down = fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", end, bottom, x[t], bottom) + down;
  }
  return fmt::format("<polygon fill=\"{}\" points=\"{}{}\"><title>{}</title></polygon>\n",
                     c.owners[owner] == "others" ? kColours[kLayers] : kColours[owner], up, down,
                     Escaped(c.owners[owner]));
}

// Times at which the picture changes visibly: a column of it shows where most was held in it.
void Thin(Course& c) {
  constexpr size_t kColumns = 2 * kWidth;
  if (c.times.size() <= kColumns) return;
  Course thin = c;
  thin.times.clear();
  thin.held.clear();
  thin.reserved.clear();
  const auto all = [&c](size_t t) {
    size_t sum = 0;
    for (size_t bytes : c.held[t]) sum += bytes;
    return sum;
  };
  for (size_t column = 0; column < kColumns; ++column) {
    const size_t begin = column * c.times.size() / kColumns,
                 end = (column + 1) * c.times.size() / kColumns;
    size_t best = begin;
    for (size_t t = begin; t < end; ++t) best = all(t) > all(best) ? t : best;
    thin.times.push_back(c.times[best]);
    thin.held.push_back(c.held[best]);
    thin.reserved.push_back(c.reserved[best]);
  }
  c = std::move(thin);
}

}  // namespace

std::string PageOfMemory(const std::vector<MemoryEvent>& events, std::string_view name) {
  Course c = CourseOf(events);
  Thin(c);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Memory of {0}"
      "</title>\n<style>body{{font:14px sans-serif}}td,th{{padding:2px 12px;text-align:right}}"
      "td:first-child{{text-align:left}}</style></head><body>\n<h1>Memory of {0}</h1>\n",
      Escaped(name));
  if (c.times.empty()) return page + "<p>Nothing was recorded.</p>\n</body></html>\n";
  const size_t top = std::max({c.peak, *std::ranges::max_element(c.reserved), size_t{1}});
  const double scale = kHeight / static_cast<double>(top);
  const int64_t begin = c.times.front(), length = std::max<int64_t>(1, c.times.back() - begin);
  std::vector<double> x;
  for (int64_t t : c.times)
    x.push_back(kMargin + static_cast<double>(t - begin) / static_cast<double>(length) * kWidth);
  page += fmt::format(
      "<p>{} events in {:.3f} s; at most {} were held, of {} that the driver had given.</p>\n"
      "<svg viewBox=\"0 0 {} {}\" xmlns=\"http://www.w3.org/2000/svg\" font-size=\"12\">\n",
      events.size(), static_cast<double>(length) / 1e9, InBytes(static_cast<double>(c.peak)),
      InBytes(static_cast<double>(*std::ranges::max_element(c.reserved))), kWidth + 2 * kMargin,
      kHeight + 2 * kMargin);
  for (size_t k = 0; k < c.owners.size(); ++k) page += Layer(c, k, scale, x);
  page += "<polyline fill=\"none\" stroke=\"black\" points=\"";
  for (size_t t = 0; t < x.size(); ++t) {
    const double y = kMargin + kHeight - static_cast<double>(c.reserved[t]) * scale;
    page +=
        fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x[t], y, t + 1 < x.size() ? x[t + 1] : x[t], y);
  }
  page += "\"><title>reserved</title></polyline>\n";
  for (int i = 0; i <= 4; ++i) {
    const double y = kMargin + kHeight - kHeight * i / 4.0;
    page += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kMargin - 6,
                        y + 4, InBytes(static_cast<double>(top) * i / 4));
    page += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{:.3f} s</text>\n",
                        kMargin + kWidth * i / 4, kMargin + kHeight + 18,
                        static_cast<double>(length) * i / 4e9);
  }
  page += "</svg>\n<table><tr><th>owner</th><th>where most was held</th></tr>\n";
  std::vector<std::pair<size_t, std::string>> rows;
  for (const auto& [owner, bytes] : c.at_peak) {
    if (bytes != 0) rows.emplace_back(bytes, owner);
  }
  std::ranges::sort(rows, std::greater());
  for (const auto& [bytes, owner] : rows) {
    const auto it = std::ranges::find(c.owners, owner);
    const size_t k = it == c.owners.end() ? kLayers : static_cast<size_t>(it - c.owners.begin());
    page += fmt::format("<tr><td><span style=\"color:{}\">&#9632;</span> {}</td><td>{}</td></tr>\n",
                        kColours[k], Escaped(owner), InBytes(static_cast<double>(bytes)));
  }
  return page + "</table>\n</body></html>\n";
}

}  // namespace sy::cuda
