// What runtimes of 2024 and later (HIP 6 and 7) ask of the library that Debian 12's headers do not declare yet: copies
// on engines, waits for all of several signals, a queue's agent, system events, the newest attributes of an agent.

#include "check.h"
#include <dlfcn.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define N 4096u

static hsa_agent_t cpu, gpu;
static hsa_amd_memory_pool_t host, device;

static hsa_status_t pick(hsa_agent_t agent, void *data) {
  (void)data;
  hsa_device_type_t type;
  OK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  *(type == HSA_DEVICE_TYPE_GPU ? &gpu : &cpu) = agent;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t pick_pool(hsa_amd_memory_pool_t pool, void *data) {
  hsa_amd_segment_t segment;
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
  hsa_amd_memory_pool_t *found = data;
  if (segment == HSA_AMD_SEGMENT_GLOBAL && !found->handle) *found = pool;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t (*symbol(const char *name))() {
  void *found = dlsym(RTLD_DEFAULT, name);
  if (!found) printf("%s is missing\n", name);
  CHECK(found);
  hsa_status_t (*function)();
  memcpy(&function, &found, sizeof function);
  return function;
}

static hsa_signal_t signal_of(hsa_signal_value_t value) {
  hsa_signal_t signal;
  OK(hsa_signal_create(value, 0, NULL, &signal));
  return signal;
}

static void copies(void) {
  hsa_status_t (*status)(hsa_agent_t, hsa_agent_t, uint32_t *) =
      (hsa_status_t(*)(hsa_agent_t, hsa_agent_t, uint32_t *))symbol("hsa_amd_memory_copy_engine_status");
  hsa_status_t (*preferred)(hsa_agent_t, hsa_agent_t, uint32_t *) =
      (hsa_status_t(*)(hsa_agent_t, hsa_agent_t, uint32_t *))symbol("hsa_amd_memory_get_preferred_copy_engine");
  hsa_status_t (*copy)(void *, hsa_agent_t, const void *, hsa_agent_t, size_t, uint32_t, const hsa_signal_t *,
                       hsa_signal_t, uint32_t, bool) =
      (hsa_status_t(*)(void *, hsa_agent_t, const void *, hsa_agent_t, size_t, uint32_t, const hsa_signal_t *,
                       hsa_signal_t, uint32_t, bool))symbol("hsa_amd_memory_async_copy_on_engine");
  uint32_t to = 0, from = 0, best = 0;
  OK(status(gpu, cpu, &to));
  OK(status(cpu, gpu, &from));
  OK(preferred(cpu, gpu, &best));
  CHECK(to && from && (best & ~from) == 0);
  // Within an agent a kernel copies.
  CHECK(status(gpu, gpu, &to) == HSA_STATUS_ERROR_INVALID_AGENT);
  CHECK(status(gpu, cpu, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT);

  uint32_t *a, *b, *c;
  OK(hsa_amd_memory_pool_allocate(host, N, 0, (void **)&a));
  OK(hsa_amd_memory_pool_allocate(device, N, 0, (void **)&b));
  OK(hsa_amd_memory_pool_allocate(host, N, 0, (void **)&c));
  for (unsigned i = 0; i < N / 4; ++i) a[i] = i * 2654435761u, c[i] = 0;
  // The way back waits for the way there, which waits for the host.
  hsa_signal_t go = signal_of(1), there = signal_of(1), back = signal_of(1);
  OK(copy(c, cpu, b, gpu, N, 1, &there, back, from & -from, false));
  OK(copy(b, gpu, a, cpu, N, 1, &go, there, to & -to, true));
  CHECK(hsa_signal_load_relaxed(there) == 1 && c[1] == 0);
  CHECK(copy(b, gpu, a, cpu, N, 0, NULL, there, 0, false) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(copy(b, gpu, a, cpu, N, 0, NULL, there, 3, false) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  CHECK(copy(b, gpu, a, cpu, N, 0, NULL, there, 1u << 20, false) == HSA_STATUS_ERROR_INVALID_ARGUMENT);

  uint32_t (*wait_all)(uint32_t, hsa_signal_t *, hsa_signal_condition_t *, hsa_signal_value_t *, uint64_t,
                       hsa_wait_state_t, hsa_signal_value_t *) =
      (uint32_t(*)(uint32_t, hsa_signal_t *, hsa_signal_condition_t *, hsa_signal_value_t *, uint64_t,
                   hsa_wait_state_t, hsa_signal_value_t *))symbol("hsa_amd_signal_wait_all");
  hsa_signal_t both[3] = {there, back, {0}};
  hsa_signal_condition_t conditions[3] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_LT, HSA_SIGNAL_CONDITION_EQ};
  hsa_signal_value_t values[3] = {0, 1, 7}, seen[3] = {9, 9, 9};
  CHECK(wait_all(3, both, conditions, values, 1000, HSA_WAIT_STATE_BLOCKED, seen) == UINT32_MAX && seen[0] == 9);
  hsa_signal_store_screlease(go, 0);
  // No signal counts as 0 and as having met its condition.
  CHECK(wait_all(3, both, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, seen) == 0);
  CHECK(seen[0] == 0 && seen[1] == 0 && seen[2] == 0);
  CHECK(memcmp(a, c, N) == 0);
}

static void attributes(void) {
  // HSA_AMD_AGENT_INFO_*: NUM_XCC, SCRATCH_LIMIT_MAX and _CURRENT, CLOCK_COUNTERS.
  uint32_t dies = 0;
  uint64_t most = 0, current = 0, clocks[4] = {0};
  OK(hsa_agent_get_info(gpu, (hsa_agent_info_t)0xa111, &dies));
  OK(hsa_agent_get_info(gpu, (hsa_agent_info_t)0xa116, &most));
  OK(hsa_agent_get_info(gpu, (hsa_agent_info_t)0xa117, &current));
  OK(hsa_agent_get_info(gpu, (hsa_agent_info_t)0xa118, clocks));
  CHECK(dies == 8 && most > 0 && current <= most && clocks[0] > 0 && clocks[3] > 0);
}

// `hsa_amd_event_t` with the member of a memory fault.
typedef struct {
  uint32_t type;
  hsa_agent_t agent;
  uint64_t address;
  uint32_t reasons;
} Event;

static Event seen_event;
static uint32_t events;
static hsa_status_t queue_status;

static hsa_status_t on_event(const Event *event, void *data) {
  CHECK(data == &events);
  seen_event = *event;
  __atomic_add_fetch(&events, 1, __ATOMIC_RELEASE);
  return HSA_STATUS_SUCCESS;
}

static void on_queue(hsa_status_t status, hsa_queue_t *queue, void *data) {
  (void)queue;
  // The event came first.
  CHECK(__atomic_load_n(&events, __ATOMIC_ACQUIRE) == 1);
  queue_status = status;
  hsa_signal_store_screlease(*(hsa_signal_t *)data, 0);
}

// A kernel that reads through a pointer to nothing.
static void faults(const char *path) {
  hsa_status_t (*registers)(hsa_status_t(*)(const Event *, void *), void *) =
      (hsa_status_t(*)(hsa_status_t(*)(const Event *, void *), void *))symbol("hsa_amd_register_system_event_handler");
  CHECK(registers(NULL, NULL) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  OK(registers(on_event, &events));

  static char bytes[1 << 20];
  FILE *file = fopen(path, "rb");
  CHECK(file);
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  hsa_code_object_reader_t reader;
  OK(hsa_code_object_reader_create_from_memory(bytes, size, &reader));
  hsa_executable_t executable;
  OK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable));
  OK(hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL));
  OK(hsa_executable_freeze(executable, NULL));
  hsa_executable_symbol_t vadd;
  OK(hsa_executable_get_symbol_by_name(executable, "vadd.kd", &gpu, &vadd));
  uint64_t object;
  OK(hsa_executable_symbol_get_info(vadd, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object));

  struct {
    uint64_t a, b, c;
    uint32_t n;
  } *args;
  OK(hsa_amd_memory_pool_allocate(host, 4096, 0, (void **)&args));
  OK(hsa_amd_agents_allow_access(1, &gpu, NULL, args));
  args->a = 0x123456789000, args->b = args->c = args->a, args->n = 64;
  hsa_signal_t ended = signal_of(1);
  hsa_queue_t *queue;
  OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_SINGLE, on_queue, &ended, UINT32_MAX, UINT32_MAX, &queue));
  hsa_status_t (*queue_info)(hsa_queue_t *, int, void *) =
      (hsa_status_t(*)(hsa_queue_t *, int, void *))symbol("hsa_amd_queue_get_info");
  hsa_agent_t owner = {0};
  uint64_t doorbell;
  OK(queue_info(queue, 0, &owner));
  OK(queue_info(queue, 1, &doorbell));
  CHECK(owner.handle == gpu.handle && queue_info(queue, 2, &doorbell) == HSA_STATUS_ERROR_INVALID_ARGUMENT);

  hsa_kernel_dispatch_packet_t *packet = queue->base_address;
  memset((char *)packet + 4, 0, sizeof *packet - 4);
  packet->workgroup_size_x = 64, packet->workgroup_size_y = 1, packet->workgroup_size_z = 1;
  packet->grid_size_x = 64, packet->grid_size_y = 1, packet->grid_size_z = 1;
  packet->kernel_object = object, packet->kernarg_address = args;
  __atomic_store_n((uint32_t *)packet, HSA_PACKET_TYPE_KERNEL_DISPATCH | 1u << 16, __ATOMIC_RELEASE);
  hsa_queue_store_write_index_screlease(queue, 1);
  hsa_signal_store_screlease(queue->doorbell_signal, 0);
  CHECK(hsa_signal_wait_scacquire(ended, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 0);
  CHECK(queue_status == (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT);
  CHECK(seen_event.type == 0 && seen_event.agent.handle == gpu.handle && seen_event.reasons == 1);
  CHECK(seen_event.address == args->a);
  OK(hsa_queue_destroy(queue));
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  OK(hsa_init());
  OK(hsa_iterate_agents(pick, NULL));
  OK(hsa_amd_agent_iterate_memory_pools(cpu, pick_pool, &host));
  OK(hsa_amd_agent_iterate_memory_pools(gpu, pick_pool, &device));
  copies();
  attributes();
  faults(argv[1]);
  OK(hsa_shut_down());
  printf("ok\n");
  return 0;
}
