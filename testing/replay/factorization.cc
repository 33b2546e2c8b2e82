// Matrix factorisations, unique only up to sign or phase: what they must satisfy.
//
// Bounds are LAPACK's: its own tests accept a residual of 30 units of precision times the size and
// the norm of the matrix (LAPACK Working Note 41, section 6: THRESH = 30).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "switchyard/core/transfer.h"
#include "testing/replay/compare.h"
#include "testing/replay/elements.h"
#include "testing/replay/special.h"

namespace sy::replay {
namespace {

constexpr double kThreshold = 30;

// Row-major.
struct Matrix {
  int64_t rows = 0, columns = 0;
  std::vector<std::complex<double>> a;
  Matrix(int64_t r, int64_t c) : rows(r), columns(c), a(static_cast<size_t>(r * c)) {}
  std::complex<double>& at(int64_t i, int64_t j) { return a[i * columns + j]; }
  std::complex<double> at(int64_t i, int64_t j) const { return a[i * columns + j]; }
};

Matrix Product(const Matrix& x, const Matrix& y) {
  Matrix p(x.rows, y.columns);
  for (int64_t i = 0; i < x.rows; ++i) {
    for (int64_t k = 0; k < x.columns; ++k) {
      for (int64_t j = 0; j < y.columns; ++j) p.at(i, j) += x.at(i, k) * y.at(k, j);
    }
  }
  return p;
}

Matrix Adjoint(const Matrix& x) {
  Matrix t(x.columns, x.rows);
  for (int64_t i = 0; i < x.rows; ++i) {
    for (int64_t j = 0; j < x.columns; ++j) t.at(j, i) = std::conj(x.at(i, j));
  }
  return t;
}

double Norm(const Matrix& x) {
  double sum = 0;
  for (const auto& e : x.a) sum += std::norm(e);
  return std::sqrt(sum);
}

// ||x - y||, Frobenius.
double Distance(Matrix x, const Matrix& y) {
  for (size_t i = 0; i < x.a.size(); ++i) x.a[i] -= y.a[i];
  return Norm(x);
}

Matrix Identity(int64_t n) {
  Matrix e(n, n);
  for (int64_t i = 0; i < n; ++i) e.at(i, i) = 1;
  return e;
}

double UnitOf(DType d) {
  return RealType(d) == DType::kFloat64 ? std::numeric_limits<double>::epsilon()
                                        : std::numeric_limits<float>::epsilon();
}

// The batches of a tensor's matrices: [.., rows, columns].
class Matrices {
 public:
  explicit Matrices(const Tensor& t) : t_(t) {
    ForEachOffset(t.sizes().first(t.sizes().size() - 2), t.strides().first(t.sizes().size() - 2),
                  [&](int64_t offset) { offsets_.push_back(offset); });
  }
  size_t size() const { return offsets_.size(); }
  Matrix operator[](size_t batch) const {
    Matrix m(t_.size(-2), t_.size(-1));
    constexpr DTypeMask kTypes = kComplexTypes | Mask(DType::kFloat32, DType::kFloat64);
    VisitDType<kTypes>(t_.dtype(), [&](auto tag) {
      const auto* p = static_cast<const typename decltype(tag)::type*>(t_.data());
      for (int64_t i = 0; i < m.rows; ++i) {
        for (int64_t j = 0; j < m.columns; ++j)
          m.at(i, j) = Widen(p[offsets_[batch] + i * t_.stride(-2) + j * t_.stride(-1)]);
      }
    });
    return m;
  }

 private:
  const Tensor& t_;
  std::vector<int64_t> offsets_;
};

// The columns of q have length 1 and are orthogonal.
std::string CheckOrthogonal(const Matrix& q, double unit, std::string_view name) {
  const double error = Distance(Product(Adjoint(q), q), Identity(q.columns));
  const double bound = kThreshold * unit * static_cast<double>(std::max<int64_t>(q.rows, 1));
  if (error <= bound) return "";
  return Join({name, " is not orthogonal: the residual is ", error, ", expected at most ", bound});
}

std::string CheckProduct(const Matrix& a, const Matrix& product, double unit,
                         std::string_view name) {
  const double size = static_cast<double>(std::max<int64_t>({a.rows, a.columns, 1}));
  const double error = Distance(product, a), bound = kThreshold * unit * size * Norm(a);
  if (error <= bound) return "";
  return Join({name, " is not the matrix: the residual is ", error, ", expected at most ", bound});
}

// x with its columns multiplied by numbers.
Matrix Scaled(Matrix x, const std::complex<double>* factors) {
  for (int64_t i = 0; i < x.rows; ++i) {
    for (int64_t j = 0; j < x.columns; ++j) x.at(i, j) *= factors[j];
  }
  return x;
}
// The first k columns.
Matrix Columns(const Matrix& x, int64_t k) {
  Matrix part(x.rows, k);
  for (int64_t i = 0; i < x.rows; ++i)
    std::copy_n(x.a.data() + i * x.columns, k, part.a.data() + i * k);
  return part;
}

// The numbers of all batches, one after the other.
std::vector<std::complex<double>> Numbers(const Tensor& t) {
  std::vector<std::complex<double>> numbers;
  constexpr DTypeMask kTypes = kComplexTypes | Mask(DType::kFloat32, DType::kFloat64);
  VisitDType<kTypes>(t.dtype(), [&](auto tag) {
    const auto* p = static_cast<const typename decltype(tag)::type*>(t.data());
    ForEachOffset(t.sizes(), t.strides(), [&](int64_t i) { numbers.push_back(Widen(p[i])); });
  });
  return numbers;
}

// A = U diag(S) V^H. S is unique and compared as other results are.
std::string CheckSvd(const SpecialCall& call, bool adjoint_v) {
  const Tensor a = ToHost(call.args[0].tensor());
  const Tensor &u = call.results[0], &s = call.results[1], &v = call.results[2];
  if (std::string why = CompareContents(s, call.expected[1]); !why.empty()) return "S: " + why;
  const double unit = UnitOf(a.dtype());
  const Matrices as(a), us(u), vs(v);
  const int64_t k = s.size(-1);
  const std::vector<std::complex<double>> values = Numbers(s);
  for (size_t b = 0; b < as.size(); ++b) {
    const std::complex<double>* sigma = values.data() + static_cast<int64_t>(b) * k;
    for (int64_t i = 1; i < k; ++i) {
      if (sigma[i].real() > sigma[i - 1].real()) {
        return Join({"S is not descending: ", sigma[i - 1].real(), " before ", sigma[i].real()});
      }
    }
    const Matrix full_u = us[b], full_v = adjoint_v ? Adjoint(vs[b]) : vs[b];
    const Matrix product = Product(Scaled(Columns(full_u, k), sigma), Adjoint(Columns(full_v, k)));
    std::string why = CheckOrthogonal(full_u, unit, "U");
    if (why.empty()) why = CheckOrthogonal(full_v, unit, "V");
    if (why.empty()) why = CheckProduct(as[b], product, unit, "U diag(S) Vh");
    if (!why.empty()) return why;
  }
  return "";
}

// Without vectors there are zeros, or nothing, in their place.
bool WithoutVectors(const SpecialCall& call) {
  for (const std::string_view name : {"compute_uv", "compute_v"}) {
    const int at = call.op.schema().Find(name);
    if (at >= 0 && !call.args[static_cast<size_t>(at)].scalar().To<bool>()) return true;
  }
  return false;
}
std::string CompareAll(const SpecialCall& call) {
  for (size_t i = 0; i < call.results.size(); ++i) {
    if (std::string why = CompareContents(call.results[i], call.expected[i]); !why.empty())
      return why;
  }
  return "";
}

// A V = V diag(values). Values are compared as other results are.
std::string CheckEigenvectors(const SpecialCall& call, bool hermitian) {
  const Tensor a = ToHost(call.args[0].tensor());
  const Tensor &values = call.results[0], &vectors = call.results[1];
  if (std::string why = CompareContents(values, call.expected[0]); !why.empty())
    return "eigenvalues: " + why;
  const double unit = UnitOf(a.dtype());
  const Matrices as(a), vs(vectors);
  const std::vector<std::complex<double>> numbers = Numbers(values);
  for (size_t b = 0; b < as.size(); ++b) {
    Matrix m = as[b];
    const Matrix v = vs[b];
    const int64_t n = m.rows;
    const std::complex<double>* lambda = numbers.data() + static_cast<int64_t>(b) * n;
    std::string why;
    if (hermitian) {
      const bool upper = call.args[1].text() == "U";
      for (int64_t i = 0; i < n; ++i) {
        m.at(i, i) = m.at(i, i).real();
        for (int64_t j = 0; j < i; ++j) {
          if (upper) {
            m.at(i, j) = std::conj(m.at(j, i));
          } else {
            m.at(j, i) = std::conj(m.at(i, j));
          }
        }
      }
      why = CheckOrthogonal(v, unit, "the matrix of eigenvectors");
    }
    for (int64_t j = 0; j < n && why.empty(); ++j) {
      double length = 0;
      for (int64_t i = 0; i < n; ++i) length += std::norm(v.at(i, j));
      if (std::abs(std::sqrt(length) - 1) > kThreshold * unit * static_cast<double>(n))
        why = Join({"eigenvector ", j, " has length ", std::sqrt(length), ", expected 1"});
    }
    const double size = static_cast<double>(std::max<int64_t>(n, 1));
    const double error = Distance(Product(m, v), Scaled(v, lambda)),
                 bound = kThreshold * unit * size * Norm(m);
    if (why.empty() && error > bound)
      why = Join(
          {"A V is not V diag(values): the residual is ", error, ", expected at most ", bound});
    if (!why.empty()) return why;
  }
  return "";
}

}  // namespace

std::string CheckFactorization(const SpecialCall& call) {
  if (WithoutVectors(call)) return CompareAll(call);
  const Schema& schema = call.op.schema();
  if (schema.returns[0].name == "U") return CheckSvd(call, schema.returns[2].name == "Vh");
  return CheckEigenvectors(call, /*hermitian=*/schema.Find("UPLO") >= 0);
}

}  // namespace sy::replay
