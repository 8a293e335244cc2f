// Arrays in registers that are indexed by data: one index for all lanes, and one for each. The loads into the array are
// still on their way when the index is known.
#define KERNEL extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 64))) void
typedef unsigned int u32;

static __attribute__((device)) inline u32 lane() { return __builtin_amdgcn_workitem_id_x(); }

template <int N> static __attribute__((device)) inline u32 pick(const u32 *a, u32 index) {
  u32 x[N];
  for (int i = 0; i < N; i++) x[i] = a[i * 64 + lane()];
  x[index] += 5;
  return x[(index + 3) % N] + 2 * x[index];
}

KERNEL uniform_index(u32 *a, u32 *b, u32 *out, u32 n) {
  out[lane()] = pick<16>(a, b[n] % 16);
}

KERNEL own_index(u32 *a, u32 *b, u32 *out, u32 n) {
  out[lane()] = pick<32>(a, b[lane()] % 32);
}

KERNEL in_a_loop(u32 *a, u32 *b, u32 *out, u32 n) {
  u32 x[32];
  for (int i = 0; i < 32; i++) x[i] = i * lane();
  for (u32 i = 0; i < n; i++) x[b[i] % 32] += a[i * 64 + lane()];
  u32 sum = 0;
  for (int i = 0; i < 32; i++) sum = 3 * sum + x[i];
  out[lane()] = sum;
}
