// Every kernel of the CUDA bench in one translation unit: nvcc makes the fat binary or kernels.ptx of it, a C++ compiler the host test.
#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <mma.h>
#endif

#include "kernels/bf16.cuh"
#include "kernels/memory.cuh"
#include "kernels/gemv.cuh"
#include "kernels/decode.cuh"
#include "kernels/prefill.cuh"
#include "kernels/elementwise.cuh"
