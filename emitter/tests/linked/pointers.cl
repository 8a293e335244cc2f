// Addresses in constant and writable tables, structures, and a division that needs a long sequence.
global int one = 1;
global int four[4] = {1, 2, 3, 4};
global int *constant fixed[2] = {&one, four};
global int *global changing[2] = {&one, four + 2};

typedef struct {
  int a;
  char b;
  double d;
} Entry;
constant Entry entries[3] = {{1, 2, 3.0}, {4, 5, 6.0}, {7, 8, 9.0}};

kernel void follow(global int *out, int k) {
  out[0] = *fixed[k & 1];
  changing[k & 1] = out;
  out[1] = *changing[(k + 1) & 1] + (int)entries[k % 3].d;
}

kernel void divide(global long *out) { out[__builtin_amdgcn_workitem_id_x()] /= out[1]; }
