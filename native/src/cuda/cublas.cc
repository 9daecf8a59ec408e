#include "cublas.h"

#include <dlfcn.h>
#include <glob.h>

#include <cstdlib>
#include <cstring>

namespace calib::cuda {

namespace {

// Values: cuBLAS documentation, library_types.h (cudaDataType) and cublas_api.h.
constexpr int kTranspose = 1, kNormal = 0, kDefaultAlgorithm = -1;
constexpr int kR32F = 0, kR16F = 2, kR8I = 3, kR32I = 10, kR16BF = 14, kR8E4M3 = 28;
constexpr int kCompute32F = 68, kCompute32I = 72;
constexpr int kDescTransA = 3, kDescTransB = 4, kPreferWorkspace = 1;  // cublasLtMatmulDescAttributes_t, …PreferenceAttributes_t
constexpr int kNotSupported = 15, kInvalidValue = 7;
constexpr size_t kWorkspace = 32 << 20;

struct Traits {
  const char* name;
  size_t operand, result;
  int type, resultType, compute, scale, capability;
};
/** int8 from compute capability 6.1, bf16 from 8.0, fp8 from 8.9 (CUDA C++ Programming Guide, arithmetic instructions). */
const Traits& traitsOf(Format format) {
  static const Traits traits[] = {
      {"bf16", 2, 2, kR16BF, kR16BF, kCompute32F, kR32F, 80},
      {"fp16", 2, 2, kR16F, kR16F, kCompute32F, kR32F, 70},
      {"int8", 1, 4, kR8I, kR32I, kCompute32I, kR32I, 61},
      {"fp8", 1, 2, kR8E4M3, kR16BF, kCompute32F, kR32F, 89},
  };
  return traits[static_cast<int>(format)];
}

std::vector<std::string> matches(const std::string& pattern) {
  std::vector<std::string> paths;
  glob_t found;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (size_t i = found.gl_pathc; i > 0; i--) paths.push_back(found.gl_pathv[i - 1]);
  globfree(&found);
  return paths;
}

/** Where libcublas may lie: as told, where the loader looks, in a toolkit, in a Python environment; newest first. */
std::vector<std::string> candidates() {
  std::vector<std::string> paths;
  const auto from = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
  if (const std::string told = from("CALIB_CUBLAS"); !told.empty()) return {told};
  for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}) paths.push_back(name);
  std::vector<std::string> folders;
  if (const std::string home = from("CUDA_HOME"); !home.empty()) folders.push_back(home + "/lib64");
  folders.push_back("/usr/local/cuda/lib64");
  if (const std::string env = from("VIRTUAL_ENV"); !env.empty()) folders.push_back(env + "/lib/python3*/site-packages/nvidia/*/lib");
  for (const char* prefix : {"/usr/local/lib/python3*/site-packages", "/usr/local/lib/python3*/dist-packages", "/usr/lib/python3/dist-packages",
                             "/opt/conda/lib/python3*/site-packages", "/opt/venv/lib/python3*/site-packages"})
    folders.push_back(std::string(prefix) + "/nvidia/*/lib");
  for (const std::string& folder : folders)
    for (const std::string& path : matches(folder + "/libcublas.so.1[123]")) paths.push_back(path);
  return paths;
}

void* openCublas() {
  for (const std::string& path : candidates()) {
    // cuBLAS needs cuBLASLt, which a Python package keeps beside it where the loader does not look.
    std::string beside = path;
    beside.replace(beside.rfind("libcublas"), 9, "libcublasLt");
    dlopen(beside.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  return nullptr;
}

/** A function of the library; throws Fault NoLibrary when it is missing. */
template <class Signature>
Signature* need(void* library, const char* name) {
  if (void* found = dlsym(library ? library : RTLD_DEFAULT, name)) return reinterpret_cast<Signature*>(found);
  throw Fault(Code::NoLibrary, std::string("cuBLAS has no ") + name);
}

void require(int status, const char* what) {
  if (status == 0) return;
  const bool unsupported = status == kNotSupported || status == kInvalidValue;
  throw Fault(unsupported ? Code::UnsupportedDtype : Code::Internal, std::string(what) + ": cuBLAS status " + std::to_string(status));
}

}  // namespace

size_t operandBytes(Format format) { return traitsOf(format).operand; }
size_t resultBytes(Format format) { return traitsOf(format).result; }

/** cuBLASLt's objects for the shape that was asked for last. */
struct Cublas::Lt {
  using Handle = void*;
  /** cublasLtMatmulHeuristicResult_t: the algorithm (64 bytes), its workspace, whether it works, waves, reserve. */
  struct Choice {
    std::uint64_t algorithm[8];
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
  };

  Lt(Gpu& gpu, void* library) : library(library), workspace(gpu, kWorkspace) {
    require(need<int(Handle*)>(library, "cublasLtCreate")(&handle), "open cuBLASLt");
  }
  ~Lt() {
    forget();
    if (handle) need<int(Handle)>(library, "cublasLtDestroy")(handle);
  }

  void forget() {
    for (Handle& layout : layouts)
      if (layout) need<int(Handle)>(library, "cublasLtMatrixLayoutDestroy")(layout), layout = nullptr;
    if (description) need<int(Handle)>(library, "cublasLtMatmulDescDestroy")(description), description = nullptr;
    m = n = k = 0;
  }

  void shape(int rows, int outputs, int inputs) {
    if (m == rows && n == outputs && k == inputs) return;
    forget();
    require(need<int(Handle*, int, int)>(library, "cublasLtMatmulDescCreate")(&description, kCompute32F, kR32F), "describe a product");
    const auto set = need<int(Handle, int, const void*, size_t)>(library, "cublasLtMatmulDescSetAttribute");
    require(set(description, kDescTransA, &kTranspose, sizeof kTranspose), "transpose weights");
    require(set(description, kDescTransB, &kNormal, sizeof kNormal), "keep inputs");
    const auto layout = need<int(Handle*, int, std::uint64_t, std::uint64_t, std::int64_t)>(library, "cublasLtMatrixLayoutCreate");
    require(layout(&layouts[0], kR8E4M3, inputs, outputs, inputs), "lay out weights");
    require(layout(&layouts[1], kR8E4M3, inputs, rows, inputs), "lay out inputs");
    require(layout(&layouts[2], kR16BF, outputs, rows, outputs), "lay out outputs");
    choose();
    m = rows, n = outputs, k = inputs;
  }

  void choose() {
    Handle preference = nullptr;
    require(need<int(Handle*)>(library, "cublasLtMatmulPreferenceCreate")(&preference), "make a preference");
    require(need<int(Handle, int, const void*, size_t)>(library, "cublasLtMatmulPreferenceSetAttribute")(preference, kPreferWorkspace,
                                                                                                          &kWorkspace, sizeof kWorkspace),
            "allow a workspace");
    int found = 0;
    const auto search = need<int(Handle, Handle, Handle, Handle, Handle, Handle, Handle, int, Choice*, int*)>(library, "cublasLtMatmulAlgoGetHeuristic");
    const int status = search(handle, description, layouts[0], layouts[1], layouts[2], layouts[2], preference, 1, &choice, &found);
    need<int(Handle)>(library, "cublasLtMatmulPreferenceDestroy")(preference);
    if (status != 0 || found == 0) throw Fault(Code::UnsupportedDtype, "cuBLASLt has no fp8 product of this shape");
  }

  void run(Pointer x, Pointer weights, Pointer y, Stream stream) {
    using Run = int(Handle, Handle, const void*, Pointer, Handle, Pointer, Handle, const void*, Pointer, Handle, Pointer, Handle, const void*,
                    Pointer, size_t, Stream);
    const float one = 1, zero = 0;
    require(need<Run>(library, "cublasLtMatmul")(handle, description, &one, weights, layouts[0], x, layouts[1], &zero, y, layouts[2], y,
                                                 layouts[2], choice.algorithm, workspace.at(), kWorkspace, stream),
            "multiply");
  }

  void* library;
  Memory workspace;
  Handle handle = nullptr, description = nullptr, layouts[3] = {};
  Choice choice = {};
  int m = 0, n = 0, k = 0;
};

Cublas::Cublas(Gpu& gpu) : gpu_(gpu), library_(openCublas()) {}

Cublas::~Cublas() {
  lt_.reset();
  if (handle_) need<int(void*)>(library_, "cublasDestroy_v2")(handle_);
}

std::string Cublas::refusal(Format format) const {
  if (!library_) return "libcublas is not found (CALIB_CUBLAS=/path/to/libcublas.so.13)";
  if (gpu_.capability() < traitsOf(format).capability)
    return std::string(traitsOf(format).name) + " needs compute capability " + std::to_string(traitsOf(format).capability / 10) + '.' +
           std::to_string(traitsOf(format).capability % 10);
  return "";
}

std::string Cublas::version() const {
  int number = 0;
  if (!library_ || !handle_ || need<int(void*, int*)>(library_, "cublasGetVersion_v2")(handle_, &number) != 0) return "cublas";
  // 130002 is 13.0.2; versions before 12 counted in thousands.
  const int major = number >= 100000 ? number / 10000 : number / 1000, minor = number >= 100000 ? number / 100 % 100 : number / 100 % 10;
  return "cublas " + std::to_string(major) + '.' + std::to_string(minor);
}

void Cublas::linear(Format format, Pointer x, Pointer weights, Pointer y, int m, int n, int k) {
  if (const std::string reason = refusal(format); !reason.empty()) throw Fault(library_ ? Code::UnsupportedDtype : Code::NoLibrary, reason);
  if (!handle_) {
    require(need<int(void**)>(library_, "cublasCreate_v2")(&handle_), "open cuBLAS");
    require(need<int(void*, Stream)>(library_, "cublasSetStream_v2")(handle_, gpu_.stream()), "set cuBLAS's stream");
  }
  if (format != Format::fp8) return plain(format, x, weights, y, m, n, k);
  if (!lt_) lt_ = std::make_unique<Lt>(gpu_, library_);
  lt_->shape(m, n, k);
  lt_->run(x, weights, y, gpu_.stream());
}

// cuBLAS counts column by column: row-major weights [n][k] are its k × n, so they are transposed, and y [m][n] is its n × m.
void Cublas::plain(Format format, Pointer x, Pointer weights, Pointer y, int m, int n, int k) {
  using Gemm = int(void*, int, int, int, int, int, const void*, Pointer, int, int, Pointer, int, int, const void*, Pointer, int, int, int, int);
  const Traits& t = traitsOf(format);
  const float one = 1, zero = 0;
  const int wholeOne = 1, wholeZero = 0;
  const bool whole = format == Format::int8;
  const void* alpha = whole ? static_cast<const void*>(&wholeOne) : &one;
  const void* beta = whole ? static_cast<const void*>(&wholeZero) : &zero;
  static Gemm* gemm = nullptr;
  if (!gemm) gemm = need<Gemm>(library_, "cublasGemmEx");
  require(gemm(handle_, kTranspose, kNormal, n, m, k, alpha, weights, t.type, k, x, t.type, k, beta, y, t.resultType, n, t.compute,
               kDefaultAlgorithm),
          "multiply");
}

}  // namespace calib::cuda
