// Memory through HIP: two devices that read each other, pinned and managed memory, copies by rows, what is known of a
// pointer. Prints "right", or the line that failed.

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "check_hip.h"

int main() {
  int devices = 0, peer = 0;
  CHECK(hipGetDeviceCount(&devices));
  HOLDS(devices == 2);

  // More than the runtime copies through its own buffers at once.
  const size_t bytes = 6u << 20;
  char *first, *second, *pinned;
  CHECK(hipSetDevice(0));
  CHECK(hipMalloc(reinterpret_cast<void **>(&first), bytes));
  CHECK(hipDeviceCanAccessPeer(&peer, 0, 1));
  HOLDS(peer == 1);
  CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned), bytes, 0));
  for (size_t i = 0; i < bytes; ++i) pinned[i] = char(i * 13 + i / 251);
  CHECK(hipMemcpy(first, pinned, bytes, hipMemcpyHostToDevice));

  CHECK(hipSetDevice(1));
  CHECK(hipMalloc(reinterpret_cast<void **>(&second), bytes));
  CHECK(hipDeviceEnablePeerAccess(0, 0));
  CHECK(hipMemcpyPeer(second, 1, first, 0, bytes));
  std::vector<char> back(bytes);
  CHECK(hipMemcpy(back.data(), second, bytes, hipMemcpyDeviceToHost));
  HOLDS(std::memcmp(back.data(), pinned, bytes) == 0);

  CHECK(hipMemcpy2D(second, 512, pinned, 256, 100, 50, hipMemcpyHostToDevice));
  CHECK(hipMemcpy2D(back.data(), 100, second, 512, 100, 50, hipMemcpyDeviceToHost));
  for (int row = 0; row < 50; ++row) HOLDS(std::memcmp(back.data() + row * 100, pinned + row * 256, 100) == 0);

  size_t free = 0, total = 0;
  CHECK(hipMemGetInfo(&free, &total));
  HOLDS(free < total && total == size_t(64) << 30);
  hipPointerAttribute_t attributes;
  CHECK(hipPointerGetAttributes(&attributes, second));
  HOLDS(attributes.device == 1 && attributes.devicePointer == second);

  // Memory of the program's own, registered: the device has another address for it.
  std::vector<char> own(bytes);
  char *seen;
  CHECK(hipHostRegister(own.data(), bytes, hipHostRegisterDefault));
  CHECK(hipHostGetDevicePointer(reinterpret_cast<void **>(&seen), own.data(), 0));
  CHECK(hipMemcpy(second, pinned, bytes, hipMemcpyHostToDevice));
  CHECK(hipMemcpy(own.data(), second, bytes, hipMemcpyDeviceToHost));
  HOLDS(std::memcmp(own.data(), pinned, bytes) == 0);
  CHECK(hipMemset(seen + 10, 7, 5));
  CHECK(hipDeviceSynchronize());
  HOLDS(own[9] == pinned[9] && own[10] == 7 && own[14] == 7 && own[15] == pinned[15]);
  CHECK(hipHostUnregister(own.data()));
  CHECK(hipHostRegister(own.data(), bytes, hipHostRegisterDefault));
  CHECK(hipHostUnregister(own.data()));
  HOLDS(hipHostUnregister(own.data()) != hipSuccess);

  char *managed;
  CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), 4096, hipMemAttachGlobal));
  managed[4095] = 1;
  CHECK(hipFree(managed));
  CHECK(hipFree(second));
  CHECK(hipFree(first));
  CHECK(hipHostFree(pinned));
  std::printf("right\n");
  return 0;
}
