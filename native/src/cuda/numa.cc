#include "numa.h"

#include <cctype>
#include <fstream>
#include <sstream>

namespace calib::cuda {

namespace {
std::string lineOf(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}
}  // namespace

int numaNodeOf(const std::string& pciBusId) {
  // The driver writes hexadecimal in capitals, sysfs in small letters.
  std::string id;
  for (const char letter : pciBusId) id += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  const std::string node = lineOf("/sys/bus/pci/devices/" + id + "/numa_node");
  return node.empty() ? -1 : std::stoi(node);
}

cpu_set_t processorsOf(const std::string& list) {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    int first = 0, last = 0;
    char dash = 0;
    std::istringstream numbers(range);
    if (!(numbers >> first)) continue;
    if (!(numbers >> dash >> last)) last = first;
    for (int i = first; i <= last && i < CPU_SETSIZE; i++) CPU_SET(i, &set);
  }
  return set;
}

OnNode::OnNode(int node) {
  if (node < 0 || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  cpu_set_t wanted = processorsOf(lineOf("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist"));
  // A container may have been given none of them.
  CPU_AND(&wanted, &wanted, &before_);
  moved_ = CPU_COUNT(&wanted) > 0 && sched_setaffinity(0, sizeof wanted, &wanted) == 0;
}

OnNode::~OnNode() {
  if (moved_) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace calib::cuda
