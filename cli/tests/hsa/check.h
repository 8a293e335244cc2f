// What the programs of these tests check with: a failure prints its line and ends the program.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                             \
  do {                                               \
    if (!(condition)) {                              \
      printf("line %d: %s\n", __LINE__, #condition); \
      exit(1);                                       \
    }                                                \
  } while (0)
#define OK(call) CHECK((call) == HSA_STATUS_SUCCESS)
