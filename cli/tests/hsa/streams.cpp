// Streams, events and memory through HIP, as programs use them that overlap work. Prints "right", or the line that
// failed. Its argument is queues.hip as a code object.

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "check_hip.h"

static void called(hipStream_t, hipError_t status, void *data) { *static_cast<int *>(data) = status == hipSuccess ? 1 : -1; }

template <class... T>
static hipError_t launch(hipFunction_t kernel, unsigned groups, hipStream_t stream, T... values) {
  void *arguments[] = {&values...};
  return hipModuleLaunchKernel(kernel, groups, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr);
}

int main(int, char **argv) {
  int devices = 0, low = 0, high = 0;
  CHECK(hipGetDeviceCount(&devices));
  HOLDS(devices == 2);
  CHECK(hipDeviceGetStreamPriorityRange(&low, &high));
  for (int device = 0; device < devices; ++device) {
    CHECK(hipSetDevice(device));
    hipModule_t module;
    hipFunction_t wait, release, add, from_table;
    CHECK(hipModuleLoad(&module, argv[1]));
    CHECK(hipModuleGetFunction(&wait, module, "wait"));
    CHECK(hipModuleGetFunction(&release, module, "release"));
    CHECK(hipModuleGetFunction(&add, module, "add"));
    CHECK(hipModuleGetFunction(&from_table, module, "from_table"));
    HOLDS(hipModuleGetFunction(&from_table, module, "nothing") == hipErrorNotFound);
    CHECK(hipModuleGetFunction(&from_table, module, "from_table"));

    hipStream_t one, two;
    CHECK(hipStreamCreateWithFlags(&one, hipStreamNonBlocking));
    CHECK(hipStreamCreateWithPriority(&two, hipStreamNonBlocking, high));
    unsigned *memory, *pinned, ten = 10;
    CHECK(hipMalloc(reinterpret_cast<void **>(&memory), 4096));
    CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned), 4096, hipHostMallocDefault));

    // A kernel in one stream waits for a kernel in another.
    CHECK(hipMemset(memory, 0, 4096));
    CHECK(launch(wait, 1, one, memory, memory + 64));
    HOLDS(hipStreamQuery(one) == hipErrorNotReady);
    CHECK(launch(release, 1, two, memory, 7u));
    CHECK(hipStreamSynchronize(two));
    CHECK(hipStreamSynchronize(one));
    CHECK(hipStreamQuery(one));
    CHECK(hipMemcpy(pinned, memory + 64, 4, hipMemcpyDeviceToHost));
    HOLDS(pinned[0] == 7);

    // Work in a stream follows an event of another; copies are in order with kernels.
    hipEvent_t begin, ready, end;
    CHECK(hipEventCreate(&begin));
    CHECK(hipEventCreateWithFlags(&ready, hipEventDisableTiming));
    CHECK(hipEventCreate(&end));
    CHECK(hipMemsetAsync(memory, 0, 4096, one));
    CHECK(hipEventRecord(begin, one));
    for (int i = 0; i < 50; ++i) CHECK(launch(add, 4, one, memory, ten));
    CHECK(hipEventRecord(ready, one));
    CHECK(hipStreamWaitEvent(two, ready, 0));
    CHECK(hipMemcpyAsync(memory + 128, memory, 4, hipMemcpyDeviceToDevice, two));
    CHECK(launch(add, 1, two, memory + 128, 5u));
    CHECK(hipMemcpyAsync(pinned, memory + 128, 4, hipMemcpyDeviceToHost, two));
    CHECK(hipEventRecord(end, two));
    int told = 0;
    CHECK(hipStreamAddCallback(two, called, &told, 0));
    CHECK(hipStreamSynchronize(two));
    HOLDS(pinned[0] == 2005);
    CHECK(hipEventSynchronize(end));
    CHECK(hipEventQuery(end));
    float milliseconds = -1;
    CHECK(hipEventElapsedTime(&milliseconds, begin, end));
    HOLDS(milliseconds > 0);
    CHECK(hipDeviceSynchronize());
    HOLDS(told == 1);

    // A stream that waits for a value in memory, which another one writes.
    unsigned *value;
    if (hipExtMallocWithFlags(reinterpret_cast<void **>(&value), 8, hipMallocSignalMemory) == hipSuccess) {
      std::memset(value, 0, 8);
      CHECK(hipStreamWaitValue32(one, value, 3, hipStreamWaitValueGte, 0xffffffff));
      CHECK(launch(release, 1, one, memory + 256, 9u));
      CHECK(hipStreamWriteValue32(two, value, 4, 0));
      CHECK(hipStreamSynchronize(one));
      CHECK(hipMemcpy(pinned, memory + 256, 4, hipMemcpyDeviceToHost));
      HOLDS(pinned[0] == 9);
      CHECK(hipStreamSynchronize(two));
      CHECK(hipFree(value));
    }

    hipDeviceptr_t table;
    size_t bytes;
    CHECK(hipModuleGetGlobal(&table, &bytes, module, "table"));
    HOLDS(bytes == 16);
    CHECK(hipMemcpyHtoD(reinterpret_cast<char *>(table) + 8, &ten, 4));
    CHECK(launch(from_table, 1, nullptr, pinned));
    CHECK(hipDeviceSynchronize());
    HOLDS(pinned[0] == 1 && pinned[2] == 10 && pinned[63] == 4);

    int blocks = 0, grid = 0, block = 0;
    CHECK(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, 0));
    HOLDS(blocks >= 8);
    CHECK(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0));
    HOLDS(grid > 0 && block >= 64);
    int registers = -1;
    CHECK(hipFuncGetAttribute(&registers, HIP_FUNC_ATTRIBUTE_NUM_REGS, add));
    HOLDS(registers > 0);

    char *pitched;
    const size_t pitch = 256;
    CHECK(hipMalloc(reinterpret_cast<void **>(&pitched), 20 * pitch));
    CHECK(hipMemset2D(pitched, pitch, 0x5a, 100, 20));
    CHECK(hipMemset2D(pitched + pitch + 10, pitch, 1, 5, 3));
    std::vector<char> rows(2000);
    CHECK(hipMemcpy2D(rows.data(), 100, pitched, pitch, 100, 20, hipMemcpyDeviceToHost));
    HOLDS(rows[0] == 0x5a && rows[109] == 0x5a && rows[110] == 1 && rows[314] == 1 && rows[315] == 0x5a && rows[410] == 0x5a);
    CHECK(hipFree(pitched));

    CHECK(hipEventDestroy(begin));
    CHECK(hipEventDestroy(ready));
    CHECK(hipEventDestroy(end));
    CHECK(hipStreamDestroy(one));
    CHECK(hipStreamDestroy(two));
    CHECK(hipFree(memory));
    CHECK(hipHostFree(pinned));
    CHECK(hipModuleUnload(module));
  }
  std::printf("right\n");
  return 0;
}
