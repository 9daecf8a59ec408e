// The same core inside Node.js. A kernel that crashes takes the process with it, so `tiercast calibrate` runs calib-bench, or this in a child process.
#include <napi.h>

#include <memory>

#include "core/session.h"

namespace {

using calib::Options;

struct Request {
  Options options;
  std::vector<std::string> ops;
  std::vector<calib::Point> points;
  bool list = false;
};

std::vector<std::string> textsOf(const Napi::Object& from, const char* name) {
  std::vector<std::string> texts;
  if (!from.Has(name)) return texts;
  const Napi::Array list = from.Get(name).As<Napi::Array>();
  for (uint32_t i = 0; i < list.Length(); i++) texts.push_back(list.Get(i).ToString().Utf8Value());
  return texts;
}

double numberOf(const Napi::Object& from, const char* name, double otherwise) {
  return from.Has(name) ? from.Get(name).ToNumber().DoubleValue() : otherwise;
}

/** Throws Fault, or a Napi::Error on values of another type. */
Request requestOf(const Napi::Object& from) {
  Request request;
  const auto text = [&](const char* name, const char* otherwise) { return from.Has(name) ? from.Get(name).ToString().Utf8Value() : otherwise; };
  const std::string plan = text("plan", "full");
  if (plan != "tiny" && plan != "quick" && plan != "full") throw calib::Fault(calib::Code::Usage, "plan: \"" + plan + "\" is none of tiny, quick, full");
  request.options.plan = plan == "tiny" ? calib::Plan::tiny : plan == "quick" ? calib::Plan::quick : calib::Plan::full;
  request.options.device = text("device", "cpu");
  request.options.folder = text("folder", "");
  request.options.buffered = from.Has("buffered") && from.Get("buffered").ToBoolean().Value();
  request.options.budget = numberOf(from, "budget", 0);
  request.options.seed = static_cast<uint64_t>(numberOf(from, "seed", 1));
  request.options.threads = static_cast<int>(numberOf(from, "threads", 0));
  request.list = from.Has("list") && from.Get("list").ToBoolean().Value();
  request.ops = textsOf(from, "ops");
  for (const std::string& line : textsOf(from, "points")) request.points.push_back(calib::parsePoint(line));
  return request;
}

/** Runs a session on a thread of its own; lines come to JavaScript as they are written. */
class Measurement : public Napi::AsyncProgressQueueWorker<std::string> {
 public:
  Measurement(const Napi::Function& onLine, Request request, std::shared_ptr<std::atomic<bool>> cancelled)
      : Napi::AsyncProgressQueueWorker<std::string>(onLine.Env()),
        request_(std::move(request)),
        cancelled_(std::move(cancelled)),
        onLine_(Napi::Persistent(onLine)),
        deferred_(Napi::Promise::Deferred::New(onLine.Env())) {}

  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute(const ExecutionProgress& progress) override {
    const calib::Sink write = [&progress](const std::string& line) { progress.Send(&line, 1); };
    ending_ = request_.list ? calib::listPoints(request_.options, request_.ops, write)
                            : calib::runSession(request_.options, request_.ops, request_.points, write, *cancelled_);
  }
  void OnProgress(const std::string* lines, size_t count) override {
    for (size_t i = 0; i < count; i++) onLine_.Call({Napi::String::New(Env(), lines[i])});
  }
  void OnOK() override { deferred_.Resolve(Napi::Number::New(Env(), static_cast<int>(ending_))); }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  const Request request_;
  const std::shared_ptr<std::atomic<bool>> cancelled_;
  Napi::FunctionReference onLine_;
  Napi::Promise::Deferred deferred_;
  calib::Ending ending_ = calib::Ending::done;
};

/** run(options, onLine) → {promise, cancel}: the promise gives the exit code of calib-bench. */
Napi::Value run(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  if (info.Length() < 2 || !info[0].IsObject() || !info[1].IsFunction()) throw Napi::TypeError::New(env, "run(options, onLine) takes an object and a function");
  Request request;
  try {
    request = requestOf(info[0].As<Napi::Object>());
  } catch (const calib::Fault& fault) {
    throw Napi::TypeError::New(env, fault.message);
  }
  const auto cancelled = std::make_shared<std::atomic<bool>>(false);
  auto* const measurement = new Measurement(info[1].As<Napi::Function>(), std::move(request), cancelled);
  Napi::Object result = Napi::Object::New(env);
  result.Set("promise", measurement->promise());
  result.Set("cancel", Napi::Function::New(env, [cancelled](const Napi::CallbackInfo&) { *cancelled = true; }));
  measurement->Queue();
  return result;
}

Napi::Object start(Napi::Env env, Napi::Object exports) {
  exports.Set("run", Napi::Function::New(env, run));
  return exports;
}

}  // namespace

NODE_API_MODULE(calib, start)
