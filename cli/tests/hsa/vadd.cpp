// A HIP program that loads a module and launches its kernel, as it would on a GPU.

#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                             \
  do {                                                          \
    hipError_t error = (call);                                  \
    if (error != hipSuccess) {                                  \
      std::printf("%s: %s\n", #call, hipGetErrorString(error)); \
      return 1;                                                 \
    }                                                           \
  } while (0)

int main(int, char **argv) {
  int devices = 0;
  CHECK(hipGetDeviceCount(&devices));
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("%d: %s %s\n", devices, properties.name, properties.gcnArchName);

  hipModule_t module;
  hipFunction_t vadd;
  CHECK(hipModuleLoad(&module, argv[1]));
  CHECK(hipModuleGetFunction(&vadd, module, "vadd"));

  const unsigned n = 100000;
  std::vector<float> a(n), b(n), c(n);
  for (unsigned i = 0; i < n; ++i) a[i] = float(i), b[i] = float(2 * i + 1);
  float *da, *db, *dc;
  CHECK(hipMalloc(reinterpret_cast<void **>(&da), n * sizeof(float)));
  CHECK(hipMalloc(reinterpret_cast<void **>(&db), n * sizeof(float)));
  CHECK(hipMalloc(reinterpret_cast<void **>(&dc), n * sizeof(float)));
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipMemcpyAsync(da, a.data(), n * sizeof(float), hipMemcpyHostToDevice, stream));
  CHECK(hipMemcpyAsync(db, b.data(), n * sizeof(float), hipMemcpyHostToDevice, stream));
  CHECK(hipMemsetAsync(dc, 0xff, n * sizeof(float), stream));

  hipEvent_t begin, end;
  CHECK(hipEventCreate(&begin));
  CHECK(hipEventCreate(&end));
  unsigned count = n;
  void *arguments[] = {&da, &db, &dc, &count};
  CHECK(hipEventRecord(begin, stream));
  CHECK(hipModuleLaunchKernel(vadd, (n + 255) / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  CHECK(hipEventRecord(end, stream));
  CHECK(hipMemcpyAsync(c.data(), dc, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  CHECK(hipStreamSynchronize(stream));
  float milliseconds = -1;
  CHECK(hipEventElapsedTime(&milliseconds, begin, end));

  for (unsigned i = 0; i < n; ++i)
    if (c[i] != float(i) + float(2 * i + 1)) {
      std::printf("wrong at %u: %f\n", i, c[i]);
      return 1;
    }
  CHECK(hipFree(da));
  CHECK(hipFree(db));
  CHECK(hipFree(dc));
  CHECK(hipModuleUnload(module));
  std::printf(milliseconds >= 0 ? "right\n" : "no time\n");
  return 0;
}
