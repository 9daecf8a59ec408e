#include "../core/sampler.h"
#include "storage.h"

namespace calib::io {

Counter::Counter(const Job& job) : job_(job), began_(now()) {}

int64_t Counter::next() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (job_.mostBytes > 0 && outcome_.moved + job_.bytes > job_.mostBytes) ended_ = true;
  if (ended_ || job_.cancelled) return -1;
  const int64_t places = job_.fileBytes / job_.bytes;
  const int64_t place = job_.sequential ? at_++ % places : static_cast<int64_t>(random_.below(static_cast<uint64_t>(places)));
  outcome_.moved += job_.bytes;
  return place * job_.bytes;
}

void Counter::done() {
  std::lock_guard<std::mutex> lock(mutex_);
  const double time = now();
  if (windowBegan_ == 0) {
    // A window begins with the end of a request, so that it holds whole ones.
    if (time - began_ >= job_.ramp) windowBegan_ = time;
    return;
  }
  inWindow_++;
  if (time - windowBegan_ < job_.window) return;
  outcome_.seconds.push_back((time - windowBegan_) / static_cast<double>(inWindow_));
  windowBegan_ = time;
  inWindow_ = 0;
  if (static_cast<int>(outcome_.seconds.size()) == job_.windows) ended_ = true;
}

}  // namespace calib::io
