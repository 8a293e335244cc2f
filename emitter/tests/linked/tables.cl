// Constant tables, a jump table, LDS, globals with and without contents, a function that is called.
#define LANE __builtin_amdgcn_workitem_id_x()
#define ITEM (__builtin_amdgcn_workgroup_id_x() * 256 + LANE)

__constant int primes[16] = {1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
__constant char word[] = "hello";
global int counter = 5;
global int zeroed[100];

__attribute__((noinline)) int weighted(int x, global int *p) { return primes[x & 15] * p[x]; }

kernel void choose(global int *out, global int *in, int n) {
  local int tile[256];
  int i = ITEM;
  tile[LANE] = in[i];
  __builtin_amdgcn_s_barrier();
  switch (n) {
  case 0: out[i] = primes[i & 15]; break;
  case 1: out[i] = weighted(i, in); break;
  case 2: out[i] = word[i % 5]; break;
  case 3: out[i] = in[i] / n; break;
  default: out[i] = tile[255 - LANE];
  }
  counter += n;
  zeroed[i % 100] = n;
}

kernel void wave(global float *out) { out[ITEM] = __builtin_sinf(out[ITEM]); }
