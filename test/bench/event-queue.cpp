// The other side of the event-queue benchmark: the same hold model on std::priority_queue.
// Usage: event-queue PENDING HOLDS SEED; prints the CPU nanoseconds of one hold (pop + push) and a checksum of what was popped.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <queue>
#include <vector>

struct Event {
  double time;
  double rank;  // phase, then insertion, as one exact integer
  int32_t kind;
  int32_t arg;
};

struct Later {
  bool operator()(const Event &a, const Event &b) const { return a.time > b.time || (a.time == b.time && a.rank > b.rank); }
};

// CPU time, as on the other side: neighbours on the machine disturb it less than the clock on the wall.
static double cpu_nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const int pending = atoi(argv[1]), holds = atoi(argv[2]);
  uint32_t state = (uint32_t)atoi(argv[3]);
  // The same generator as in event-queue.mjs, so that both sides pop the same events.
  std::vector<double> deltas(65536);
  for (double &delta : deltas) {
    state = state * 1664525u + 1013904223u;
    delta = 1 + (state >> 12);
  }
  std::vector<Event> storage;
  storage.reserve(pending + 1);
  std::priority_queue<Event, std::vector<Event>, Later> queue(Later(), std::move(storage));
  double seq = 0;
  for (int i = 0; i < pending; i++) {
    queue.push({deltas[i & 65535], (i & 3) * 17592186044416.0 + seq, i & 7, i});
    seq++;
  }
  double checksum = 0;
  const double start = cpu_nanoseconds();
  for (int i = 0; i < holds; i++) {
    const Event event = queue.top();
    queue.pop();
    checksum += event.arg;
    queue.push({event.time + deltas[i & 65535], (i & 3) * 17592186044416.0 + seq, event.kind, event.arg});
    seq++;
  }
  printf("%.3f %.0f\n", (cpu_nanoseconds() - start) / holds, checksum);
}
