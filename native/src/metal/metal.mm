// Apple GPUs as a class of devices: `--device metal`. Timed by the command buffer's own GPU start and end, at least twenty dispatches in each.
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>
#import <MetalPerformanceShaders/MetalPerformanceShaders.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "../core/device.h"
#include "../core/sampler.h"
#include "kernels_msl.h"

namespace calib {
namespace metal {

constexpr int kDispatches = 20;
constexpr uint32_t kThreads = 256;

/** As in the kernels: the value that a fill puts at `index`. */
uint32_t mixed(uint32_t value) {
  value = (value ^ (value >> 16)) * 0x7feb352du;
  value = (value ^ (value >> 15)) * 0x846ca68bu;
  return value ^ (value >> 16);
}
double unitAt(uint32_t seed, uint32_t index) { return (static_cast<int>(mixed(seed + index) >> 24) - 128) / 128.0; }

void expectNear(const std::string& what, double got, double want, double allowed) {
  if (std::fabs(got - want) <= allowed) return;
  throw Fault(Code::WrongResult, what + " gave " + std::to_string(got) + " where the reference has " + std::to_string(want));
}

/** A GPU, its queue, and the kernels compiled on it. */
class Gpu {
 public:
  Gpu() {
    device_ = MTLCreateSystemDefaultDevice();
    if (device_ == nil) throw Fault(Code::NoDevice, "Metal finds no GPU");
    NSError* error = nil;
    library_ = [device_ newLibraryWithSource:[NSString stringWithUTF8String:kKernels] options:nil error:&error];
    if (library_ == nil) throw Fault(Code::Internal, std::string("the Metal kernels do not compile: ") + [[error localizedDescription] UTF8String]);
    queue_ = [device_ newCommandQueue];
  }
  id<MTLDevice> device() const { return device_; }
  id<MTLCommandQueue> queue() const { return queue_; }
  /** A quarter of what the system lets a GPU hold. */
  uint64_t limit() const { return [device_ recommendedMaxWorkingSetSize] / 4; }

  id<MTLComputePipelineState> pipeline(const char* kernel) const {
    NSError* error = nil;
    id<MTLComputePipelineState> made =
        [device_ newComputePipelineStateWithFunction:[library_ newFunctionWithName:[NSString stringWithUTF8String:kernel]] error:&error];
    if (made == nil) throw Fault(Code::Internal, std::string(kernel) + ": " + [[error localizedDescription] UTF8String]);
    return made;
  }
  id<MTLBuffer> buffer(uint64_t bytes, MTLResourceOptions options = MTLResourceStorageModeShared) const {
    id<MTLBuffer> made = bytes > limit() ? nil : [device_ newBufferWithLength:bytes options:options];
    if (made == nil) throw Fault(Code::OutOfMemory, std::to_string(bytes >> 20) + " MiB do not fit into a quarter of the GPU's memory");
    return made;
  }

  /** Seconds of one call in a command buffer of `calls` of them. */
  double run(int calls, const std::function<void(id<MTLCommandBuffer>)>& encode) const {
    @autoreleasepool {
      id<MTLCommandBuffer> commands = [queue_ commandBuffer];
      for (int i = 0; i < calls; i++) encode(commands);
      [commands commit];
      [commands waitUntilCompleted];
      if ([commands status] == MTLCommandBufferStatusError) throw Fault(Code::Internal, "a Metal command failed");
      return ([commands GPUEndTime] - [commands GPUStartTime]) / calls;
    }
  }

  Sample time(const Run& run, const std::function<void(id<MTLCommandBuffer>)>& encode) const {
    this->run(kDispatches, encode);
    std::vector<double> seconds;
    for (int i = 0; i < (run.options.plan == Plan::tiny ? 3 : 15); i++) {
      if (run.cancelled) throw Fault(Code::Abort, "interrupted");
      seconds.push_back(this->run(kDispatches, encode));
    }
    Sample sample;
    sample.timing = summarise(seconds, std::vector<double>(seconds.size(), 0.0), kDispatches);
    sample.impl = "metal";
    sample.extras = {{"thermalState", static_cast<double>([[NSProcessInfo processInfo] thermalState])}};
    return sample;
  }

  /** One kernel over `threads` threads; buffers 0 and from 2 on, one number at 1. */
  static void dispatch(id<MTLCommandBuffer> commands, id<MTLComputePipelineState> pipeline, const std::vector<id<MTLBuffer>>& buffers,
                       uint32_t number, uint32_t groups, uint32_t threads) {
    id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
    [encoder setComputePipelineState:pipeline];
    for (size_t i = 0; i < buffers.size(); i++) [encoder setBuffer:buffers[i] offset:0 atIndex:i == 0 ? 0 : i + 1];
    [encoder setBytes:&number length:sizeof number atIndex:1];
    [encoder dispatchThreadgroups:MTLSizeMake(groups, 1, 1) threadsPerThreadgroup:MTLSizeMake(threads, 1, 1)];
    [encoder endEncoding];
  }

  void fill(id<MTLBuffer> buffer, const char* kernel, uint32_t count, uint32_t seed) const {
    id<MTLComputePipelineState> pipeline = this->pipeline(kernel);
    run(1, [&](id<MTLCommandBuffer> commands) {
      id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
      [encoder setComputePipelineState:pipeline];
      [encoder setBuffer:buffer offset:0 atIndex:0];
      [encoder setBytes:&count length:sizeof count atIndex:1];
      [encoder setBytes:&seed length:sizeof seed atIndex:2];
      [encoder dispatchThreadgroups:MTLSizeMake(256, 1, 1) threadsPerThreadgroup:MTLSizeMake(kThreads, 1, 1)];
      [encoder endEncoding];
    });
  }

 private:
  id<MTLDevice> device_;
  id<MTLLibrary> library_;
  id<MTLCommandQueue> queue_;
};

template <class T>
T valueAt(id<MTLBuffer> buffer, uint64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>([buffer contents]) + index * sizeof value, sizeof value);
  return value;
}

/** Memory by the GPU's cores: working sets from the caches to beyond them. */
class MemoryOp : public Op {
 public:
  MemoryOp(const Gpu& gpu, std::string name, const char* kernel, uint32_t buffers) : gpu_(gpu), name_(std::move(name)), kernel_(kernel), count_(buffers) {}
  const char* name() const override { return name_.c_str(); }

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> points;
    const int64_t from = plan == Plan::full ? 64 << 10 : plan == Plan::quick ? 64 << 20 : 1 << 20;
    const int64_t to = plan == Plan::tiny ? from : 1 << 30;
    for (int64_t bytes = from; bytes <= to && static_cast<uint64_t>(bytes) < gpu_.limit(); bytes *= 4) points.push_back({name_, "", {{"bytes", bytes}}, 0, 0, 0.5});
    return points;
  }

  Sample measure(const Point& point, const Run& run) override {
    const uint32_t words = static_cast<uint32_t>(point.at("bytes") / count_ / 16);
    std::vector<id<MTLBuffer>> buffers;
    for (uint32_t i = 0; i < count_; i++) {
      buffers.push_back(gpu_.buffer(16ull * words));
      gpu_.fill(buffers.back(), "fill_f32", words * 4, 11 + 1000003 * i);
    }
    const bool reads = name_ == "mem.read";
    if (reads) {
      buffers.push_back(gpu_.buffer(256));
      std::memset([buffers.back() contents], 0, 256);
    }
    id<MTLComputePipelineState> pipeline = gpu_.pipeline(kernel_);
    const auto encode = [&](id<MTLCommandBuffer> commands) {
      Gpu::dispatch(commands, pipeline, buffers, words, std::clamp<uint32_t>(words / kThreads, 1, 4096), kThreads);
    };
    gpu_.run(1, encode);
    verify(buffers, words);
    Sample sample = gpu_.time(run, encode);
    sample.bytes = 16.0 * count_ * words;
    sample.flops = name_ == "mem.triad" ? 8.0 * words : 0;
    return sample;
  }

 private:
  void verify(const std::vector<id<MTLBuffer>>& buffers, uint32_t words) const {
    uint32_t seen = 0;
    for (uint32_t i = 0; name_ == "mem.read" && i < words * 4; i++) seen ^= valueAt<uint32_t>(buffers[0], i);
    if (name_ == "mem.read") return expectNear(name_, valueAt<uint32_t>(buffers[1], 0), seen, 0);
    for (uint32_t i = 0; i < words * 4; i += 1 + words / 16) {
      if (name_ == "mem.write") {
        const uint32_t word = i / 4, want[] = {word, 7u, word ^ 7u, ~word};
        expectNear(name_, valueAt<uint32_t>(buffers[0], i), want[i % 4], 0);
      } else {
        const double scaled = name_ == "mem.triad" ? 3 * unitAt(11 + 2 * 1000003, i) : 0;
        expectNear(name_, valueAt<float>(buffers[0], i), unitAt(11 + 1000003, i) + scaled, 1e-5);
      }
    }
  }

  const Gpu& gpu_;
  const std::string name_;
  const char* const kernel_;
  const uint32_t count_;
};

/** Products of linear layers in fp16: one row by our own kernel (`gemv`), more by Metal Performance Shaders (`gemm`). */
class ProductOp : public Op {
 public:
  ProductOp(const Gpu& gpu, const char* name) : gpu_(gpu), name_(name), own_(std::strcmp(name, "gemv") == 0) {}
  const char* name() const override { return name_; }

  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> points;
    if (plan == Plan::tiny) return {{name_, "fp16", {{"m", own_ ? 1 : 16}, {"n", 64}, {"k", 128}}}};
    for (const int64_t m : own_ ? std::vector<int64_t>{1} : std::vector<int64_t>{8, 32, 128, 512, 2048})
      for (const int64_t n : {1024, 4096, 16384})
        for (const int64_t k : {1024, 4096, 16384})
          if ((plan == Plan::full || n == k) && static_cast<uint64_t>(2 * n * k) < gpu_.limit()) points.push_back({name_, "fp16", {{"m", m}, {"n", n}, {"k", k}}, 0, 1, 0.5});
    return points;
  }

  Sample measure(const Point& point, const Run& run) override {
    const uint32_t m = static_cast<uint32_t>(point.at("m")), n = static_cast<uint32_t>(point.at("n")), k = static_cast<uint32_t>(point.at("k"));
    if (point.dtype != "fp16") throw Fault(Code::UnsupportedDtype, point.text() + ": Metal measures fp16");
    if (own_ && (m != 1 || k % 4 != 0)) throw Fault(Code::Usage, point.text() + ": gemv has m 1 and k in steps of 4");
    // Copies that together exceed 64 MiB are used in turn: more than the caches of any of these GPUs hold.
    const uint32_t copies = std::min<uint32_t>(64, (64u << 20) / (2 * n * k) + 1);
    std::vector<id<MTLBuffer>> weights;
    for (uint32_t i = 0; i < copies; i++) gpu_.fill(weights.emplace_back(gpu_.buffer(2ull * n * k)), "fill_f16", n * k, 101);
    id<MTLBuffer> x = gpu_.buffer(2ull * m * k), y = gpu_.buffer(4ull * m * n);
    gpu_.fill(x, "fill_f16", m * k, 202);
    uint32_t turn = 0;
    const std::function<void(id<MTLCommandBuffer>)> encode = own_ ? gemv(weights, x, y, n, k, &turn) : gemm(weights, x, y, m, n, k, &turn);
    gpu_.run(1, encode);
    for (uint32_t spot = 0; spot < 16; spot++) {
      const uint32_t row = mixed(2 * spot) % m, column = mixed(2 * spot + 1) % n;
      double sum = 0, square = 0;
      for (uint32_t i = 0; i < k; i++) {
        const double term = unitAt(202, row * k + i) * unitAt(101, column * k + i);
        sum += term;
        square += term * term;
      }
      expectNear(point.text(), valueAt<float>(y, static_cast<uint64_t>(row) * n + column), sum, 1e-2 * std::sqrt(square));
    }
    Sample sample = gpu_.time(run, encode);
    sample.rotation = static_cast<int>(copies);
    sample.flops = 2.0 * m * n * k;
    sample.bytes = 2.0 * n * k + 2.0 * m * k + 4.0 * m * n;
    if (!own_) sample.impl = "metal performance shaders";
    return sample;
  }

 private:
  std::function<void(id<MTLCommandBuffer>)> gemv(const std::vector<id<MTLBuffer>>& weights, id<MTLBuffer> x, id<MTLBuffer> y, uint32_t n, uint32_t k, uint32_t* turn) const {
    id<MTLComputePipelineState> pipeline = gpu_.pipeline("gemv_f16");
    return [=](id<MTLCommandBuffer> commands) { Gpu::dispatch(commands, pipeline, {weights[(*turn)++ % weights.size()], x, y}, k, n, 32); };
  }

  std::function<void(id<MTLCommandBuffer>)> gemm(const std::vector<id<MTLBuffer>>& weights, id<MTLBuffer> x, id<MTLBuffer> y, uint32_t m, uint32_t n, uint32_t k, uint32_t* turn) const {
    const auto layout = [](uint32_t rows, uint32_t columns, MPSDataType type, uint32_t bytes) {
      return [MPSMatrixDescriptor matrixDescriptorWithRows:rows columns:columns rowBytes:bytes * columns dataType:type];
    };
    std::vector<MPSMatrix*> matrices;
    for (id<MTLBuffer> each : weights) matrices.push_back([[MPSMatrix alloc] initWithBuffer:each descriptor:layout(n, k, MPSDataTypeFloat16, 2)]);
    MPSMatrix* left = [[MPSMatrix alloc] initWithBuffer:x descriptor:layout(m, k, MPSDataTypeFloat16, 2)];
    MPSMatrix* result = [[MPSMatrix alloc] initWithBuffer:y descriptor:layout(m, n, MPSDataTypeFloat32, 4)];
    MPSMatrixMultiplication* product = [[MPSMatrixMultiplication alloc] initWithDevice:gpu_.device() transposeLeft:NO transposeRight:YES
                                                                            resultRows:m resultColumns:n interiorColumns:k alpha:1 beta:0];
    return [=](id<MTLCommandBuffer> commands) {
      [product encodeToCommandBuffer:commands leftMatrix:left rightMatrix:matrices[(*turn)++ % matrices.size()] resultMatrix:result];
    };
  }

  const Gpu& gpu_;
  const char* const name_;
  const bool own_;
};

/** Blits between memory that the CPU sees and memory of the GPU alone. */
class BlitOp : public Op {
 public:
  BlitOp(const Gpu& gpu, const char* name) : gpu_(gpu), name_(name), in_(std::strcmp(name, "link.h2d") == 0) {}
  const char* name() const override { return name_; }
  std::vector<Point> points(Plan plan) const override {
    std::vector<Point> points;
    for (int64_t bytes = 4 << 10; bytes <= (plan == Plan::tiny ? 4 << 10 : 256 << 20); bytes *= 4) points.push_back({name_, "", {{"bytes", bytes}}, 0, 1, 0.3});
    return points;
  }
  Sample measure(const Point& point, const Run& run) override {
    const uint64_t bytes = static_cast<uint64_t>(point.at("bytes"));
    id<MTLBuffer> shared = gpu_.buffer(bytes), own = gpu_.buffer(bytes, MTLResourceStorageModePrivate);
    Sample sample = gpu_.time(run, [&](id<MTLCommandBuffer> commands) {
      id<MTLBlitCommandEncoder> encoder = [commands blitCommandEncoder];
      [encoder copyFromBuffer:in_ ? shared : own sourceOffset:0 toBuffer:in_ ? own : shared destinationOffset:0 size:bytes];
      [encoder endEncoding];
    });
    sample.bytes = static_cast<double>(bytes);
    sample.impl = "blit";
    return sample;
  }

 private:
  const Gpu& gpu_;
  const char* const name_;
  const bool in_;
};

class MetalDevice : public Device {
 public:
  MetalDevice() {
    ops_.push_back(std::make_unique<MemoryOp>(gpu_, "mem.read", "mem_read", 1));
    ops_.push_back(std::make_unique<MemoryOp>(gpu_, "mem.write", "mem_write", 1));
    ops_.push_back(std::make_unique<MemoryOp>(gpu_, "mem.copy", "mem_copy", 2));
    ops_.push_back(std::make_unique<MemoryOp>(gpu_, "mem.triad", "mem_triad", 3));
    for (const char* name : {"gemv", "gemm"}) ops_.push_back(std::make_unique<ProductOp>(gpu_, name));
    for (const char* name : {"link.h2d", "link.d2h"}) ops_.push_back(std::make_unique<BlitOp>(gpu_, name));
  }
  void describe(Json* env) const override {
    Json gpu;
    gpu.add("name", [[gpu_.device() name] UTF8String]).add("workingSet", static_cast<int64_t>([gpu_.device() recommendedMaxWorkingSetSize]));
    gpu.add("unified", static_cast<bool>([gpu_.device() hasUnifiedMemory]));
    gpu.add("thermalState", static_cast<int64_t>([[NSProcessInfo processInfo] thermalState]));
    gpu.add("lowPower", static_cast<bool>([[NSProcessInfo processInfo] isLowPowerModeEnabled]));
    env->add("gpu", gpu);
  }
  const std::vector<std::unique_ptr<Op>>& ops() const override { return ops_; }
  std::vector<Point> anchors() const override { return {{"mem.triad", "", {{"bytes", 48 << 20}}}}; }

 private:
  Gpu gpu_;
  std::vector<std::unique_ptr<Op>> ops_;
};

}  // namespace metal

extern const DeviceClass metalDevices;
const DeviceClass metalDevices = {"metal", "the GPU of an Apple computer", [](const std::string&, const Options&) -> std::unique_ptr<Device> {
                                    return std::make_unique<metal::MetalDevice>();
                                  }};

}  // namespace calib
