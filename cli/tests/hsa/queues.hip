// Kernels for the programs that try what queues promise.

#define KERNEL extern "C" __attribute__((global))

__attribute__((device)) unsigned table[4] = {1, 2, 3, 4};

// Waits until the flag is not 0.
KERNEL void wait(unsigned *flag, unsigned *seen) {
  unsigned value;
  while ((value = __hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM)) == 0)
    __builtin_amdgcn_s_sleep(1);
  *seen = value;
}

KERNEL void release(unsigned *flag, unsigned value) {
  __hip_atomic_store(flag, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
}

// Where each workgroup runs: hardware registers HW_ID without the wave's slot, and XCC_ID.
KERNEL void where(unsigned *place) {
  unsigned cu = __builtin_amdgcn_s_getreg(4 | 8 << 6 | 7 << 11), xcc = __builtin_amdgcn_s_getreg(20 | 3 << 11);
  if (__builtin_amdgcn_workitem_id_x() == 0) place[__builtin_amdgcn_workgroup_id_x()] = xcc << 16 | cu;
}

KERNEL void add(unsigned *counter, unsigned value) {
  if (__builtin_amdgcn_workitem_id_x() == 0)
    __hip_atomic_fetch_add(counter, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

KERNEL void from_table(unsigned *out) { out[__builtin_amdgcn_workitem_id_x()] = table[__builtin_amdgcn_workitem_id_x() & 3]; }

KERNEL void wild(unsigned *out, unsigned value) { *(volatile unsigned *)((unsigned long)out ^ 0x7ull << 52) = value; }
