#include "attention.h"

#include <algorithm>
#include <cmath>

#include "../core/errors.h"

namespace calib::cpu {

namespace {
/** Tokens that a part of a split context has at least. */
constexpr int kLeastPart = 256;
}  // namespace

PagedAttention::PagedAttention(const KernelSet& kernels, const AttentionShape& shape, int threads)
    : kernels_(kernels), shape_(shape), group_(shape.kvHeads == 0 ? 0 : shape.heads / shape.kvHeads), splits_(1) {
  if (shape.batch < 1 || shape.tokens < 1 || shape.kvHeads < 1 || shape.heads % shape.kvHeads != 0)
    throw Fault(Code::Usage, "attention: batch, tokens and KV heads are at least 1, and heads are a multiple of KV heads");
  if (shape.headDim % 32 != 0 || shape.headDim < 32 || shape.headDim > 512) throw Fault(Code::Usage, "attention: the head dimension is a multiple of 32 up to 512");
  const int rows = shape.tokens * group_;
  const int chunks = (rows + kMostRows - 1) / kMostRows;
  const int whole = shape.batch * shape.kvHeads * chunks;
  if (whole < 2 * threads) splits_ = std::clamp(2 * threads / whole, 1, std::max(1, shape.context() / kLeastPart));
  const int part = ((shape.context() + splits_ - 1) / splits_ + kPage - 1) / kPage * kPage;
  for (int sequence = 0; sequence < shape.batch; sequence++)
    for (int head = 0; head < shape.kvHeads; head++)
      for (int row = 0; row < rows; row += kMostRows)
        for (int split = 0; split < splits_; split++) {
          const int count = std::min(kMostRows, rows - row);
          // The last row of a chunk sees most.
          const int seen = shape.prefix + (row + count - 1) / group_ + 1;
          tasks_.push_back({sequence, head, row, count, std::min(seen, split * part), std::min(seen, (split + 1) * part)});
        }
  const size_t all = static_cast<size_t>(shape.batch) * shape.kvHeads * rows;
  queries_.resize(all * shape.headDim / 2);
  sums_.resize(all * splits_ * shape.headDim);
  most_.resize(all * splits_);
  weight_.resize(all * splits_);
}

void PagedAttention::run(const Worker& worker, const float* queries, const char* cache, const int32_t* pages, float* output) {
  packQueries(worker, queries);
  worker.wait();
  const int rows = shape_.tokens * group_, d = shape_.headDim;
  const int64_t splits = splits_;
  // Tasks of later rows see more: dealing them out in turn evens that out.
  for (size_t i = static_cast<size_t>(worker.index); i < tasks_.size(); i += static_cast<size_t>(worker.count)) {
    const Task& task = tasks_[i];
    const int64_t first = (int64_t{task.sequence} * shape_.kvHeads + task.kvHead) * rows + task.firstRow;
    const int64_t split = static_cast<int64_t>(i) % splits;
    // A chunk's rows lie together for each split.
    const int64_t place = first * splits + split * task.rows;
    std::fill_n(sums_.begin() + place * d, int64_t{task.rows} * d, 0.0f);
    std::fill_n(most_.begin() + place, task.rows, -3e38f);
    std::fill_n(weight_.begin() + place, task.rows, 0.0f);
    if (task.begin >= task.end) continue;
    int32_t limits[kMostRows];
    for (int r = 0; r < task.rows; r++) limits[r] = shape_.prefix + (task.firstRow + r) / group_ + 1;
    kernels_.attend({cache + task.kvHead * shape_.headPageBytes(), shape_.pageBytes(), pages + int64_t{task.sequence} * shape_.pages(), d, task.rows,
                     queries_.data() + first * (d / 2), limits, task.begin, task.end, sums_.data() + place * d, most_.data() + place,
                     weight_.data() + place});
  }
  worker.wait();
  merge(worker, output);
}

void PagedAttention::packQueries(const Worker& worker, const float* queries) {
  const int rows = shape_.tokens * group_, d = shape_.headDim;
  int64_t begin, end;
  worker.part(int64_t{shape_.batch} * shape_.kvHeads, 1, &begin, &end);
  for (int64_t i = begin; i < end; i++) {
    const int64_t sequence = i / shape_.kvHeads, head = i % shape_.kvHeads;
    for (int row = 0; row < rows; row++) {
      const float* const from = queries + ((sequence * shape_.tokens + row / group_) * shape_.heads + head * group_ + row % group_) * d;
      uint32_t* const to = queries_.data() + (i * rows + row) * (d / 2);
      for (int j = 0; j < d / 2; j++) to[j] = bf16Pair(from[2 * j], from[2 * j + 1]);
    }
  }
}

/** Adds the parts of a context, each scaled to the greatest of their scores. */
void PagedAttention::merge(const Worker& worker, float* output) const {
  const int rows = shape_.tokens * group_, d = shape_.headDim;
  const int64_t chunks = static_cast<int64_t>(tasks_.size()) / splits_;
  int64_t begin, end;
  worker.part(chunks, 1, &begin, &end);
  for (int64_t chunk = begin; chunk < end; chunk++) {
    const Task& task = tasks_[static_cast<size_t>(chunk * splits_)];
    const int64_t first = (int64_t{task.sequence} * shape_.kvHeads + task.kvHead) * rows + task.firstRow;
    for (int r = 0; r < task.rows; r++) {
      const int row = task.firstRow + r;
      float* const to = output + ((int64_t{task.sequence} * shape_.tokens + row / group_) * shape_.heads + task.kvHead * group_ + row % group_) * d;
      float most = -3e38f, total = 0;
      for (int split = 0; split < splits_; split++) most = std::max(most, most_[static_cast<size_t>(first * splits_ + split * task.rows + r)]);
      std::fill_n(to, d, 0.0f);
      for (int split = 0; split < splits_; split++) {
        const size_t place = static_cast<size_t>(first * splits_ + split * task.rows + r);
        const float scale = std::exp2(most_[place] - most);
        total += weight_[place] * scale;
        for (int j = 0; j < d; j++) to[j] += sums_[place * static_cast<size_t>(d) + static_cast<size_t>(j)] * scale;
      }
      for (int j = 0; j < d; j++) to[j] /= total;
    }
  }
}

}  // namespace calib::cpu
