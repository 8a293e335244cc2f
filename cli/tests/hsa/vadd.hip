// c = a + b, for the programs that launch it through HSA and HIP.

extern "C" __attribute__((global)) void vadd(const float *a, const float *b, float *c, unsigned n) {
  unsigned i = __builtin_amdgcn_workgroup_id_x() * 256u + __builtin_amdgcn_workitem_id_x();
  if (i < n) c[i] = a[i] + b[i];
}
