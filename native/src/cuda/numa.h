#pragma once
#include <sched.h>

#include <string>

namespace calib::cuda {

/** The NUMA node that a device on the bus belongs to; −1 where there is one node only, or nobody knows. */
int numaNodeOf(const std::string& pciBusId);

/** Keeps this thread on the processors of a node for its scope, so that memory first touched in it lies there. −1: changes nothing. */
class OnNode {
 public:
  explicit OnNode(int node);
  ~OnNode();
  OnNode(const OnNode&) = delete;

 private:
  bool moved_ = false;
  cpu_set_t before_;
};

/** The processors of a list such as `0-3,8`. */
cpu_set_t processorsOf(const std::string& list);

}  // namespace calib::cuda
