#pragma once
#include <cstdint>
#include <vector>

#include "../core/pool.h"
#include "kernels.h"

namespace calib::cpu {

/** Attention of `batch` sequences with `tokens` new tokens each behind `prefix` cached ones, causal; decode is one token. */
struct AttentionShape {
  int batch, tokens, prefix, heads, kvHeads, headDim;
  int context() const { return prefix + tokens; }
  int pages() const { return (context() + kPage - 1) / kPage; }
  /** Bytes of one page: keys and values of 16 tokens of all KV heads in bf16. */
  int64_t pageBytes() const { return int64_t{kvHeads} * headPageBytes(); }
  int64_t headPageBytes() const { return int64_t{headDim} * kPage * 4; }
};

/** Runs attention over a paged cache on all workers; long contexts are split so that every worker has a part. */
class PagedAttention {
 public:
  PagedAttention(const KernelSet& kernels, const AttentionShape& shape, int threads);

  /** Called by every worker. `queries` [batch][tokens][heads][d] and `output` alike; `pages` [batch][pages()] of `cache`. */
  void run(const Worker& worker, const float* queries, const char* cache, const int32_t* pages, float* output);

 private:
  /** Rows of queries that share a KV head: tokens × group, a few at a time, over a part of the context. */
  struct Task {
    int sequence, kvHead, firstRow, rows, begin, end;
  };
  void packQueries(const Worker& worker, const float* queries);
  void merge(const Worker& worker, float* output) const;

  const KernelSet& kernels_;
  const AttentionShape shape_;
  int group_, splits_;
  std::vector<Task> tasks_;
  std::vector<uint32_t> queries_;
  std::vector<float> sums_, most_, weight_;
};

}  // namespace calib::cpu
