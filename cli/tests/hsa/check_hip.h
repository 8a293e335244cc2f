// What the HIP programs of these tests check with: a failure prints its line and ends `main` with 1.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstdio>

#define CHECK(call)                                                                \
  do {                                                                             \
    hipError_t error = (call);                                                     \
    if (error != hipSuccess) {                                                     \
      std::printf("line %d: %s: %s\n", __LINE__, #call, hipGetErrorString(error)); \
      return 1;                                                                    \
    }                                                                              \
  } while (0)
#define HOLDS(condition)                                  \
  do {                                                    \
    if (!(condition)) {                                   \
      std::printf("line %d: %s\n", __LINE__, #condition); \
      return 1;                                           \
    }                                                     \
  } while (0)
