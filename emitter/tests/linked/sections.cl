// Large alignments, sections by name, weak and hidden globals, small and large ones.
__constant static char text[] = "no two letters of this need be alike";
__attribute__((aligned(256))) global double aligned[3] = {1, 2, 3};
__attribute__((weak)) global int replaceable = 7;
__attribute__((section("mine"))) global int placed = 3;
__attribute__((section(".rodata.mine"))) constant int constant_placed[2] = {3, 4};
__attribute__((visibility("hidden"))) global int hidden = 9;
global short small = 2;
global char tiny = 1;
global char nothing;
global long many[1000];

kernel void sum(global int *out, int k) {
  out[0] = text[k] + (int)aligned[k] + replaceable + placed + constant_placed[k] + hidden + small + tiny + nothing + many[k];
}

kernel void scale(global float4 *out, float4 v) { out[__builtin_amdgcn_workitem_id_x()] = v * v / out[1]; }

__attribute__((noinline)) float square(float x) { return x * x; }

kernel void branch(global float *out) {
  if (out[0] > 1)
    out[0] = square(out[1]);
  else
    out[2] = square(out[3]) + square(out[4]);
}
