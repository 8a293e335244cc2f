// OpenCL C for `wavesmith launch` under test: work-item functions through the dispatch packet and hidden arguments,
// pointers to LDS whose size the host gives, printf. Compiled without device libraries, so what they would define
// stands here.

#define FUNCTION __attribute__((overloadable)) static inline

FUNCTION uint local_id(uint d) { return d == 0 ? __builtin_amdgcn_workitem_id_x() : __builtin_amdgcn_workitem_id_y(); }
FUNCTION uint group_id(uint d) {
  return d == 0 ? __builtin_amdgcn_workgroup_id_x() : __builtin_amdgcn_workgroup_id_y();
}
FUNCTION uint local_size(uint d) {
  return d == 0 ? __builtin_amdgcn_workgroup_size_x() : __builtin_amdgcn_workgroup_size_y();
}
FUNCTION uint global_size(uint d) { return d == 0 ? __builtin_amdgcn_grid_size_x() : __builtin_amdgcn_grid_size_y(); }
FUNCTION uint global_id(uint d) { return group_id(d) * local_size(d) + local_id(d); }
FUNCTION void local_barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__kernel void saxpy(__global const float *x, __global float *y, float a, uint n) {
  uint i = global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

__kernel void geometry(__global uint *out) {
  if (global_id(0) == 0 && global_id(1) == 0) {
    out[0] = global_size(0);
    out[1] = global_size(1);
    out[2] = local_size(0);
    out[3] = local_size(1);
  }
}

__kernel void local_pointers(__global const int *in, __global int *out, __local int *a, __local int *b) {
  uint l = local_id(0), i = global_id(0);
  a[l] = in[i];
  b[l] = -in[i];
  local_barrier();
  out[i] = a[local_size(0) - 1 - l] * 1000 + b[l];
}

// As the device libraries do it: a bump allocation in the buffer that the host drains afterwards.
__global char *__printf_alloc(uint bytes) {
  __constant char *implicit = (__constant char *)__builtin_amdgcn_implicitarg_ptr();
#if ABI >= 5
  __global uint *buffer = *(__global uint *__constant *)(implicit + 72);
#else
  __global uint *buffer = *(__global uint *__constant *)(implicit + 24);
#endif
  uint at = __scoped_atomic_fetch_add(buffer, bytes, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM);
  return (__global char *)(buffer + 2) + at;
}

int printf(__constant const char *format, ...) __attribute__((format(printf, 1, 2)));

__kernel void prints(uint n) { printf("n is %u\n", n); }
