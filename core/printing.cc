#include "switchyard/core/printing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <ostream>
#include <utility>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/core/fork.h"
#include "switchyard/core/number_text.h"
#include "switchyard/core/quantizer.h"
#include "switchyard/core/sparse.h"
#include "switchyard/core/transfer.h"

namespace sy {
namespace {

constexpr std::string_view kPrefix = "tensor(";

std::string Repeat(int64_t n, char c) { return std::string(static_cast<size_t>(n), c); }

// How the numbers of one tensor, or the real or imaginary parts of one, are written.
class Formatter {
 public:
  explicit Formatter(const PrintOptions& options) : options_(options) {}

  // Looks at all numbers that will be shown.
  void FitFloating(const std::vector<double>& values) {
    floating_ = true;
    std::vector<double> shown;  // neither 0 nor infinite nor NaN: what decides the form
    for (double d : values) {
      if (std::isfinite(d) && d != 0) shown.push_back(d);
    }
    if (shown.empty()) return;
    double least = std::abs(shown[0]), most = least;
    for (double d : shown) {
      least = std::min(least, std::abs(d));
      most = std::max(most, std::abs(d));
      whole_ &= d == std::ceil(d);
    }
    // Source of the bounds: _Formatter in torch/_tensor_str.py.
    scientific_ = options_.sci_mode.value_or(most / least > 1000 || most > 1e8 || least < 1e-4);
    for (double d : shown) Widen(Text(d).size());
  }
  void FitText(std::string_view text) { Widen(text.size()); }

  int64_t width() const { return static_cast<int64_t>(width_); }
  std::string Floating(double d) const { return Pad(Text(d)); }
  std::string Pad(std::string text) const {
    if (text.size() < width_) text.insert(0, width_ - text.size(), ' ');
    return text;
  }

 private:
  std::string Text(double d) const {
    if (!floating_) return Scalar(d).str();
    if (scientific_) return ScientificText(d, options_.precision);
    if (!whole_) return FixedText(d, options_.precision);
    return FixedText(d, 0) + (std::isfinite(d) ? "." : "");
  }
  void Widen(size_t n) { width_ = std::max(width_, n); }

  const PrintOptions& options_;
  size_t width_ = 1;
  bool floating_ = false, whole_ = true, scientific_ = false;
};

class Printer {
 public:
  Printer(const Tensor& host, const PrintOptions& options)
      : t_(host),
        options_(options),
        summarize_(host.numel() > options.threshold),
        complex_(IsComplex(host.dtype())),
        real_(options),
        imaginary_(options) {}

  // indent: of its second line on.
  std::string Contents(int64_t indent = kPrefix.size()) {
    if (t_.numel() == 0) return "[]";
    Fit();
    std::string s;
    Append(0, 0, indent, s);
    return s;
  }

 private:
  // Of a dimension: whether its middle is left out.
  bool Cuts(int64_t n) const { return summarize_ && n > 2 * options_.edgeitems; }

  // f(offset) for the elements that are shown, in order.
  template <class F>
  void ForEachShown(int64_t dim, int64_t offset, F f) const {
    if (dim == t_.dim()) return f(offset);
    const int64_t n = t_.sizes()[dim], edge = options_.edgeitems;
    for (int64_t i = 0; i < n; ++i) {
      if (Cuts(n) && i == edge) i = n - edge;
      if (i < n) ForEachShown(dim + 1, offset + i * t_.strides()[dim], f);
    }
  }

  Scalar At(int64_t offset) const {
    return VisitDType<kAllTypes>(t_.dtype(), [&](auto tag) -> Scalar {
      using T = typename decltype(tag)::type;
      const T x = static_cast<const T*>(t_.data())[offset];
      if constexpr (std::is_same_v<T, ComplexHalf>) {
        return std::complex<float>(x);
      } else if constexpr (std::is_integral_v<T> || requires { typename T::value_type; }) {
        return x;
      } else {
        return static_cast<double>(x);
      }
    });
  }

  void Fit() {
    if (!complex_ && !IsFloating(t_.dtype())) {
      ForEachShown(0, 0, [&](int64_t offset) { real_.FitText(At(offset).str()); });
      return;
    }
    std::vector<double> real, imaginary;
    ForEachShown(0, 0, [&](int64_t offset) {
      const auto c = At(offset).To<std::complex<double>>();
      real.push_back(c.real());
      imaginary.push_back(c.imag());
    });
    real_.FitFloating(real);
    if (complex_) imaginary_.FitFloating(imaginary);
  }

  std::string Element(int64_t offset) const {
    const Scalar s = At(offset);
    if (complex_) {
      const auto c = s.To<std::complex<double>>();
      std::string im = imaginary_.Floating(c.imag()) + "j";
      im.erase(0, im.find_first_not_of(' '));
      return real_.Floating(c.real()) + (im[0] == '-' ? "" : "+") + im;
    }
    return s.is_floating() ? real_.Floating(s.To<double>()) : real_.Pad(s.str());
  }

  // The last dimension: elements, broken into lines.
  void AppendRow(int64_t offset, int64_t indent, std::string& s) const {
    const int64_t n = t_.sizes()[t_.dim() - 1], stride = t_.strides()[t_.dim() - 1];
    const int64_t width = real_.width() + 2 + (complex_ ? imaginary_.width() + 1 : 0);
    const int64_t per_line = std::max<int64_t>(1, (options_.linewidth - indent) / width);
    const int64_t edge = options_.edgeitems;
    int64_t shown = 0;
    const auto add = [&](const std::string& text) {
      if (shown != 0) s += shown % per_line == 0 ? ",\n" + Repeat(indent + 1, ' ') : ", ";
      s += text;
      ++shown;
    };
    s += "[";
    for (int64_t i = 0; i < n; ++i) {
      if (Cuts(n) && i == edge) {
        add(edge == 0 ? "..." : " ...");
        i = n - edge;
      }
      if (i < n) add(Element(offset + i * stride));
    }
    s += "]";
  }

  void Append(int64_t dim, int64_t offset, int64_t indent, std::string& s) const {
    const int64_t left = t_.dim() - dim;
    if (left == 0) {
      s += Element(offset);
      return;
    }
    if (left == 1) return AppendRow(offset, indent, s);
    const int64_t n = t_.sizes()[dim], edge = options_.edgeitems;
    const std::string separator = "," + Repeat(left - 1, '\n') + Repeat(indent + 1, ' ');
    bool first = true;
    s += "[";
    for (int64_t i = 0; i < n; ++i) {
      if (!first) s += separator;
      first = false;
      if (Cuts(n) && i == edge) {
        s += "...";
        i = n - edge;
        if (i == n) break;
        s += separator;
      }
      Append(dim + 1, offset + i * t_.strides()[dim], indent + 1, s);
    }
    s += "]";
  }

  const Tensor& t_;
  const PrintOptions& options_;
  const bool summarize_, complex_;
  Formatter real_, imaginary_;
};

// "(2, 3)", "(5,)", "()".
std::string Tuple(IntSpan sizes) {
  std::string s = Join({sizes});  // "[2, 3]"
  s.front() = '(';
  s.back() = ')';
  if (sizes.size() == 1) s.insert(s.size() - 1, ",");
  return s;
}

bool IsDefault(DType d) {
  const bool wide = DefaultDType() == DType::kFloat64;
  return d == DefaultDType() || d == (wide ? DType::kComplex128 : DType::kComplex64) ||
         d == DType::kInt64 || d == DType::kBool;
}

std::string More(const Tensor& t) {
  const auto more = internal::more_to_print.load();
  return more == nullptr ? "" : more(t);
}

// Meta tensors, and those of which a layer says where their elements are.
bool HasNoData(const Tensor& t) {
  if (t.is_host()) return t.is_strided() && t.numel() != 0 && !HasBytes(t) && !More(t).empty();
  return FindBackend(t.device().type)->allocator() == nullptr;
}

// "torch.per_channel_affine", and the numbers of it.
void AddQuantizer(const Quantizer& q, const PrintOptions& options, std::vector<std::string>& all) {
  all.push_back("quantization_scheme=torch." + std::string(q.scheme()));
  if (q.per_channel()) {
    all.push_back("scale=" + ToString(q.scales, options));
    all.push_back("zero_point=" + ToString(q.zero_points, options));
    all.push_back("axis=" + std::to_string(q.axis));
  } else {
    all.push_back("scale=" + Scalar(q.scale).str());
    all.push_back("zero_point=" + std::to_string(q.zero_point));
  }
}

// What stands behind the contents: "device='cuda:0'".
std::vector<std::string> Suffixes(const Tensor& t, const PrintOptions& options, bool meta) {
  std::vector<std::string> all;
  if (!t.is_host()) all.push_back("device='" + t.device().str() + "'");
  const SparseState* sparse = FindSparse(t);
  const Quantizer* quantizer = FindQuantizer(t);
  const bool empty = t.numel() == 0;
  if (meta || sparse != nullptr || quantizer != nullptr || (empty && t.dim() != 1) ||
      (!empty && options.edgeitems == 0)) {
    all.push_back("size=" + Tuple(t.sizes()));
  }
  if (sparse != nullptr) all.push_back("nnz=" + std::to_string(sparse->nnz()));
  // Without elements there is nothing by which to know integers.
  const bool plain =
      sparse == nullptr && (meta || empty) ? t.dtype() == DefaultDType() : IsDefault(t.dtype());
  if (quantizer != nullptr) {
    all.push_back("dtype=torch." + std::string(QuantizedName(t.dtype())));
    AddQuantizer(*quantizer, options, all);
  } else if (!plain) {
    all.push_back("dtype=torch." + std::string(Name(t.dtype())));
  }
  if (sparse != nullptr) all.push_back("layout=torch." + std::string(Name(sparse->layout)));
  if (std::string more = More(t); !more.empty()) all.push_back(std::move(more));
  return all;
}

// "indices=tensor([[0, 1]])", one of those that a sparse tensor is held as.
std::string Part(std::string_view name, const Tensor& t, const PrintOptions& options) {
  std::string s = std::string(name) + "=" + std::string(kPrefix);
  const bool meta = HasNoData(t);
  const auto indent = static_cast<int64_t>(kPrefix.size() + s.size());
  s += meta ? "..." : Printer(ToHost(t), options).Contents(indent);
  if (meta || t.numel() == 0) s += ", size=" + Tuple(t.sizes());
  return s + ")";
}

std::string SparseContents(const SparseState& s, const PrintOptions& options) {
  const std::string next = ",\n" + Repeat(kPrefix.size(), ' ');
  const std::string values = Part("values", s.values, options);
  if (s.layout == Layout::kSparse) return Part("indices", s.indices, options) + next + values;
  const bool rows = HasCompressedRows(s.layout);
  return Part(rows ? "crow_indices" : "ccol_indices", s.indices, options) + next +
         Part(rows ? "col_indices" : "row_indices", s.plain_indices, options) + next + values;
}

std::string ContentsOf(const Tensor& t, const PrintOptions& options, bool meta) {
  if (const SparseState* sparse = FindSparse(t)) return SparseContents(*sparse, options);
  if (meta) return "...";
  return Printer(t.is_quantized() ? NumbersOnHost(t) : ToHost(t), options).Contents();
}

// The process's options.
struct Chosen {
  std::mutex mutex;
  PrintOptions options;
  static Chosen& Get() {
    static Chosen& c = *new Chosen;  // used until the last thread ends
    return c;
  }
};

// A child may print whatever its parent's threads were at.
const internal::AtFork at_fork{internal::ForkRank::kRecords, [](internal::ForkPhase phase) {
                                 internal::HoldAcross(phase, Chosen::Get().mutex);
                               }};

}  // namespace

void set_printoptions(const PrintOptions& options) {
  for (const int64_t n :
       {int64_t{options.precision}, options.threshold, options.edgeitems, options.linewidth}) {
    if (n >= 0) continue;
    Fail(ErrorCode::kInvalidArgument,
         {"set_printoptions(): expected numbers of at least 0, got ", n});
  }
  std::lock_guard lock(Chosen::Get().mutex);
  Chosen::Get().options = options;
}
PrintOptions get_printoptions() {
  std::lock_guard lock(Chosen::Get().mutex);
  return Chosen::Get().options;
}
void internal::SetPrintProfile(std::string_view name) {
  if (name == "default") return set_printoptions(PrintOptions());
  if (name == "short") return set_printoptions(PrintOptions{.precision = 2, .edgeitems = 2});
  if (name == "full") {
    return set_printoptions(PrintOptions{.threshold = std::numeric_limits<int64_t>::max()});
  }
  Fail(ErrorCode::kInvalidArgument,
       {"set_printoptions(): expected the profile 'default', 'short' or 'full', got '", name, "'"});
}

constinit std::atomic<std::string (*)(const Tensor&)> internal::more_to_print{nullptr};

std::string ToString(const Tensor& t) { return ToString(t, get_printoptions()); }

std::string ToString(const Tensor& t, const PrintOptions& options) {
  if (!t.defined()) return "tensor(undefined)";
  const bool meta = HasNoData(t);
  std::string s(kPrefix);
  s += ContentsOf(t, options, meta);
  bool new_line = t.is_sparse();
  // Source of the count: _add_suffixes in torch/_tensor_str.py, which is 2 off.
  const size_t newline = s.rfind('\n');
  size_t last = newline == s.npos ? s.size() + 2 : s.size() - newline + 1;
  const std::string indent(kPrefix.size(), ' ');
  for (const std::string& suffix : Suffixes(t, options, meta)) {
    if (std::exchange(new_line, false) ||
        last + suffix.size() + 2 > static_cast<size_t>(options.linewidth)) {
      s += ",\n" + indent + suffix;
      last = indent.size() + suffix.size();
    } else {
      s += ", " + suffix;
      last += suffix.size() + 2;
    }
  }
  return s + ")";
}

std::ostream& operator<<(std::ostream& out, const Tensor& t) { return out << ToString(t); }

std::ostream& operator<<(std::ostream& out, const Sizes& s) { return out << Join({s}); }
std::ostream& operator<<(std::ostream& out, DType d) { return out << Name(d); }
std::ostream& operator<<(std::ostream& out, DeviceType d) { return out << d.name(); }
std::ostream& operator<<(std::ostream& out, Layout l) { return out << Name(l); }
std::ostream& operator<<(std::ostream& out, MemoryFormat f) { return out << Name(f); }
std::ostream& internal::Write(std::ostream& out, Device d) { return out << d.str(); }
std::ostream& internal::Write(std::ostream& out, const Scalar& s) { return out << s.str(); }

}  // namespace sy
