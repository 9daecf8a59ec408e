#include "session.h"

#include <algorithm>
#include <map>

#include "buffers.h"
#include "sampler.h"

namespace calib {

namespace {
/** Points between two anchors, and the drift of an anchor that asks for measuring them again. */
constexpr int kSegment = 20;
constexpr double kDrift = 0.10;
constexpr int64_t kVersion = 1;

Json lineOf(const char* kind) {
  Json json;
  json.add("v", kVersion).add("kind", kind);
  return json;
}

Json shapeOf(const Point& point) {
  Json shape;
  for (const Axis& axis : point.shape) shape.add(axis.name.c_str(), axis.value);
  return shape;
}

Json pointLine(const char* kind, const Point& point) {
  Json json = lineOf(kind);
  json.add("op", point.op).add("dtype", point.dtype).add("shape", shapeOf(point)).add("threads", point.threads);
  return json;
}

Json timingOf(const Timing& timing) {
  Json json;
  json.add("min", timing.min).add("p25", timing.p25).add("p50", timing.p50).add("p90", timing.p90);
  json.add("n", timing.n).add("clean", timing.clean).add("cv", timing.cv);
  return json;
}

void addSample(Json* json, const Sample& sample) {
  json->add("impl", sample.impl).add("flops", sample.flops).add("bytes", sample.bytes).add("t", timingOf(sample.timing));
  json->add("lost", sample.timing.lost).add("rot", sample.rotation).add("inner", sample.timing.inner);
  for (const Extra& extra : sample.extras) json->add(extra.name.c_str(), extra.value);
}

/** A tiny plan only shows that everything works: its times are not used. */
SampleRules rulesOf(Plan plan) {
  SampleRules rules;
  if (plan != Plan::tiny) return rules;
  rules.seconds = 2e-4;
  rules.warmUp = rules.span = 0;
  rules.round = rules.enough = rules.few = 3;
  rules.rounds = 1;
  rules.patience = 0.2;
  return rules;
}

/** One run over one device. */
class Session {
 public:
  Session(const Options& options, Device* device, const Sink& write, const std::atomic<bool>& cancelled)
      : options_(options), device_(device), write_(write), cancelled_(cancelled), run_{options, cancelled, write, rulesOf(options.plan)} {}

  std::vector<Point> planned(const std::vector<std::string>& names) const {
    std::vector<Point> points;
    for (const auto& op : device_->ops()) {
      if (!names.empty() && std::find(names.begin(), names.end(), op->name()) == names.end()) continue;
      for (Point& point : op->points(options_.plan)) points.push_back(std::move(point));
    }
    for (const std::string& name : names) opNamed(name);
    return points;
  }

  Ending measure(std::vector<Point> points) {
    shuffle(&points);
    total_ = points.size();
    for (size_t first = 0; first < points.size(); first += kSegment) {
      const std::vector<Point> segment(points.begin() + static_cast<long>(first),
                                       points.begin() + static_cast<long>(std::min(points.size(), first + kSegment)));
      const double before = anchors();
      for (const Point& point : segment) one(point, false);
      if (interrupted_) break;
      const double after = anchors();
      if (options_.plan != Plan::tiny && !overBudget() && drift(before, after) > kDrift)
        for (const Point& point : segment) one(point, true);
    }
    if (interrupted_) return Ending::interrupted;
    return dropped_ ? Ending::partial : Ending::done;
  }

  const Op& opNamed(const std::string& name) const {
    std::string known;
    for (const auto& op : device_->ops()) {
      if (name == op->name()) return *op;
      known += (known.empty() ? "" : ", ") + std::string(op->name());
    }
    throw Fault(Code::Usage, "unknown op \"" + name + "\"; " + options_.device + " has " + known);
  }

 private:
  /** A random order within each priority, so that nothing that drifts looks like a size. */
  void shuffle(std::vector<Point>* points) const {
    Random random(options_.seed);
    for (size_t i = points->size(); i > 1; i--) std::swap((*points)[i - 1], (*points)[random.below(i)]);
    std::stable_sort(points->begin(), points->end(), [](const Point& a, const Point& b) { return a.priority < b.priority; });
  }

  static double drift(double before, double after) {
    return before > 0 && after > 0 ? std::abs(after / before - 1) : 0;
  }

  bool overBudget() const { return options_.budget > 0 && now() - began_ > options_.budget; }

  /** Measures the anchors; the worst ratio to their first time. */
  double anchors() {
    double worst = 0;
    for (const Point& point : device_->anchors()) {
      if (interrupted_ || overBudget()) return worst;
      Json line = pointLine("anchor", point);
      try {
        const Sample sample = const_cast<Op&>(opNamed(point.op)).measure(point, run_);
        addSample(&line, sample);
        double& first = firstAnchor_[point.text()];
        if (first == 0) first = sample.timing.p25;
        const double ratio = sample.timing.p25 / first;
        line.add("drift", ratio - 1);
        worst = std::max(worst, ratio);
      } catch (const Fault& fault) {
        if (fault.code == Code::Abort) interrupted_ = true;
        line.add("status", "failed").add("code", nameOf(fault.code)).add("message", fault.message);
      }
      write_(line.text());
    }
    return worst;
  }

  void one(const Point& point, bool again) {
    if (cancelled_) interrupted_ = true;
    if (interrupted_) return;
    Json line = pointLine("sample", point);
    if (again) line.add("again", true);
    if (overBudget()) {
      dropped_ = true;
      if (!again) write_(line.add("status", "skipped").add("code", nameOf(Code::Budget)).add("message", "the time was over").text());
      return;
    }
    try {
      addSample(&line, const_cast<Op&>(opNamed(point.op)).measure(point, run_));
      line.add("status", "ok").null("code").null("message");
    } catch (const Fault& fault) {
      if (fault.code == Code::Abort) {
        interrupted_ = true;
        return;
      }
      const bool wrong = fault.code == Code::WrongResult || fault.code == Code::Internal;
      line.add("status", wrong ? "failed" : "skipped").add("code", nameOf(fault.code)).add("message", fault.message);
    }
    write_(line.text());
    if (again) return;
    Json progress = lineOf("progress");
    progress.add("done", static_cast<int64_t>(++done_)).add("of", static_cast<int64_t>(total_)).add("seconds", now() - began_);
    write_(progress.text());
  }

  const Options& options_;
  Device* device_;
  const Sink& write_;
  const std::atomic<bool>& cancelled_;
  const Run run_;
  const double began_ = now();
  size_t done_ = 0, total_ = 0;
  bool interrupted_ = false, dropped_ = false;
  std::map<std::string, double> firstAnchor_;
};

Json machineOf() {
  const Machine machine = probeMachine();
  Json json;
  json.add("cpu", machine.cpu).add("processors", machine.processors).add("os", machine.os).add("kernel", machine.kernel);
  json.add("libc", machine.libc).add("compiler", machine.compiler).add("governor", machine.governor);
  json.add("virtualised", machine.virtualised).add("numaNodes", machine.numaNodes);
  json.add("l1", machine.l1).add("l2", machine.l2).add("llc", machine.llc);
  json.add("memoryTotal", machine.memoryTotal).add("memoryAvailable", machine.memoryAvailable);
  return json;
}

void writeError(const Fault& fault, const Sink& write) {
  write(lineOf("error").add("ok", false).add("code", nameOf(fault.code)).add("message", fault.message).text());
}

Ending endingOf(const Fault& fault) { return fault.code == Code::Abort ? Ending::interrupted : Ending::noDevice; }

const char* nameOf(Ending ending) {
  switch (ending) {
    case Ending::done: return "done";
    case Ending::noDevice: return "no device";
    case Ending::partial: return "partial";
    case Ending::interrupted: return "interrupted";
  }
  return "";
}
}  // namespace

Ending runSession(const Options& options, const std::vector<std::string>& ops, const std::vector<Point>& points, const Sink& write,
                  const std::atomic<bool>& cancelled) {
  try {
    const double began = now();
    const std::unique_ptr<Device> device = openDevice(options);
    Session session(options, device.get(), write, cancelled);
    const std::vector<Point> all = points.empty() ? session.planned(ops) : points;
    for (const Point& point : all) session.opNamed(point.op);
    Json env = lineOf("env");
    env.add("device", options.device).add("seed", static_cast<int64_t>(options.seed)).add("machine", machineOf()).add("before", loadNow());
    device->describe(&env);
    write(env.text());
    const Ending ending = session.measure(all);
    Json end = lineOf("end");
    write(end.add("ending", nameOf(ending)).add("seconds", now() - began).add("after", loadNow()).text());
    return ending;
  } catch (const Fault& fault) {
    writeError(fault, write);
    return endingOf(fault);
  }
}

Ending listPoints(const Options& options, const std::vector<std::string>& ops, const Sink& write) {
  try {
    const std::unique_ptr<Device> device = openDevice(options);
    const std::atomic<bool> never{false};
    Session session(options, device.get(), write, never);
    for (const Point& point : session.planned(ops))
      write(pointLine("point", point).add("priority", point.priority).add("estimate", point.estimate).add("text", point.text()).text());
    return Ending::done;
  } catch (const Fault& fault) {
    writeError(fault, write);
    return endingOf(fault);
  }
}

}  // namespace calib
