// Kernels as people write them, for `wavesmith launch` under test. Compiled without headers and device libraries, so
// the few things those would declare stand here.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define KERNEL(threads) extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(threads, threads)))

static __device__ unsigned lane_id() { return __builtin_amdgcn_workitem_id_x(); }
static __device__ unsigned group_id() { return __builtin_amdgcn_workgroup_id_x(); }
static __device__ void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// out[0] += sum of in, one atomic a workgroup. Values are small integers, so that any order gives the same sum.
KERNEL(256) void reduction(const float *in, float *out, unsigned n) {
  __shared__ float part[256];
  unsigned t = lane_id();
  float sum = 0;
  for (unsigned i = group_id() * 256 + t; i < n; i += 256 * 8) sum += in[i];
  part[t] = sum;
  barrier();
  for (unsigned step = 128; step; step >>= 1) {
    if (t < step) part[t] += part[t + step];
    barrier();
  }
  if (t == 0) __hip_atomic_fetch_add(out, part[0], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// Counts of each byte: atomics on LDS, then on memory.
KERNEL(256) void histogram(const unsigned char *in, unsigned *counts, unsigned n) {
  __shared__ unsigned bins[256];
  unsigned t = lane_id();
  bins[t] = 0;
  barrier();
  for (unsigned i = group_id() * 256 + t; i < n; i += 256 * 4)
    __hip_atomic_fetch_add(&bins[in[i]], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  barrier();
  __hip_atomic_fetch_add(&counts[t], bins[t], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// Inclusive prefix sums of 256 elements a workgroup.
KERNEL(256) void scan(const int *in, int *out, unsigned n) {
  __shared__ int line[256];
  unsigned t = lane_id(), i = group_id() * 256 + t;
  line[t] = i < n ? in[i] : 0;
  barrier();
  for (unsigned step = 1; step < 256; step <<= 1) {
    int before = t >= step ? line[t - step] : 0;
    barrier();
    line[t] += before;
    barrier();
  }
  if (i < n) out[i] = line[t];
}

// out = transposed in, tiles of 32x32 by 32x8 work-items.
KERNEL(256) void transpose(const float *in, float *out, unsigned rows, unsigned columns) {
  __shared__ float tile[32][33];
  unsigned x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y();
  unsigned bx = __builtin_amdgcn_workgroup_id_x() * 32, by = __builtin_amdgcn_workgroup_id_y() * 32;
  for (unsigned j = y; j < 32; j += 8)
    if (by + j < rows && bx + x < columns) tile[j][x] = in[(by + j) * columns + bx + x];
  barrier();
  for (unsigned j = y; j < 32; j += 8)
    if (bx + j < columns && by + x < rows) out[(bx + j) * rows + by + x] = tile[x][j];
}

static __device__ float block_max(float v, float *s) {
  unsigned t = lane_id();
  s[t] = v;
  barrier();
  for (unsigned step = 128; step; step >>= 1) {
    if (t < step) s[t] = __builtin_fmaxf(s[t], s[t + step]);
    barrier();
  }
  v = s[0];
  barrier();
  return v;
}

static __device__ float block_sum(float v, float *s) {
  unsigned t = lane_id();
  s[t] = v;
  barrier();
  for (unsigned step = 128; step; step >>= 1) {
    if (t < step) s[t] += s[t + step];
    barrier();
  }
  v = s[0];
  barrier();
  return v;
}

// Softmax of each row, a workgroup a row.
KERNEL(256) void softmax(const float *in, float *out, unsigned columns) {
  __shared__ float s[256];
  const float *row = in + group_id() * columns;
  float top = -__builtin_inff();
  for (unsigned i = lane_id(); i < columns; i += 256) top = __builtin_fmaxf(top, row[i]);
  top = block_max(top, s);
  float sum = 0;
  for (unsigned i = lane_id(); i < columns; i += 256) sum += __builtin_exp2f((row[i] - top) * 1.4426950408889634f);
  sum = block_sum(sum, s);
  for (unsigned i = lane_id(); i < columns; i += 256)
    out[group_id() * columns + i] = __builtin_exp2f((row[i] - top) * 1.4426950408889634f) / sum;
}

// Layer normalisation of each row without weights, a workgroup a row, half-precision in and out.
KERNEL(256) void layernorm(const _Float16 *in, _Float16 *out, unsigned columns, float epsilon) {
  __shared__ float s[256];
  const _Float16 *row = in + group_id() * columns;
  float sum = 0, squares = 0;
  for (unsigned i = lane_id(); i < columns; i += 256) sum += (float)row[i];
  float mean = block_sum(sum, s) / (float)columns;
  for (unsigned i = lane_id(); i < columns; i += 256) {
    float d = (float)row[i] - mean;
    squares += d * d;
  }
  float scale = 1.0f / __builtin_sqrtf(block_sum(squares, s) / (float)columns + epsilon);
  for (unsigned i = lane_id(); i < columns; i += 256)
    out[group_id() * columns + i] = (_Float16)(((float)row[i] - mean) * scale);
}

// Rotates a table in scratch by an amount known only at run time: no register allocation can avoid memory.
KERNEL(64) void scratch(const int *in, int *out, int by) {
  volatile int table[64];
  unsigned t = lane_id();
  for (int i = 0; i < 64; ++i) table[i] = in[t * 64 + i];
  for (int i = 0; i < 64; ++i) out[t * 64 + i] = table[(i + by) & 63] * 2 + 1;
}

typedef unsigned (*Step)(unsigned n, unsigned depth);
__device__ __attribute__((noinline)) unsigned even_step(unsigned n, unsigned depth);
__device__ __attribute__((noinline)) unsigned odd_step(unsigned n, unsigned depth);
static __device__ Step choose(unsigned n) { return n & 1 ? odd_step : even_step; }
__device__ __attribute__((noinline)) unsigned even_step(unsigned n, unsigned depth) {
  return n <= 1 ? depth : choose(n / 2)(n / 2, depth + 1);
}
__device__ __attribute__((noinline)) unsigned odd_step(unsigned n, unsigned depth) {
  return n <= 1 ? depth : 1 + choose(3 * n + 1)(3 * n + 1, depth) + 0 * depth;
}

// Steps of the Collatz sequence, recursive through function pointers; each work-item takes its own path.
KERNEL(64) void recursion(const unsigned *in, unsigned *out) {
  unsigned t = lane_id();
  out[t] = choose(in[t])(in[t], 0);
}

extern __shared__ float dynamic[];

// Reverses each run of 256 through LDS whose size the launch gives.
KERNEL(256) void dynamic_lds(const float *in, float *out) {
  unsigned t = lane_id(), i = group_id() * 256 + t;
  dynamic[t] = in[i];
  barrier();
  out[i] = dynamic[255 - t];
}

// What the runtime fills in from version 5 on: workgroups, work-items of a workgroup, dimensions.
#if ABI >= 5
KERNEL(64) void hidden(unsigned *out) {
  const unsigned char *implicit = (const unsigned char *)__builtin_amdgcn_implicitarg_ptr();
  if (lane_id() == 0 && group_id() == 0) {
    for (int i = 0; i < 3; ++i) {
      out[i] = ((const unsigned *)implicit)[i];
      out[3 + i] = ((const unsigned short *)(implicit + 12))[i];
    }
    out[6] = *(const unsigned short *)(implicit + 64);
  }
}
#endif

// What printf in HIP comes to: a word taken from the buffer through which the host is called.
KERNEL(64) void host_call(unsigned *out) {
  unsigned char *implicit = (unsigned char *)__builtin_amdgcn_implicitarg_ptr();
  unsigned long long *buffer = *(unsigned long long **)(implicit + (ABI >= 5 ? 80 : 24));
  out[lane_id()] = (unsigned)__hip_atomic_load(&buffer[3], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

// Matrix instruction of every target: c = a * b, 16x16x16.
typedef float float4_t __attribute__((ext_vector_type(4)));
typedef _Float16 half4_t __attribute__((ext_vector_type(4)));
KERNEL(64) void mfma(const half4_t *a, const half4_t *b, float4_t *c) {
  float4_t acc = {0, 0, 0, 0};
  c[lane_id()] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[lane_id()], b[lane_id()], acc, 0, 0, 0);
}

// A structure by value, and a pointer after it.
struct Table {
  unsigned entries[48];
};
KERNEL(64) void by_value(Table table, unsigned *out) {
  unsigned t = lane_id();
  out[t] = t == 0 ? table.entries[0] : t == 1 ? table.entries[47] : 7;
}

// A service of the host that a scalar load asks for: the address is the same for all lanes and never written.
#if ABI >= 5
KERNEL(64) void heap(unsigned *out) {
  typedef __attribute__((address_space(4))) const unsigned constant_t;
  unsigned char *implicit = (unsigned char *)__builtin_amdgcn_implicitarg_ptr();
  out[lane_id()] = **(constant_t *const *)(implicit + 96);
}
#endif
