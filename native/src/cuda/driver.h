// The CUDA driver, loaded at run time: nothing of CUDA is needed to build or to start, and a machine without it gets a code.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace calib::cuda {

// Own names for the few types and constants used (values: CUDA Driver API reference, cuda.h), so that no toolkit header is needed.
using Device = int;
using Pointer = std::uint64_t;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using Graph = struct GraphTag*;
using GraphExec = struct GraphExecTag*;

constexpr int kSuccess = 0, kOutOfMemory = 2, kNoDevice = 100, kNoBinary = 209, kUnsupportedPtx = 222;
constexpr int kSmCount = 16, kL2Bytes = 38, kMajor = 75, kMinor = 76;  // CU_DEVICE_ATTRIBUTE_*
constexpr unsigned kHostMapped = 2;        // CU_MEMHOSTALLOC_DEVICEMAP
constexpr unsigned kNonBlocking = 1;       // CU_STREAM_NON_BLOCKING
constexpr int kCaptureThreadLocal = 1;     // CU_STREAM_CAPTURE_MODE_THREAD_LOCAL

// symbol as exported (with its version), member name, parameters
#define CALIB_CUDA_SYMBOLS(X)                                                                                                            \
  X(cuInit, init, (unsigned))                                                                                                            \
  X(cuDriverGetVersion, driverVersion, (int*))                                                                                           \
  X(cuGetErrorName, errorName, (int, const char**))                                                                                      \
  X(cuDeviceGetCount, deviceCount, (int*))                                                                                               \
  X(cuDeviceGet, device, (Device*, int))                                                                                                 \
  X(cuDeviceGetName, deviceName, (char*, int, Device))                                                                                   \
  X(cuDeviceGetAttribute, attribute, (int*, int, Device))                                                                                \
  X(cuDeviceGetPCIBusId, pciBusId, (char*, int, Device))                                                                                 \
  X(cuDeviceTotalMem_v2, totalMemory, (std::size_t*, Device))                                                                            \
  X(cuDevicePrimaryCtxRetain, retainContext, (Context*, Device))                                                                         \
  X(cuDevicePrimaryCtxRelease_v2, releaseContext, (Device))                                                                              \
  X(cuCtxSetCurrent, setContext, (Context))                                                                                              \
  X(cuCtxSynchronize, synchronize, ())                                                                                                   \
  X(cuMemGetInfo_v2, memoryInfo, (std::size_t*, std::size_t*))                                                                           \
  X(cuMemAlloc_v2, allocate, (Pointer*, std::size_t))                                                                                    \
  X(cuMemFree_v2, release, (Pointer))                                                                                                    \
  X(cuMemHostAlloc, allocateHost, (void**, std::size_t, unsigned))                                                                       \
  X(cuMemFreeHost, releaseHost, (void*))                                                                                                 \
  X(cuMemHostGetDevicePointer_v2, devicePointer, (Pointer*, void*, unsigned))                                                            \
  X(cuMemcpyHtoD_v2, copyIn, (Pointer, const void*, std::size_t))                                                                        \
  X(cuMemcpyDtoH_v2, copyOut, (void*, Pointer, std::size_t))                                                                             \
  X(cuMemcpyHtoDAsync_v2, copyInAsync, (Pointer, const void*, std::size_t, Stream))                                                      \
  X(cuMemcpyDtoHAsync_v2, copyOutAsync, (void*, Pointer, std::size_t, Stream))                                                           \
  X(cuMemcpyDtoDAsync_v2, copyWithinAsync, (Pointer, Pointer, std::size_t, Stream))                                                      \
  X(cuStreamCreate, createStream, (Stream*, unsigned))                                                                                   \
  X(cuStreamDestroy_v2, destroyStream, (Stream))                                                                                         \
  X(cuStreamSynchronize, synchronizeStream, (Stream))                                                                                    \
  X(cuStreamWaitEvent, waitEvent, (Stream, Event, unsigned))                                                                             \
  X(cuEventCreate, createEvent, (Event*, unsigned))                                                                                      \
  X(cuEventDestroy_v2, destroyEvent, (Event))                                                                                            \
  X(cuEventRecord, recordEvent, (Event, Stream))                                                                                         \
  X(cuEventSynchronize, synchronizeEvent, (Event))                                                                                       \
  X(cuEventElapsedTime, elapsed, (float*, Event, Event))                                                                                 \
  X(cuModuleLoadData, loadModule, (Module*, const void*))                                                                                \
  X(cuModuleUnload, unloadModule, (Module))                                                                                              \
  X(cuModuleGetFunction, function, (Function*, Module, const char*))                                                                     \
  X(cuLaunchKernel, launch,                                                                                                              \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**, void**))                            \
  X(cuStreamBeginCapture_v2, beginCapture, (Stream, int))                                                                                \
  X(cuStreamEndCapture, endCapture, (Stream, Graph*))                                                                                    \
  X(cuGraphInstantiateWithFlags, instantiate, (GraphExec*, Graph, unsigned long long))                                                   \
  X(cuGraphLaunch, launchGraph, (GraphExec, Stream))                                                                                     \
  X(cuGraphExecDestroy, destroyExec, (GraphExec))                                                                                        \
  X(cuGraphDestroy, destroyGraph, (Graph))

/** The driver's functions. */
struct Driver {
#define X(symbol, member, parameters) int(*member) parameters = nullptr;
  CALIB_CUDA_SYMBOLS(X)
#undef X
  /** 1000 * major + 10 * minor of the newest CUDA that it runs. */
  int version = 0;
};

/** Opens the driver, resolves every symbol and initialises it. Throws Fault NoCudaDriver, DriverTooOld, NoDevice. */
Driver loadDriver();

/** The driver's own name of a status, such as CUDA_ERROR_OUT_OF_MEMORY. */
std::string statusName(const Driver& driver, int status);

}  // namespace calib::cuda
