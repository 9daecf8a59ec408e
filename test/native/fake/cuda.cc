// A fake libcuda.so.1 for tests: memory is the host's, and a launch runs the real kernel source through host_cuda.h, so that the whole path
// from the plan to the JSON Lines, arguments and arithmetic included, runs without a GPU. Its times are this CPU's and mean nothing.
// FAKE_CUDA chooses: ok (default), no-device, init-failure, old-driver, out-of-memory, launch-failure. FAKE_CUDA_MEMORY: bytes (256 MiB).
#include "host_cuda.h"

#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace kernels {
#include "../../../native/src/cuda/kernels.cu"
}

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using Launch = std::function<void(void**)>;

template <typename... Args, std::size_t... I>
Launch by_values(void (*kernel)(Args...), std::index_sequence<I...>) {
  return [kernel](void** values) { kernel(*static_cast<std::decay_t<Args>*>(values[I])...); };
}
template <typename... Args>
Launch by_values(void (*kernel)(Args...)) { return by_values(kernel, std::index_sequence_for<Args...>{}); }

// Where each argument of a kernel starts, so that a captured launch can keep its values.
template <typename... Args>
std::vector<std::size_t> sizes(void (*)(Args...)) { return {sizeof(std::decay_t<Args>)...}; }

struct Kernel {
  Launch launch;
  std::vector<std::size_t> sizes;
};

#define K(name) {#name, {by_values(kernels::name), sizes(kernels::name)}}
std::map<std::string, Kernel> table = {
    K(mem_read), K(mem_write), K(mem_copy), K(mem_triad), K(fill_bits), K(fill_fp8), K(fill_f32), K(fill_bf16), K(fill_f16),
    K(empty_kernel), K(spin_until), K(gemv_bf16_m1), K(gemv_bf16_m2), K(gemv_bf16_m4), K(gemv_bf16_m8), K(gemv_int4_m1), K(gemv_int4_m2),
    K(gemv_int4_m4), K(gemv_int4_m8), K(decode_g1), K(decode_g4), K(decode_g8), K(decode_merge), K(attn_prefill), K(rmsnorm), K(silu_mul),
    K(add), K(rope)};

struct Graph { std::vector<std::function<void()>> launches; };

std::map<std::uint64_t, std::size_t> blocks;
std::size_t used = 0;
Graph* capturing = nullptr;

bool mode(const char* name) {
  const char* chosen = std::getenv("FAKE_CUDA");
  return chosen && std::string(chosen) == name;
}
std::size_t memory() {
  const char* bytes = std::getenv("FAKE_CUDA_MEMORY");
  return bytes ? std::strtoull(bytes, nullptr, 10) : std::size_t{256} << 20;
}
int copy(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
  return 0;
}
void* at(std::uint64_t pointer) { return reinterpret_cast<void*>(pointer); }

}  // namespace

EXPORT int cuInit(unsigned) { return mode("init-failure") ? 999 : mode("no-device") ? 100 : 0; }
EXPORT int cuDriverGetVersion(int* version) { return *version = mode("old-driver") ? 10020 : 13000, 0; }
EXPORT int cuGetErrorName(int status, const char** name) {
  *name = status == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : status == 100 ? "CUDA_ERROR_NO_DEVICE" : status == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
                                                                                                          : "CUDA_ERROR_UNKNOWN";
  return 0;
}
EXPORT int cuDeviceGetCount(int* count) { return *count = 1, 0; }
EXPORT int cuDeviceGet(int* device, int index) { return *device = index, index == 0 ? 0 : 101; }
EXPORT int cuDeviceGetName(char* name, int size, int) { return std::snprintf(name, size, "Fake GPU (test double)"), 0; }
EXPORT int cuDeviceGetPCIBusId(char* id, int size, int) { return std::snprintf(id, size, "0000:00:00.0"), 0; }
EXPORT int cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case 16: *value = 2; break;         // SMs
    case 38: *value = 64 << 10; break;  // L2 bytes
    case 75: *value = 8; break;         // compute capability 8.9: fp8 is there
    case 76: *value = 9; break;
    default: *value = 1;
  }
  return 0;
}
EXPORT int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = memory(), 0; }
EXPORT int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &blocks, 0; }
EXPORT int cuDevicePrimaryCtxRelease_v2(int) {
  if (!blocks.empty()) std::fprintf(stderr, "fake CUDA: %zu allocations were never freed\n", blocks.size());
  return 0;
}
EXPORT int cuCtxSetCurrent(void*) { return 0; }
EXPORT int cuCtxSynchronize() { return 0; }
EXPORT int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) { return *total = memory(), *free = *total - used, 0; }
EXPORT int cuMemAlloc_v2(std::uint64_t* pointer, std::size_t bytes) {
  if (used + bytes > memory() || (mode("out-of-memory") && bytes > 192 << 10)) return 2;
  void* block = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(block, 0xff, bytes);  // what was never written reads as NaN
  blocks[*pointer = reinterpret_cast<std::uint64_t>(block)] = bytes;
  used += bytes;
  return 0;
}
EXPORT int cuMemFree_v2(std::uint64_t pointer) {
  const auto block = blocks.find(pointer);
  if (block == blocks.end()) return 1;
  used -= block->second;
  blocks.erase(block);
  std::free(at(pointer));
  return 0;
}
EXPORT int cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) { return *pointer = std::calloc(1, bytes), 0; }
EXPORT int cuMemFreeHost(void* pointer) { return std::free(pointer), 0; }
EXPORT int cuMemHostGetDevicePointer_v2(std::uint64_t* pointer, void* host, unsigned) { return *pointer = reinterpret_cast<std::uint64_t>(host), 0; }
EXPORT int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) { return copy(at(to), from, bytes); }
EXPORT int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) { return copy(to, at(from), bytes); }
EXPORT int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void*) { return copy(at(to), from, bytes); }
EXPORT int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) { return copy(to, at(from), bytes); }
EXPORT int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) { return copy(at(to), at(from), bytes); }
EXPORT int cuMemcpyPeerAsync(std::uint64_t to, void*, std::uint64_t from, void*, std::size_t bytes, void*) { return copy(at(to), at(from), bytes); }
EXPORT int cuStreamCreate(void** stream, unsigned) { return *stream = new char, 0; }
EXPORT int cuStreamDestroy_v2(void* stream) { return delete static_cast<char*>(stream), 0; }
EXPORT int cuStreamSynchronize(void*) { return 0; }
EXPORT int cuStreamWaitEvent(void*, void*, unsigned) { return 0; }
EXPORT int cuEventCreate(void** event, unsigned) { return *event = new double(0), 0; }
EXPORT int cuEventDestroy_v2(void* event) { return delete static_cast<double*>(event), 0; }
EXPORT int cuEventRecord(void* event, void*) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  *static_cast<double*>(event) = std::chrono::duration<double, std::milli>(now).count();
  return 0;
}
EXPORT int cuEventSynchronize(void*) { return 0; }
EXPORT int cuEventElapsedTime(float* ms, void* from, void* to) {
  *ms = static_cast<float>(*static_cast<double*>(to) - *static_cast<double*>(from));
  return 0;
}
EXPORT int cuModuleLoadData(void** module, const void* image) {
  unsigned magic;
  std::memcpy(&magic, image, 4);
  const bool fatbin = magic == 0xba55ed50u, ptx = std::string(static_cast<const char*>(image), 64).find("//") == 0;
  if (!fatbin && !ptx) return 200;
  return *module = &table, 0;
}
EXPORT int cuModuleUnload(void*) { return 0; }
EXPORT int cuModuleGetFunction(void** function, void*, const char* name) {
  const auto found = table.find(name);
  if (found == table.end()) return 500;
  *function = &found->second;
  return 0;
}
EXPORT int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned, void*,
                          void** values, void**) {
  const Kernel* kernel = static_cast<Kernel*>(function);
  if (mode("launch-failure") && kernel != &table.at("empty_kernel")) return 719;
  if (gx == 0 || gy > 65535 || gz > 65535 || bx * by * bz > 1024) return 1;
  const auto run = [=](void** arguments) { host_cuda::run_grid({gx, gy, gz}, {bx, by, bz}, [=] { kernel->launch(arguments); }); };
  if (!capturing) return run(values), 0;
  auto kept = std::make_shared<std::vector<std::vector<char>>>();
  for (std::size_t i = 0; i < kernel->sizes.size(); ++i)
    kept->emplace_back(static_cast<char*>(values[i]), static_cast<char*>(values[i]) + kernel->sizes[i]);
  capturing->launches.push_back([=] {
    std::vector<void*> arguments;
    for (auto& value : *kept) arguments.push_back(value.data());
    run(arguments.data());
  });
  return 0;
}
EXPORT int cuStreamBeginCapture_v2(void*, int) { return capturing = new Graph, 0; }
EXPORT int cuStreamEndCapture(void*, void** graph) { return *graph = std::exchange(capturing, nullptr), 0; }
EXPORT int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long) { return *exec = new Graph(*static_cast<Graph*>(graph)), 0; }
EXPORT int cuGraphLaunch(void* exec, void*) {
  for (const auto& launch : static_cast<Graph*>(exec)->launches) launch();
  return 0;
}
EXPORT int cuGraphExecDestroy(void* exec) { return delete static_cast<Graph*>(exec), 0; }
EXPORT int cuGraphDestroy(void* graph) { return delete static_cast<Graph*>(graph), 0; }
