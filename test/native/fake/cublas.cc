// A fake libcublas for tests, written from cuBLAS's documentation: column-major products in double precision over host memory. It shows that
// our sizes, strides and transpositions agree with that documentation; what the real library does with them it cannot show.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

namespace {

enum Type { R32F = 0, R16F = 2, R8I = 3, R32I = 10, R16BF = 14, R8E4M3 = 28 };
constexpr int NOT_SUPPORTED = 15, INVALID = 7;

float floatOf(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
double scaled(int sign, int exponent, int fraction, int bits, int bias) {
  const double size = exponent == 0 ? std::ldexp(fraction, 1 - bias - bits) : std::ldexp((1 << bits) + fraction, exponent - bias - bits);
  return sign ? -size : size;
}

double load(const void* from, int type, std::size_t i) {
  switch (type) {
    case R16BF: return floatOf(static_cast<std::uint32_t>(static_cast<const std::uint16_t*>(from)[i]) << 16);
    case R16F: {
      const int bits = static_cast<const std::uint16_t*>(from)[i];
      return scaled(bits >> 15, bits >> 10 & 31, bits & 1023, 10, 15);
    }
    case R8E4M3: {
      const int bits = static_cast<const std::uint8_t*>(from)[i];
      return scaled(bits >> 7, bits >> 3 & 15, bits & 7, 3, 7);
    }
    default: return static_cast<const std::int8_t*>(from)[i];
  }
}

std::uint16_t halfOf(double value) {
  if (value == 0) return 0;
  int exponent;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  const int bits = exponent < -13 ? static_cast<int>(std::lround(std::ldexp(fraction, exponent + 24)))
                                  : (exponent + 13) * 1024 + static_cast<int>(std::lround(fraction * 2048));
  return static_cast<std::uint16_t>(bits | (value < 0 ? 0x8000 : 0));
}

void store(void* to, int type, std::size_t i, double value) {
  if (type == R32I) static_cast<std::int32_t*>(to)[i] = static_cast<std::int32_t>(value);
  else if (type == R16F) static_cast<std::uint16_t*>(to)[i] = halfOf(value);
  else {
    const float single = static_cast<float>(value);
    std::uint32_t bits;
    std::memcpy(&bits, &single, 4);
    static_cast<std::uint16_t*>(to)[i] = static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
}

/** C (m × n) = op(A) op(B), column by column. */
void product(bool ta, bool tb, int m, int n, int k, const void* a, int ta_type, int lda, const void* b, int b_type, int ldb, void* c, int c_type, int ldc) {
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      double sum = 0;
      for (int i = 0; i < k; ++i)
        sum += load(a, ta_type, ta ? std::size_t(row) * lda + i : std::size_t(i) * lda + row) *
               load(b, b_type, tb ? std::size_t(i) * ldb + column : std::size_t(column) * ldb + i);
      store(c, c_type, std::size_t(column) * ldc + row, sum);
    }
}

struct Layout { int type; std::uint64_t rows, columns; std::int64_t ld; };
struct Description { int compute, scale; std::map<int, int> set; };
struct Choice { std::uint64_t algorithm[8]; std::size_t workspace; int state; float waves; int reserved[4]; };

}  // namespace

#define API extern "C" __attribute__((visibility("default"))) int

API cublasCreate_v2(void** handle) { return *handle = new char, 0; }
API cublasDestroy_v2(void* handle) { return delete static_cast<char*>(handle), 0; }
API cublasSetStream_v2(void*, void*) { return 0; }
API cublasGetVersion_v2(void*, int* version) { return *version = 130002, 0; }
API cublasGemmEx(void*, int ta, int tb, int m, int n, int k, const void* alpha, const void* a, int at, int lda, const void* b, int bt, int ldb,
                 const void* beta, void* c, int ct, int ldc, int compute, int) {
  const bool whole = at == R8I;
  if (at != bt || (whole ? compute != 72 || ct != R32I : compute != 68 || ct != at)) return NOT_SUPPORTED;
  if (lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m || (whole && (lda % 4 || ldb % 4))) return INVALID;
  const bool one = whole ? *static_cast<const int*>(alpha) == 1 && *static_cast<const int*>(beta) == 0
                         : *static_cast<const float*>(alpha) == 1 && *static_cast<const float*>(beta) == 0;
  if (!one) return INVALID;
  return product(ta, tb, m, n, k, a, at, lda, b, bt, ldb, c, ct, ldc), 0;
}

API cublasLtCreate(void** handle) { return *handle = new char, 0; }
API cublasLtDestroy(void* handle) { return delete static_cast<char*>(handle), 0; }
API cublasLtMatmulDescCreate(void** made, int compute, int scale) { return *made = new Description{compute, scale, {}}, 0; }
API cublasLtMatmulDescDestroy(void* made) { return delete static_cast<Description*>(made), 0; }
API cublasLtMatmulDescSetAttribute(void* made, int which, const void* value, std::size_t bytes) {
  if (bytes != 4) return INVALID;
  static_cast<Description*>(made)->set[which] = *static_cast<const int*>(value);
  return 0;
}
API cublasLtMatrixLayoutCreate(void** made, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t ld) {
  return *made = new Layout{type, rows, columns, ld}, 0;
}
API cublasLtMatrixLayoutDestroy(void* made) { return delete static_cast<Layout*>(made), 0; }
API cublasLtMatmulPreferenceCreate(void** made) { return *made = new char, 0; }
API cublasLtMatmulPreferenceDestroy(void* made) { return delete static_cast<char*>(made), 0; }
API cublasLtMatmulPreferenceSetAttribute(void*, int which, const void*, std::size_t bytes) { return which == 1 && bytes == 8 ? 0 : INVALID; }
API cublasLtMatmulAlgoGetHeuristic(void*, void* description, void* a, void* b, void*, void* d, void*, int, Choice* choice, int* found) {
  const auto* which = static_cast<Description*>(description);
  const auto* left = static_cast<Layout*>(a);
  // fp8 products exist with A transposed and B not, in sizes of 16 (cuBLASLt documentation, cublasLtMatmul, FP8 kernels).
  const bool fits = which->compute == 68 && which->set.at(3) == 1 && which->set.at(4) == 0 && left->type == R8E4M3 && left->rows % 16 == 0 &&
                    left->columns % 16 == 0 && static_cast<Layout*>(b)->rows == left->rows && static_cast<Layout*>(d)->rows == left->columns;
  *choice = {};
  choice->algorithm[0] = 42;
  return *found = fits ? 1 : 0, fits ? 0 : NOT_SUPPORTED;
}
API cublasLtMatmul(void*, void* description, const void* alpha, const void* a, void* al, const void* b, void* bl, const void* beta, const void*,
                   void*, void* d, void* dl, const void* algorithm, void*, std::size_t, void*) {
  const auto* left = static_cast<Layout*>(al);
  const auto* right = static_cast<Layout*>(bl);
  const auto* out = static_cast<Layout*>(dl);
  const auto& set = static_cast<Description*>(description)->set;
  if (*static_cast<const float*>(alpha) != 1 || *static_cast<const float*>(beta) != 0 || *static_cast<const std::uint64_t*>(algorithm) != 42) return INVALID;
  const bool ta = set.at(3) == 1, tb = set.at(4) == 1;
  product(ta, tb, static_cast<int>(out->rows), static_cast<int>(out->columns), static_cast<int>(ta ? left->rows : left->columns), a, left->type,
          static_cast<int>(left->ld), b, right->type, static_cast<int>(right->ld), d, out->type, static_cast<int>(out->ld));
  return 0;
}
