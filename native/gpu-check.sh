#!/usr/bin/env bash
# Everything that only a GPU can show, in one call on a machine that has one: measures, checks memory accesses, compares with PyTorch where it is
# installed, and prints a list of what holds. Needs neither Node.js nor a network. Usage: native/gpu-check.sh [FOLDER FOR RESULTS]
# PLAN (full), BUDGET in seconds (200), DEVICE (cuda:0) may be set. Exit code 0: nothing failed; 1: something did; 2: no device.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-./gpu-check} plan=${PLAN:-full} device=${DEVICE:-cuda:0}
bench=$here/build/Release/calib-bench
mkdir -p "$out"

# What was built elsewhere may want a newer C library; then the sources are compiled here.
build() {
  bench=$out/calib-bench
  local image=$here/src/cuda/kernels.ptx
  if command -v nvcc > /dev/null && nvcc -O3 --use_fast_math -std=c++17 -fatbin -arch=native "$here/src/cuda/kernels.cu" -o "$out/kernels.fatbin"; then
    image=$(cd "$out" && pwd)/kernels.fatbin
  fi
  # shellcheck disable=SC2046
  g++ -std=c++17 -O2 -pthread "-DCALIB_CUDA_IMAGE=\"$image\"" $(find "$here/src" \( -name '*.cc' -o -name '*.S' \) ! -name addon.cc) -ldl -o "$bench"
}
"$bench" --help > /dev/null 2>&1 || build || { echo 'calib-bench does not start here and cannot be built: g++ is needed'; exit 2; }

command -v nvidia-smi > /dev/null && nvidia-smi -q > "$out/nvidia-smi.txt"
if [ -z "${CALIB_CUBLAS:-}" ]; then
  found=$(find / -xdev -name 'libcublas.so.1[123]' 2> /dev/null | sort -V | tail -1)
  [ -n "$found" ] && export CALIB_CUBLAS=$found LD_LIBRARY_PATH=$(dirname "$found"):${LD_LIBRARY_PATH:-}
fi

"$bench" --device "$device" --plan tiny --jsonl "$out/tiny.jsonl"
case $? in 0) ;; *) cat "$out/tiny.jsonl"; exit 2 ;; esac
if command -v compute-sanitizer > /dev/null; then
  for tool in memcheck racecheck; do
    timeout 120 compute-sanitizer --tool $tool --error-exitcode 99 "$bench" --device "$device" --plan tiny --op mem.read --op mem.write --op mem.copy \
      --op mem.triad --op gemv --op attn.decode --op attn.prefill --op rmsnorm --op silu_mul --op add --op rope > "$out/$tool.txt" 2>&1
    echo $? > "$out/$tool.code"
  done
else
  echo 'compute-sanitizer is not installed: memory accesses are not checked'
fi
"$bench" --device "$device" --plan "$plan" --budget "${BUDGET:-200}" --jsonl "$out/bench.jsonl"
if python3 -c 'import torch; assert torch.cuda.is_available()' 2> /dev/null; then
  timeout 120 python3 "$here/gpu_check.py" torch "$out" || echo 'the comparison with PyTorch did not end well'
else
  echo 'PyTorch with CUDA is not installed: nothing to compare with'
fi
python3 "$here/gpu_check.py" list "$out"
