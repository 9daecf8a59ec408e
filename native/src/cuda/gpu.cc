#include "gpu.h"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "numa.h"

// The image of the kernels, set into the program by image.S: a fat binary, or PTX with a zero behind it.
extern "C" const char calib_cuda_image[];

namespace calib::cuda {

namespace {
constexpr double kBatchSeconds = 200e-6;
constexpr std::int64_t kMostCalls = 512;             // a stream takes about a thousand launches before it makes the host wait
constexpr long long kSpinCycles = 400'000'000;       // a fifth of a second at 2 GHz, should the host never let go
constexpr int kFewest = 10, kMost = 20;
constexpr double kPatience = 1.0;
constexpr int kWaitsForCooling = 10;                 // of two seconds, in the whole run

void pause(double seconds) {
  timespec time{static_cast<time_t>(seconds), static_cast<long>((seconds - std::floor(seconds)) * 1e9)};
  nanosleep(&time, nullptr);
}
}  // namespace

Gpu::Gpu(int index) : driver_(loadDriver()) {
  int count = 0;
  check(driver_.deviceCount(&count), "count the devices");
  if (index < 0 || index >= count)
    throw Fault(Code::NoDevice, "cuda:" + std::to_string(index) + " is not there; the driver has cuda:0" + (count > 1 ? " to cuda:" + std::to_string(count - 1) : ""));
  try {
    open(index);
  } catch (...) {
    if (context_) driver_.releaseContext(device_);
    throw;
  }
}

void Gpu::open(int index) {
  check(driver_.device(&device_, index), "open the device");
  char text[256] = "";
  check(driver_.deviceName(text, sizeof text, device_), "name the device");
  name_ = text;
  check(driver_.pciBusId(text, sizeof text, device_), "find the device on the bus");
  pciBusId_ = text;
  numaNode_ = numaNodeOf(pciBusId_);
  const auto attribute = [&](int which) {
    int value = 0;
    check(driver_.attribute(&value, which, device_), "read an attribute");
    return value;
  };
  sms_ = attribute(kSmCount);
  l2_ = static_cast<size_t>(attribute(kL2Bytes));
  capability_ = 10 * attribute(kMajor) + attribute(kMinor);
  check(driver_.retainContext(&context_, device_), "open a context");
  check(driver_.setContext(context_), "use the context");
  check(driver_.memoryInfo(&free_, &total_), "read the free memory");
  if (free_ < total_ / 2)
    throw Fault(Code::OutOfMemory, name_ + ": others hold " + std::to_string((total_ - free_) >> 20) + " of " + std::to_string(total_ >> 20) +
                                       " MiB; measuring beside them would falsify both: stop them first");
  limit_ = free_ / 4;
  nvml_ = std::make_unique<Nvml>(pciBusId_);
  loadImage();
  check(driver_.createStream(&stream_, kNonBlocking), "make a stream");
  check(driver_.createEvent(&begin_, 0), "make an event");
  check(driver_.createEvent(&end_, 0), "make an event");
  void* flag = nullptr;
  check(driver_.allocateHost(&flag, 64, kHostMapped), "pin memory");
  flag_ = static_cast<volatile unsigned*>(flag);
  check(driver_.devicePointer(&flagOnGpu_, flag, 0), "map pinned memory");
}

void Gpu::loadImage() {
  const int status = driver_.loadModule(&module_, calib_cuda_image);
  image_ = calib_cuda_image[0] == '/' ? "ptx" : "fatbin";
  if (status == kNoBinary || status == kUnsupportedPtx)
    throw Fault(Code::UnsupportedArch, name_ + ": the kernels' " + image_ + " has nothing for compute capability " +
                                           std::to_string(capability_ / 10) + '.' + std::to_string(capability_ % 10) + " (" +
                                           statusName(driver_, status) + ")");
  check(status, "load the kernels");
}

Gpu::~Gpu() {
  driver_.synchronize();
  if (flag_) driver_.releaseHost(const_cast<unsigned*>(flag_));
  if (begin_) driver_.destroyEvent(begin_);
  if (end_) driver_.destroyEvent(end_);
  if (stream_) driver_.destroyStream(stream_);
  if (module_) driver_.unloadModule(module_);
  driver_.releaseContext(device_);
}

void Gpu::check(int status, const char* what) const {
  if (status == kSuccess) return;
  throw Fault(status == kOutOfMemory ? Code::OutOfMemory : Code::Internal, std::string(what) + ": " + statusName(driver_, status));
}

void Gpu::describe(Json* env) const {
  unsigned generation = 0, width = 0;
  nvml_->pcie(&generation, &width);
  const Health health = nvml_->health();
  Json gpu;
  gpu.add("name", name_).add("capability", capability_ / 10.0).add("sms", sms_).add("l2", static_cast<std::int64_t>(l2_));
  gpu.add("memoryTotal", static_cast<std::int64_t>(total_)).add("memoryFree", static_cast<std::int64_t>(free_));
  gpu.add("cuda", driver_.version / 1000 + driver_.version % 1000 / 1000.0).add("driver", nvml_->driverVersion()).add("image", image_);
  gpu.add("pcieGeneration", static_cast<int>(generation)).add("pcieWidth", static_cast<int>(width)).add("numaNode", numaNode_);
  gpu.add("smMHz", health.smMHz).add("memoryMHz", health.memoryMHz).add("celsius", health.celsius).add("watts", health.watts);
  env->add("gpu", gpu);
}

void Gpu::launchValues(const char* kernel, Grid grid, unsigned threads, void** values) {
  Function& function = functions_[kernel];
  if (!function) check(driver_.function(&function, module_, kernel), kernel);
  check(driver_.launch(function, grid.x, grid.y, grid.z, threads, 1, 1, 0, stream_, values, nullptr), kernel);
}

Grid Gpu::spread(std::uint64_t items) const {
  const std::uint64_t needed = (items + 255) / 256;
  return {static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, 8 * static_cast<std::uint64_t>(sms_)))};
}

void Gpu::finish() const { check(driver_.synchronize(), "run"); }

double Gpu::batch(const std::function<void(std::int64_t)>& enqueue, std::int64_t first, std::int64_t inner, bool held) {
  *flag_ = 0;
  if (held) launch("spin_until", {}, 1, flagOnGpu_, kSpinCycles);
  try {
    check(driver_.recordEvent(begin_, stream_), "record an event");
    for (std::int64_t i = 0; i < inner; i++) enqueue(first + i);
    check(driver_.recordEvent(end_, stream_), "record an event");
  } catch (...) {
    *flag_ = 1;
    throw;
  }
  *flag_ = 1;
  check(driver_.synchronizeEvent(end_), "run");
  float milliseconds = 0;
  check(driver_.elapsed(&milliseconds, begin_, end_), "read a time");
  return milliseconds / 1e3 / static_cast<double>(inner);
}

std::vector<double> Gpu::batches(const Run& run, const std::function<void(std::int64_t)>& enqueue, std::int64_t* next, std::int64_t inner,
                                 bool held) {
  std::vector<double> seconds;
  const double began = now();
  const int fewest = run.options.plan == Plan::tiny ? 3 : kFewest;
  while (static_cast<int>(seconds.size()) < fewest || (static_cast<int>(seconds.size()) < kMost && now() - began < kPatience / 2)) {
    if (run.cancelled) throw Fault(Code::Abort, "interrupted");
    seconds.push_back(batch(enqueue, *next, inner, held));
    *next += inner;
    if (run.options.plan == Plan::tiny && static_cast<int>(seconds.size()) >= fewest) break;
    if (now() - began > kPatience && seconds.size() >= 3) break;
  }
  return seconds;
}

Sample Gpu::time(const Run& run, const std::function<void(std::int64_t)>& enqueue, bool held) {
  std::int64_t next = 0;
  for (int i = 0; i < 3; i++) enqueue(next++);
  finish();
  const double once = batch(enqueue, next++, 1, held);
  const auto inner = static_cast<std::int64_t>(std::clamp(std::ceil(kBatchSeconds / std::max(once, 1e-9)), 1.0, static_cast<double>(kMostCalls)));
  Sample sample;
  Health before, after;
  // A throttled batch is measured again after a pause; what stays throttled is kept and says so.
  for (int turn = 0;; turn++) {
    before = nvml_->health();
    const std::vector<double> seconds = batches(run, enqueue, &next, inner, held);
    after = nvml_->health();
    sample.timing = summarise(seconds, std::vector<double>(seconds.size(), 0.0), inner);
    if (((before.throttle | after.throttle) & kThrottled) == 0 || turn == 3 || waits_ == kWaitsForCooling) break;
    waits_++;
    for (int i = 0; i < (run.options.plan == Plan::tiny ? 1 : 20) && !run.cancelled; i++) pause(0.1);
  }
  sample.impl = kernels();
  if (nvml_->present())
    sample.extras = {{"smMHz", static_cast<double>(after.smMHz)}, {"memoryMHz", static_cast<double>(after.memoryMHz)},
                     {"celsius", static_cast<double>(after.celsius)}, {"watts", after.watts},
                     {"throttle", static_cast<double>((before.throttle | after.throttle) & kThrottled)}};
  return sample;
}

Memory::Memory(Gpu& gpu, size_t bytes) : gpu_(gpu), bytes_(bytes) {
  if (bytes > gpu.room())
    throw Fault(Code::OutOfMemory, std::to_string(bytes >> 20) + " MiB do not fit into the " + std::to_string(gpu.limit() >> 20) +
                                       " MiB (a quarter of the free memory) that measuring may take");
  gpu.check(gpu.driver().allocate(&pointer_, bytes), "take memory");
  gpu.held_ += bytes;
}

Memory::~Memory() {
  gpu_.driver().synchronize();
  gpu_.driver().release(pointer_);
  gpu_.held_ -= bytes_;
}

Rotation::Rotation(Gpu& gpu, size_t bytes, std::int64_t copies) : stride_((bytes + 255) / 256 * 256), copies_(std::max<std::int64_t>(1, copies)) {
  for (;; copies_ = (copies_ + 1) / 2) {
    try {
      memory_ = std::make_unique<Memory>(gpu, stride_ * static_cast<size_t>(copies_));
      return;
    } catch (const Fault& fault) {
      if (fault.code != Code::OutOfMemory || copies_ == 1) throw;
    }
  }
}

std::int64_t copiesBeyondCache(const Gpu& gpu, size_t bytes) {
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(5 * gpu.l2() / bytes + 1), 1, 4096);
}

}  // namespace calib::cuda
