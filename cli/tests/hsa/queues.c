// What queues, packets and signals promise: overlap without the barrier bit, dependencies, masks, faults, times, copies
// between agents. Prints "ok", or the line that failed.

#define _GNU_SOURCE
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define BARRIER (1u << HSA_PACKET_HEADER_BARRIER)

static hsa_agent_t gpus[2], cpu;
static int gpu_count;
static hsa_executable_t executable;

static hsa_status_t pick(hsa_agent_t agent, void *data) {
  hsa_device_type_t type;
  (void)data;
  OK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_GPU && gpu_count < 2) gpus[gpu_count++] = agent;
  if (type == HSA_DEVICE_TYPE_CPU) cpu = agent;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t coarse_pool(hsa_amd_memory_pool_t pool, void *data) {
  hsa_amd_segment_t segment;
  uint32_t flags;
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
  if (segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if (!(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED)) return HSA_STATUS_SUCCESS;
  *(hsa_amd_memory_pool_t *)data = pool;
  return HSA_STATUS_INFO_BREAK;
}

static hsa_status_t kernarg_pool(hsa_amd_memory_pool_t pool, void *data) {
  uint32_t flags;
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if (!(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)) return HSA_STATUS_SUCCESS;
  *(hsa_amd_memory_pool_t *)data = pool;
  return HSA_STATUS_INFO_BREAK;
}

static void *device_memory(hsa_agent_t agent, size_t size) {
  hsa_amd_memory_pool_t pool;
  void *memory;
  CHECK(hsa_amd_agent_iterate_memory_pools(agent, coarse_pool, &pool) == HSA_STATUS_INFO_BREAK);
  OK(hsa_amd_memory_pool_allocate(pool, size, 0, &memory));
  OK(hsa_amd_agents_allow_access(gpu_count, gpus, NULL, memory));
  return memory;
}

static void *arguments(void) {
  static char *block;
  static size_t used = 1 << 20;
  if (used + 256 > 1 << 20) {
    hsa_amd_memory_pool_t pool;
    CHECK(hsa_amd_agent_iterate_memory_pools(cpu, kernarg_pool, &pool) == HSA_STATUS_INFO_BREAK);
    OK(hsa_amd_memory_pool_allocate(pool, 1 << 20, 0, (void **)&block));
    OK(hsa_amd_agents_allow_access(gpu_count, gpus, NULL, block));
    used = 0;
  }
  used += 256;
  return block + used - 256;
}

static hsa_signal_t new_signal(hsa_signal_value_t value) {
  hsa_signal_t signal;
  OK(hsa_signal_create(value, 0, NULL, &signal));
  return signal;
}

static hsa_queue_t *new_queue(hsa_agent_t agent, void (*callback)(hsa_status_t, hsa_queue_t *, void *), void *data) {
  hsa_queue_t *queue;
  OK(hsa_queue_create(agent, 64, HSA_QUEUE_TYPE_MULTI, callback, data, UINT32_MAX, UINT32_MAX, &queue));
  OK(hsa_amd_profiling_set_profiler_enabled(queue, 1));
  return queue;
}

static void submit(hsa_queue_t *queue, uint32_t header, uint32_t setup, const void *packet) {
  uint64_t index = hsa_queue_add_write_index_scacq_screl(queue, 1);
  while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size) usleep(100);
  uint32_t *slot = (uint32_t *)queue->base_address + index % queue->size * 16;
  memcpy(slot + 1, (const uint32_t *)packet + 1, 60);
  __atomic_store_n(slot, header | setup << 16, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
}

static uint64_t kernel_object(const char *name, hsa_agent_t agent, uint32_t *private_size) {
  hsa_executable_symbol_t symbol;
  uint64_t object;
  OK(hsa_executable_get_symbol_by_name(executable, name, &agent, &symbol));
  OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));
  OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, private_size));
  return object;
}

static void launch(hsa_queue_t *queue, hsa_agent_t agent, const char *name, uint32_t flags, unsigned groups,
                   const void *args, size_t args_size, hsa_signal_t done) {
  hsa_kernel_dispatch_packet_t packet = {0};
  packet.workgroup_size_x = 64, packet.workgroup_size_y = 1, packet.workgroup_size_z = 1;
  packet.grid_size_x = 64 * groups, packet.grid_size_y = 1, packet.grid_size_z = 1;
  packet.kernel_object = kernel_object(name, agent, &packet.private_segment_size);
  packet.kernarg_address = arguments();
  memcpy(packet.kernarg_address, args, args_size);
  packet.completion_signal = done;
  submit(queue, HSA_PACKET_TYPE_KERNEL_DISPATCH | flags | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE,
         1, &packet);
}

static void finish(hsa_signal_t done) {
  CHECK(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, 20000000000, HSA_WAIT_STATE_BLOCKED) == 0);
  OK(hsa_signal_destroy(done));
}

static bool ends_within(hsa_signal_t done, uint64_t nanoseconds) {
  return hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, nanoseconds, HSA_WAIT_STATE_BLOCKED) < 1;
}

struct pointer_and_value {
  void *pointer;
  unsigned value;
};
struct two_pointers {
  void *first, *second;
};

// A kernel that waits for a flag is released by another packet: of its own queue, of another one, of another agent.
static void released(void) {
  hsa_queue_t *one = new_queue(gpus[0], NULL, NULL), *two = new_queue(gpus[0], NULL, NULL),
              *far = new_queue(gpus[1], NULL, NULL);
  hsa_queue_t *queues[3] = {one, two, far};
  unsigned *flags = device_memory(gpus[0], 4096);
  for (int i = 0; i < 3; ++i) {
    memset(flags, 0, 4096);
    hsa_signal_t waited = new_signal(1), done = new_signal(1);
    struct two_pointers wait = {flags, flags + 64};
    launch(one, gpus[0], "wait.kd", 0, 1, &wait, sizeof wait, waited);
    CHECK(!ends_within(waited, 700000000));
    struct pointer_and_value release = {flags, 7 + i};
    launch(queues[i], gpus[i == 2], "release.kd", 0, 1, &release, sizeof release, done);
    finish(done);
    finish(waited);
    CHECK(flags[64] == 7u + i);
  }
  // With the barrier bit the release never begins; the host's copy does it.
  memset(flags, 0, 4096);
  hsa_signal_t waited = new_signal(1), done = new_signal(1);
  struct two_pointers wait = {flags, flags + 64};
  struct pointer_and_value release = {flags, 9};
  launch(one, gpus[0], "wait.kd", 0, 1, &wait, sizeof wait, waited);
  launch(one, gpus[0], "release.kd", BARRIER, 1, &release, sizeof release, done);
  CHECK(!ends_within(done, 50000000));
  unsigned five = 5;
  OK(hsa_memory_copy(flags, &five, sizeof five));
  finish(waited);
  finish(done);
  CHECK(flags[64] == 5 && flags[0] == 9);
  for (int i = 0; i < 3; ++i) OK(hsa_queue_destroy(queues[i]));
  OK(hsa_amd_memory_pool_free(flags));
}

static void dependencies(void) {
  hsa_queue_t *queue = new_queue(gpus[0], NULL, NULL);
  hsa_signal_t five[5], done = new_signal(1);
  for (int i = 0; i < 5; ++i) five[i] = new_signal(1);
  hsa_barrier_and_packet_t all = {0};
  memcpy(all.dep_signal, five, sizeof five);
  all.completion_signal = done;
  submit(queue, HSA_PACKET_TYPE_BARRIER_AND | BARRIER, 0, &all);
  for (int i = 0; i < 5; ++i) {
    CHECK(!ends_within(done, 2000000));
    hsa_signal_subtract_screlease(five[i], 1);
  }
  CHECK(ends_within(done, 20000000000));

  for (int i = 0; i < 5; ++i) hsa_signal_store_relaxed(five[i], 1);
  hsa_signal_store_relaxed(done, 1);
  hsa_barrier_or_packet_t any = {0};
  memcpy(any.dep_signal, five, sizeof five);
  any.completion_signal = done;
  submit(queue, HSA_PACKET_TYPE_BARRIER_OR | BARRIER, 0, &any);
  CHECK(!ends_within(done, 2000000));
  hsa_signal_store_screlease(five[3], 0);
  CHECK(ends_within(done, 20000000000));

  // A barrier without signals is a marker: everything before it has ended.
  hsa_signal_store_relaxed(done, 1);
  unsigned *counter = device_memory(gpus[0], 4096);
  struct pointer_and_value add = {counter, 3};
  for (int i = 0; i < 500; ++i) launch(queue, gpus[0], "add.kd", 0, 4, &add, sizeof add, (hsa_signal_t){0});
  hsa_barrier_and_packet_t marker = {.completion_signal = done};
  submit(queue, HSA_PACKET_TYPE_BARRIER_AND | BARRIER, 0, &marker);
  CHECK(ends_within(done, 20000000000));
  CHECK(*counter == 6000);

  hsa_signal_store_relaxed(done, 1);
  hsa_signal_store_relaxed(five[0], 0x15);
  hsa_amd_barrier_value_packet_t value = {0};
  value.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
  value.signal = five[0], value.value = 0x20, value.mask = 0xf0, value.cond = HSA_SIGNAL_CONDITION_GTE;
  value.completion_signal = done;
  submit(queue, HSA_PACKET_TYPE_VENDOR_SPECIFIC | BARRIER, HSA_AMD_PACKET_TYPE_BARRIER_VALUE, &value);
  CHECK(!ends_within(done, 2000000));
  hsa_signal_add_screlease(five[0], 0x10);
  finish(done);
  for (int i = 0; i < 5; ++i) OK(hsa_signal_destroy(five[i]));
  OK(hsa_queue_destroy(queue));
  OK(hsa_amd_memory_pool_free(counter));
}

static int compare(const void *a, const void *b) {
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

static int places(hsa_queue_t *queue, unsigned *memory) {
  hsa_signal_t done = new_signal(1);
  launch(queue, gpus[0], "where.kd", BARRIER, 256, &memory, sizeof memory, done);
  finish(done);
  qsort(memory, 256, 4, compare);
  int distinct = 1;
  for (int i = 1; i < 256; ++i) distinct += memory[i] != memory[i - 1];
  return distinct;
}

static void masks_and_priorities(void) {
  hsa_queue_t *queue = new_queue(gpus[0], NULL, NULL);
  unsigned *memory = device_memory(gpus[0], 4096);
  uint32_t cus, words = 16, mask[16], back[16];
  OK(hsa_agent_get_info(gpus[0], (hsa_agent_info_t)HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &cus));
  int before = places(queue, memory);
  memset(mask, 0, sizeof mask);
  mask[1] = 1u << 5 | 1u << 9 | 1u << 12;
  OK(hsa_amd_queue_cu_set_mask(queue, 32 * words, mask));
  OK(hsa_amd_queue_cu_get_mask(queue, 32 * words, back));
  CHECK(memcmp(mask, back, sizeof mask) == 0);
  int masked = places(queue, memory);
  CHECK(masked <= 3 && before > 3);
  // No unit at all, half a word; nothing changes.
  memset(mask, 0, sizeof mask);
  CHECK(hsa_amd_queue_cu_set_mask(queue, 32 * words, mask) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(hsa_amd_queue_cu_set_mask(queue, 17, mask) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(places(queue, memory) <= 3);
  OK(hsa_amd_queue_cu_set_mask(queue, 0, NULL));
  OK(hsa_amd_queue_cu_get_mask(queue, 32 * words, back));
  unsigned set = 0;
  for (unsigned i = 0; i < words; ++i) set += __builtin_popcount(back[i]);
  CHECK(set == cus);
  CHECK(places(queue, memory) > 3);

  OK(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_LOW));
  OK(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH));
  CHECK(hsa_amd_queue_set_priority(queue, 3) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  OK(hsa_queue_destroy(queue));
  CHECK(hsa_amd_queue_set_priority(queue, 1) == HSA_STATUS_ERROR_INVALID_QUEUE);
  OK(hsa_amd_memory_pool_free(memory));
}

static void note(hsa_status_t status, hsa_queue_t *queue, void *data) {
  (void)queue;
  __atomic_store_n((int *)data, (int)status, __ATOMIC_SEQ_CST);
}

static void faults(void) {
  int status = 0, fine = 0;
  hsa_queue_t *bad = new_queue(gpus[0], note, &status), *good = new_queue(gpus[0], note, &fine);
  unsigned *memory = device_memory(gpus[0], 4096);
  struct pointer_and_value args = {memory, 1};
  hsa_signal_t never = new_signal(1), done = new_signal(1);
  launch(bad, gpus[0], "wild.kd", 0, 1, &args, sizeof args, never);
  for (int i = 0; i < 20000 && !__atomic_load_n(&status, __ATOMIC_SEQ_CST); ++i) usleep(1000);
  CHECK(status == (int)HSA_STATUS_ERROR_MEMORY_FAULT);
  // What comes later in that queue does not run; the other queue does not care.
  launch(bad, gpus[0], "add.kd", 0, 1, &args, sizeof args, never);
  launch(good, gpus[0], "add.kd", 0, 1, &args, sizeof args, done);
  finish(done);
  CHECK(!ends_within(never, 20000000) && *memory == 1 && fine == 0);
  OK(hsa_queue_destroy(bad));
  OK(hsa_queue_inactivate(good));
  OK(hsa_queue_destroy(good));
  CHECK(hsa_queue_destroy(good) == HSA_STATUS_ERROR_INVALID_QUEUE);
  OK(hsa_signal_destroy(never));
  OK(hsa_amd_memory_pool_free(memory));
}

static void times(void) {
  hsa_queue_t *queue = new_queue(gpus[0], NULL, NULL);
  unsigned *counter = device_memory(gpus[0], 4096);
  struct pointer_and_value add = {counter, 1};
  hsa_signal_t done[3];
  hsa_amd_profiling_dispatch_time_t last = {0, 0}, time;
  uint64_t frequency, now;
  OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency));
  CHECK(frequency > 0);
  for (int i = 0; i < 3; ++i) {
    done[i] = new_signal(1);
    launch(queue, gpus[0], "add.kd", BARRIER, 4, &add, sizeof add, done[i]);
  }
  for (int i = 0; i < 3; ++i) {
    CHECK(ends_within(done[i], 20000000000));
    OK(hsa_amd_profiling_get_dispatch_time(gpus[0], done[i], &time));
    CHECK(time.start <= time.end && last.end <= time.start);
    last = time;
    OK(hsa_signal_destroy(done[i]));
  }
  OK(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &now));
  CHECK(now >= last.end);
  OK(hsa_amd_profiling_convert_tick_to_system_domain(gpus[0], last.end, &now));
  CHECK(now > 0);
  OK(hsa_queue_destroy(queue));
  OK(hsa_amd_memory_pool_free(counter));
}

// From one agent's memory to the other's and back, each after a kernel and two signals.
static void copies(void) {
  enum { SIZE = 1 << 20 };
  hsa_queue_t *queue = new_queue(gpus[0], NULL, NULL);
  unsigned *first = device_memory(gpus[0], SIZE), *second = device_memory(gpus[1], SIZE);
  OK(hsa_amd_memory_fill(first, 0, SIZE / 4));
  OK(hsa_amd_memory_fill(second, 0xabababab, SIZE / 4));
  OK(hsa_amd_profiling_async_copy_enable(true));
  hsa_signal_t before[3] = {new_signal(1), new_signal(1), new_signal(1)}, there = new_signal(1), back = new_signal(1);
  OK(hsa_amd_memory_async_copy(second, gpus[1], first, gpus[0], SIZE, 3, before, there));
  OK(hsa_amd_memory_async_copy(first + 1024, gpus[0], second, gpus[1], 4096, 1, &there, back));
  CHECK(!ends_within(there, 2000000));
  struct pointer_and_value add = {first, 41};
  launch(queue, gpus[0], "add.kd", 0, 1, &add, sizeof add, before[0]);
  hsa_signal_store_screlease(before[1], 0);
  CHECK(!ends_within(there, 2000000));
  hsa_signal_store_screlease(before[2], 0);
  CHECK(ends_within(back, 20000000000));
  CHECK(second[0] == 41 && second[SIZE / 4 - 1] == 0 && first[1024] == 41);
  hsa_amd_profiling_async_copy_time_t one, two;
  OK(hsa_amd_profiling_get_async_copy_time(there, &one));
  OK(hsa_amd_profiling_get_async_copy_time(back, &two));
  CHECK(one.start <= one.end && one.end <= two.start && two.start <= two.end);
  CHECK(hsa_amd_memory_async_copy(second, gpus[1], first, gpus[0], SIZE + 8192, 0, NULL, back) !=
        HSA_STATUS_SUCCESS);
  for (int i = 0; i < 3; ++i) OK(hsa_signal_destroy(before[i]));
  OK(hsa_signal_destroy(there));
  OK(hsa_signal_destroy(back));
  OK(hsa_queue_destroy(queue));
  OK(hsa_amd_memory_pool_free(first));
  OK(hsa_amd_memory_pool_free(second));
}

// Host memory that a kernel writes under the address the device has for it.
static void locked(void) {
  hsa_queue_t *queue = new_queue(gpus[0], NULL, NULL);
  unsigned *host = malloc(4 * 100 + 8), *device;
  unsigned *mine = host + 1;
  memset(host, 0, 4 * 100 + 8);
  OK(hsa_amd_memory_lock(mine, 400, gpus, 1, (void **)&device));
  hsa_signal_t done = new_signal(1);
  launch(queue, gpus[0], "from_table.kd", BARRIER, 1, &device, sizeof device, done);
  CHECK(ends_within(done, 20000000000));
  CHECK(host[0] == 0 && mine[0] == 1 && mine[63] == 4 && mine[64] == 0);
  hsa_signal_store_relaxed(done, 1);
  OK(hsa_amd_memory_async_copy(device + 64, gpus[0], device, gpus[0], 16, 0, NULL, done));
  CHECK(ends_within(done, 20000000000));
  CHECK(mine[64] == 1 && mine[67] == 4);
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  OK(hsa_amd_pointer_info(device + 3, &info, NULL, NULL, NULL));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_LOCKED && info.hostBaseAddress == mine && info.agentBaseAddress == device);
  OK(hsa_amd_memory_unlock(mine));
  OK(hsa_amd_pointer_info(device, &info, NULL, NULL, NULL));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);
  free(host);

  // A variable of the program, by its symbol.
  hsa_executable_symbol_t symbol;
  uint64_t address;
  uint32_t size, twelve = 12;
  OK(hsa_executable_get_symbol_by_name(executable, "table", &gpus[0], &symbol));
  OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS, &address));
  OK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE, &size));
  CHECK(size == 16);
  OK(hsa_memory_copy((void *)(address + 4), &twelve, 4));
  unsigned *out = device_memory(gpus[0], 4096);
  hsa_signal_store_relaxed(done, 1);
  launch(queue, gpus[0], "from_table.kd", BARRIER, 1, &out, sizeof out, done);
  finish(done);
  CHECK(out[0] == 1 && out[1] == 12 && out[5] == 12);
  OK(hsa_amd_memory_pool_free(out));
  OK(hsa_queue_destroy(queue));
}

// The other process: attaches the memory, has a kernel add to it, detaches.
static int guest(const char *hex) {
  hsa_amd_ipc_memory_t handle;
  for (unsigned i = 0; i < sizeof handle; ++i) {
    unsigned byte;
    CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1);
    ((unsigned char *)&handle)[i] = byte;
  }
  unsigned *memory;
  CHECK(hsa_amd_ipc_memory_attach(&handle, 1 << 20, 1, gpus, (void **)&memory) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  OK(hsa_amd_ipc_memory_attach(&handle, 8192, 1, gpus, (void **)&memory));
  CHECK(memory[0] == 30 && memory[2047] == 77);
  hsa_queue_t *queue = new_queue(gpus[0], NULL, NULL);
  hsa_signal_t done = new_signal(1);
  struct pointer_and_value add = {memory, 12};
  launch(queue, gpus[0], "add.kd", BARRIER, 1, &add, sizeof add, done);
  finish(done);
  OK(hsa_amd_ipc_memory_detach(memory));
  CHECK(hsa_amd_ipc_memory_detach(memory) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  OK(hsa_queue_destroy(queue));
  return 0;
}

static void processes(char **argv) {
  unsigned *memory = device_memory(gpus[0], 8192);
  memory[0] = 30, memory[2047] = 77;
  hsa_amd_ipc_memory_t handle;
  char command[4096] = "", *at = command;
  OK(hsa_amd_ipc_memory_create(memory, 8192, &handle));
  at += sprintf(at, "'%s' '%s' '%s' ", argv[0], argv[1], argv[2]);
  for (unsigned i = 0; i < sizeof handle; ++i) at += sprintf(at, "%02x", ((unsigned char *)&handle)[i]);
  CHECK(system(command) == 0);
  CHECK(memory[0] == 42);
  // In the process that made it, it stays where it is.
  unsigned *same;
  OK(hsa_amd_ipc_memory_attach(&handle, 8192, 1, gpus, (void **)&same));
  CHECK(same == memory);
  OK(hsa_amd_ipc_memory_detach(same));
  CHECK(memory[0] == 42);
  OK(hsa_amd_memory_pool_free(memory));
}

// Flags of a pool that the headers of 5.2 do not name yet: memory that no cache of the device keeps.
static hsa_status_t uncached_pool(hsa_amd_memory_pool_t pool, void *data) {
  uint32_t flags = 0;
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if (flags != 8) return HSA_STATUS_SUCCESS;
  *(hsa_amd_memory_pool_t *)data = pool;
  return HSA_STATUS_INFO_BREAK;
}

static void uncached(void) {
  hsa_amd_memory_pool_t pool;
  unsigned *memory;
  size_t size, granule;
  bool allowed;
  CHECK(hsa_amd_agent_iterate_memory_pools(gpus[0], uncached_pool, &pool) == HSA_STATUS_INFO_BREAK);
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed));
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &granule));
  CHECK(size > 1ull << 30 && allowed && granule == 4096);
  OK(hsa_amd_memory_pool_allocate(pool, 100, 0, (void **)&memory));
  // The host talks to a kernel that runs.
  hsa_queue_t *queue = new_queue(gpus[0], NULL, NULL);
  hsa_signal_t done = new_signal(1);
  struct two_pointers wait = {memory, memory + 1};
  launch(queue, gpus[0], "wait.kd", 0, 1, &wait, sizeof wait, done);
  CHECK(!ends_within(done, 1000000));
  __atomic_store_n(memory, 6, __ATOMIC_RELEASE);
  finish(done);
  CHECK(memory[1] == 6);
  OK(hsa_queue_destroy(queue));
  OK(hsa_amd_memory_pool_free(memory));
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void timeouts(void) {
  hsa_signal_t signal = new_signal(3);
  hsa_wait_state_t states[2] = {HSA_WAIT_STATE_BLOCKED, HSA_WAIT_STATE_ACTIVE};
  for (int i = 0; i < 2; ++i) {
    uint64_t begin = now();
    CHECK(hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_EQ, 0, 30000000, states[i]) == 3);
    CHECK(now() - begin >= 30000000);
    begin = now();
    CHECK(hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_EQ, 0, 0, states[i]) == 3);
    CHECK(hsa_signal_wait_relaxed(signal, HSA_SIGNAL_CONDITION_NE, 0, UINT64_MAX, states[i]) == 3);
  }
  OK(hsa_signal_destroy(signal));
}

// Addresses apart from bytes, newer than the headers: handles are numbers of 64 bits in a struct.
struct access {
  uint32_t permissions;
  hsa_agent_t agent;
};
static hsa_status_t (*reserve)(void **, size_t, uint64_t, uint64_t, uint64_t), (*unreserve)(void *, size_t),
    (*create)(hsa_amd_memory_pool_t, size_t, uint32_t, uint64_t, uint64_t *), (*release)(uint64_t),
    (*map)(void *, size_t, size_t, uint64_t, uint64_t), (*unmap)(void *, size_t),
    (*set_access)(void *, size_t, const struct access *, size_t), (*get_access)(void *, uint32_t *, hsa_agent_t),
    (*export)(int *, uint64_t, uint64_t), (*import)(int, uint64_t *), (*retain)(uint64_t *, void *),
    (*properties)(uint64_t, hsa_amd_memory_pool_t *, uint32_t *);

static void vmem_fault(hsa_status_t status, hsa_queue_t *queue, void *data) {
  (void)queue;
  __atomic_store_n((hsa_status_t *)data, status, __ATOMIC_RELEASE);
}

static void virtual_memory(void) {
  struct {
    const char *name;
    void *function;
  } all[] = {
      {"address_reserve_align", &reserve}, {"address_free", &unreserve}, {"handle_create", &create},
      {"handle_release", &release},        {"map", &map},                {"unmap", &unmap},
      {"set_access", &set_access},         {"get_access", &get_access},  {"export_shareable_handle", &export},
      {"import_shareable_handle", &import}, {"retain_alloc_handle", &retain},
      {"get_alloc_properties_from_handle", &properties},
  };
  for (unsigned i = 0; i < sizeof all / sizeof all[0]; ++i) {
    char name[80];
    snprintf(name, sizeof name, "hsa_amd_vmem_%s", all[i].name);
    *(void **)all[i].function = dlsym(RTLD_DEFAULT, name);
    CHECK(*(void **)all[i].function);
  }
  bool supported = false;
  OK(hsa_system_get_info((hsa_system_info_t)0x205, &supported));
  CHECK(supported);
  const size_t piece = 2 << 20;
  char *range;
  hsa_amd_memory_pool_t pool, of;
  CHECK(hsa_amd_agent_iterate_memory_pools(gpus[0], coarse_pool, &pool) == HSA_STATUS_INFO_BREAK);
  OK(reserve((void **)&range, 4 * piece, 0, piece, 0));
  CHECK((uintptr_t)range % piece == 0);
  uint64_t one, two, same;
  uint32_t kind, permissions;
  OK(create(pool, piece, 0, 0, &one));
  OK(create(pool, piece, 1, 0, &two));
  CHECK(create(pool, 100, 0, 0, &same) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  OK(properties(two, &of, &kind));
  CHECK(of.handle == pool.handle && kind == 1);
  OK(map(range, piece, 0, one, 0));
  OK(map(range + piece, piece, 0, two, 0));
  CHECK(map(range + piece, piece, 0, two, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(map(range + 4 * piece, piece, 0, two, 0) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(get_access(range, &permissions, gpus[0]) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  CHECK(hsa_amd_memory_pool_free(range) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  // Nobody may touch it before access is set.
  hsa_status_t status = HSA_STATUS_SUCCESS;
  hsa_queue_t *refused = new_queue(gpus[0], vmem_fault, &status);
  struct pointer_and_value add = {range, 5};
  launch(refused, gpus[0], "add.kd", BARRIER, 1, &add, sizeof add, new_signal(1));
  for (int i = 0; i < 20000 && __atomic_load_n(&status, __ATOMIC_ACQUIRE) == HSA_STATUS_SUCCESS; ++i) usleep(1000);
  CHECK(status != HSA_STATUS_SUCCESS);
  OK(hsa_queue_destroy(refused));
  // Both pieces at once; kernels and copies go across the seam.
  struct access rights[2] = {{3, gpus[0]}, {1, gpus[1]}};
  OK(set_access(range, 2 * piece, rights, 2));
  OK(get_access(range + piece + 64, &permissions, gpus[1]));
  CHECK(permissions == 1);
  hsa_queue_t *queue = new_queue(gpus[0], NULL, NULL);
  hsa_signal_t done = new_signal(1);
  add.pointer = range + piece - 4;
  launch(queue, gpus[0], "add.kd", BARRIER, 1, &add, sizeof add, done);
  finish(done);
  done = new_signal(1);
  add.pointer = range + piece;
  launch(queue, gpus[0], "add.kd", BARRIER, 1, &add, sizeof add, done);
  finish(done);
  unsigned both[2] = {0, 0}, more[2] = {11, 12};
  OK(hsa_memory_copy(both, range + piece - 4, 8));
  CHECK(both[0] == 5 && both[1] == 5);
  OK(hsa_memory_copy(range + piece - 4, more, 8));
  CHECK(*(unsigned *)(range + piece) == 12);
  CHECK(hsa_memory_copy(range + 2 * piece - 4, more, 8) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  // The same bytes at a second place, through a descriptor and through the handle of what is mapped.
  int descriptor;
  OK(export(&descriptor, two, 0));
  OK(import(descriptor, &same));
  CHECK(close(descriptor) == 0);
  OK(map(range + 3 * piece, piece, 0, same, 0));
  CHECK(*(unsigned *)(range + 3 * piece) == 12);
  OK(release(same));
  OK(retain(&same, range + 4));
  CHECK(same == one);
  OK(release(same));
  OK(release(one));
  CHECK(release(one) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  OK(release(two));
  // What is mapped outlives its handle, and the range what is mapped.
  CHECK(*(unsigned *)(range + piece - 4) == 11);
  CHECK(unreserve(range, 4 * piece) == HSA_STATUS_ERROR_RESOURCE_FREE);
  CHECK(unmap(range, 3 * piece) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  OK(unmap(range, 2 * piece));
  OK(unmap(range + 3 * piece, piece));
  CHECK(unreserve(range, piece) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  OK(unreserve(range, 4 * piece));
  CHECK(unreserve(range, 4 * piece) == HSA_STATUS_ERROR_INVALID_ALLOCATION);
  OK(hsa_queue_destroy(queue));
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  OK(hsa_init());
  OK(hsa_iterate_agents(pick, NULL));
  CHECK(gpu_count == 2);
  OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
  for (int i = 0; i < 2; ++i) {
    FILE *file = fopen(argv[1 + i], "rb");
    CHECK(file);
    static char bytes[2][1 << 17];
    size_t size = fread(bytes[i], 1, sizeof bytes[i], file);
    fclose(file);
    hsa_code_object_reader_t reader;
    OK(hsa_code_object_reader_create_from_memory(bytes[i], size, &reader));
    OK(hsa_executable_load_agent_code_object(executable, gpus[i], reader, NULL, NULL));
    OK(hsa_code_object_reader_destroy(reader));
  }
  OK(hsa_executable_freeze(executable, NULL));
  if (argc == 4) return guest(argv[3]);
  timeouts();
  processes(argv);
  virtual_memory();
  uncached();
  dependencies();
  masks_and_priorities();
  faults();
  times();
  copies();
  locked();
  released();
  OK(hsa_executable_destroy(executable));
  OK(hsa_shut_down());
  printf("ok\n");
  return 0;
}
