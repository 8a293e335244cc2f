// As much of HIP's device side as the kernels of AMD's FP8 notebook need, for clang without ROCm's headers.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
// As HIP has it: threads of a workgroup, and waves a SIMD, which clang's own attribute takes as workgroups.
#define WS_BOUNDS1(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))
#define WS_BOUNDS2(threads, waves) __attribute__((amdgpu_flat_work_group_size(1, threads), amdgpu_waves_per_eu(waves)))
#define WS_THIRD(a, b, c, ...) c
#define __launch_bounds__(...) WS_THIRD(__VA_ARGS__, WS_BOUNDS2, WS_BOUNDS1)(__VA_ARGS__)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
// Names a kernel, so that templates are instantiated, and launches nothing.
#define hipLaunchKernelGGL(kernel, ...) (void)(kernel)

typedef void* hipStream_t;
struct dim3 {
    unsigned x, y, z;
    __host__ __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

#define WS_PROPERTY(n, value)                                                                      \
    __declspec(property(get = get_##n)) unsigned n;                                                \
    __device__ inline __attribute__((always_inline)) unsigned get_##n() const { return value; }
#define WS_COORDINATES(type, of)                                                                   \
    struct type {                                                                                  \
        WS_PROPERTY(x, of##_x())                                                                   \
        WS_PROPERTY(y, of##_y())                                                                   \
        WS_PROPERTY(z, of##_z())                                                                   \
    }
WS_COORDINATES(ws_item, __builtin_amdgcn_workitem_id);
WS_COORDINATES(ws_group, __builtin_amdgcn_workgroup_id);
WS_COORDINATES(ws_size, __builtin_amdgcn_workgroup_size);
extern const __attribute__((device, weak)) ws_item threadIdx;
extern const __attribute__((device, weak)) ws_group blockIdx;
extern const __attribute__((device, weak)) ws_size blockDim;

__device__ inline __attribute__((always_inline)) void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

struct float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};
struct __hip_bfloat16 {
    uint16_t bits;
    __hip_bfloat16() = default;
    __host__ __device__ explicit __hip_bfloat16(float f) : bits(__builtin_bit_cast(uint16_t, (__bf16)f)) {}
    __host__ __device__ operator float() const { return __builtin_bit_cast(float, (uint32_t)bits << 16); }
};
struct __hip_fp8_e4m3 {
    uint8_t bits;
    __device__ operator float() const { return __builtin_amdgcn_cvt_f32_fp8((int)bits, 0); }
};
struct alignas(4) __hip_fp8x4_e4m3 {
    uint32_t bits;
};
typedef uint8_t __amd_fp8_storage_t;
