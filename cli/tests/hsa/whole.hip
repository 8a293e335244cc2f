// A HIP program as users write it: kernels beside host code, launched with chevrons and cooperatively, on every device.
// Prints a line for each, or the line that failed.

#include <hip/hip_runtime.h>

#include "check_hip.h"

#include <cstdio>
#include <vector>

// What ROCm's device library would bring, which this is compiled without.
extern "C" __device__ size_t __ockl_get_group_id(unsigned d) {
  return d == 0 ? __builtin_amdgcn_workgroup_id_x() : d == 1 ? __builtin_amdgcn_workgroup_id_y() : __builtin_amdgcn_workgroup_id_z();
}
extern "C" __device__ size_t __ockl_get_local_id(unsigned d) {
  return d == 0 ? __builtin_amdgcn_workitem_id_x() : d == 1 ? __builtin_amdgcn_workitem_id_y() : __builtin_amdgcn_workitem_id_z();
}
extern "C" __device__ size_t __ockl_get_local_size(unsigned d) {
  return d == 0 ? __builtin_amdgcn_workgroup_size_x() : d == 1 ? __builtin_amdgcn_workgroup_size_y() : __builtin_amdgcn_workgroup_size_z();
}
extern "C" __device__ void __atomic_work_item_fence(unsigned, unsigned, unsigned) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}

__device__ int offsets[4] = {1, 10, 100, 1000};
__constant__ float scale;

__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] * scale + y[i] + offsets[i & 3];
}

template <int N>
__global__ void block_sum(const float *in, float *out) {
  __shared__ float part[N];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * N + t];
  __syncthreads();
  for (int s = N / 2; s > 0; s /= 2) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

// Every workgroup waits for every other.
__global__ void meet(unsigned *count, unsigned groups, unsigned *all) {
  if (threadIdx.x == 0) {
    __hip_atomic_fetch_add(count, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
    while (__hip_atomic_load(count, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < groups) __builtin_amdgcn_s_sleep(1);
    all[blockIdx.x] = 1;
  }
}

int main() {
  int devices;
  CHECK(hipGetDeviceCount(&devices));
  for (int d = 0; d < devices; ++d) {
    CHECK(hipSetDevice(d));
    const int n = 4096;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) x[i] = i % 17, y[i] = i % 5;
    float *dx, *dy, *sum, two = 2, s = 0, want = 0;
    CHECK(hipMalloc(&dx, n * 4));
    CHECK(hipMalloc(&dy, n * 4));
    CHECK(hipMalloc(&sum, 4));
    CHECK(hipMemcpyToSymbol(HIP_SYMBOL(scale), &two, 4));
    CHECK(hipMemcpy(dx, x.data(), n * 4, hipMemcpyHostToDevice));
    CHECK(hipMemcpy(dy, y.data(), n * 4, hipMemcpyHostToDevice));
    saxpy<<<dim3(n / 256), dim3(256)>>>(3.0f, dx, dy, n);
    CHECK(hipGetLastError());
    CHECK(hipMemset(sum, 0, 4));
    block_sum<256><<<n / 256, 256>>>(dy, sum);
    CHECK(hipMemcpy(&s, sum, 4, hipMemcpyDeviceToHost));
    const int each[4] = {1, 10, 100, 1000};
    for (int i = 0; i < n; ++i) want += 3 * x[i] * 2 + y[i] + each[i & 3];
    if (s != want) return std::printf("device %d: %f for %f\n", d, s, want), 1;

    int blocks = 0, cus = 0, grid = 0, block = 0;
    CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, block_sum<256>, 256, 0));
    CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, block_sum<256>, 0, 0));
    CHECK(hipDeviceGetAttribute(&cus, hipDeviceAttributeMultiprocessorCount, d));
    if (blocks < 1 || grid < cus || block < 64) return std::printf("occupancy %d %d %d\n", blocks, grid, block), 1;

    unsigned *count, *all, groups = cus;
    CHECK(hipMalloc(&count, 4));
    CHECK(hipMemset(count, 0, 4));
    CHECK(hipMalloc(&all, 4 * groups));
    void *arguments[] = {&count, &groups, &all};
    CHECK(hipLaunchCooperativeKernel(reinterpret_cast<void *>(meet), dim3(groups), dim3(64), arguments, 0, nullptr));
    CHECK(hipDeviceSynchronize());
    std::vector<unsigned> met(groups);
    CHECK(hipMemcpy(met.data(), all, 4 * groups, hipMemcpyDeviceToHost));
    for (unsigned m : met)
      if (m != 1) return std::printf("device %d: not all met\n", d), 1;
    std::printf("device %d: right\n", d);
  }
  return 0;
}
