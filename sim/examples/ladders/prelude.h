// What HipKittens' kernels want of ROCm's device library, and of a compiler older than clang 22.
#pragma once
#define __AMDGCN_WAVEFRONT_SIZE 64
#define HIP_DEPRECATED(x)
extern "C" {
#define WS_LIBRARY __attribute__((device, used, always_inline)) inline unsigned long
#define WS_ONE_OF(d, of) ((d) == 0 ? of##_x() : (d) == 1 ? of##_y() : of##_z())
WS_LIBRARY __ockl_get_group_id(unsigned d) { return WS_ONE_OF(d, __builtin_amdgcn_workgroup_id); }
WS_LIBRARY __ockl_get_local_id(unsigned d) { return WS_ONE_OF(d, __builtin_amdgcn_workitem_id); }
WS_LIBRARY __ockl_get_num_groups(unsigned d) {
    return ((const __attribute__((address_space(4))) unsigned*)__builtin_amdgcn_implicitarg_ptr())[d];
}
WS_LIBRARY __ockl_get_local_size(unsigned d) {
    return ((const __attribute__((address_space(4))) unsigned short*)__builtin_amdgcn_implicitarg_ptr())[6 + d];
}
}
