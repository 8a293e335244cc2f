// A vector addition as programs written against hsa.h do it: agents, regions, a code object from a file, a queue, one
// packet, a signal. Prints each agent's name and "right", or what failed.

#include <fcntl.h>
#include <hsa/hsa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 1000u

static void check(hsa_status_t status, const char *what) {
  if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK) return;
  const char *text = "unknown";
  hsa_status_string(status, &text);
  printf("%s: %s\n", what, text);
  exit(1);
}

typedef struct {
  hsa_agent_t agents[16];
  int count;
} Agents;

static hsa_status_t find_gpu(hsa_agent_t agent, void *data) {
  Agents *found = data;
  hsa_device_type_t type;
  check(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type), "device");
  if (type == HSA_DEVICE_TYPE_GPU && found->count < 16) found->agents[found->count++] = agent;
  return HSA_STATUS_SUCCESS;
}

typedef struct {
  hsa_region_t fine, kernarg, coarse;
} Regions;

static hsa_status_t find_regions(hsa_region_t region, void *data) {
  Regions *found = data;
  hsa_region_segment_t segment;
  uint32_t flags = 0;
  check(hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment), "segment");
  if (segment != HSA_REGION_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
  check(hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags), "flags");
  if (flags & HSA_REGION_GLOBAL_FLAG_KERNARG)
    found->kernarg = region;
  else if ((flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED) && !found->fine.handle)
    found->fine = region;
  else if (flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED)
    found->coarse = region;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t count_symbols(hsa_executable_t executable, hsa_agent_t agent, hsa_executable_symbol_t symbol,
                                  void *data) {
  (void)executable, (void)agent, (void)symbol;
  ++*(int *)data;
  return HSA_STATUS_SUCCESS;
}

static void run(hsa_agent_t agent, const char *file) {
  char name[64];
  check(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, name), "name");
  Regions regions = {{0}, {0}, {0}};
  check(hsa_agent_iterate_regions(agent, find_regions, &regions), "regions");

  hsa_code_object_reader_t reader;
  int fd = open(file, O_RDONLY);
  check(hsa_code_object_reader_create_from_file(fd, &reader), "reader");
  hsa_executable_t executable;
  check(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &executable),
        "executable");
  check(hsa_executable_load_agent_code_object(executable, agent, reader, NULL, NULL), "load");
  check(hsa_executable_freeze(executable, NULL), "freeze");
  uint32_t invalid = 1;
  check(hsa_executable_validate(executable, &invalid), "validate");
  int symbols = 0;
  check(hsa_executable_iterate_agent_symbols(executable, agent, count_symbols, &symbols), "symbols");
  if (invalid || symbols < 1) exit(3);
  hsa_executable_symbol_t symbol;
  check(hsa_executable_get_symbol_by_name(executable, "vadd.kd", &agent, &symbol), "symbol");
  uint64_t object;
  uint32_t kernarg_size, group_size, private_size;
  check(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object), "object");
  check(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernarg_size),
        "kernarg size");
  check(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &group_size),
        "group size");
  check(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &private_size),
        "private size");

  float *a, *b, *c, *device;
  check(hsa_memory_allocate(regions.fine, N * sizeof(float), (void **)&a), "allocate a");
  check(hsa_memory_allocate(regions.fine, N * sizeof(float), (void **)&b), "allocate b");
  check(hsa_memory_allocate(regions.coarse, N * sizeof(float), (void **)&device), "allocate c");
  c = malloc(N * sizeof(float));
  check(hsa_memory_register(c, N * sizeof(float)), "register");
  for (unsigned i = 0; i < N; ++i) a[i] = (float)i, b[i] = (float)(2 * i + 1);
  struct {
    float *a, *b, *c;
    uint32_t n;
  } *args;
  check(hsa_memory_allocate(regions.kernarg, kernarg_size, (void **)&args), "allocate arguments");
  memset(args, 0, kernarg_size);
  args->a = a, args->b = b, args->c = device, args->n = N;

  uint32_t size;
  check(hsa_agent_get_info(agent, HSA_AGENT_INFO_QUEUE_MIN_SIZE, &size), "queue size");
  hsa_queue_t *queue;
  check(hsa_queue_create(agent, size, HSA_QUEUE_TYPE_SINGLE, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue), "queue");
  hsa_signal_t done;
  check(hsa_signal_create(1, 0, NULL, &done), "signal");
  uint64_t index = hsa_queue_load_write_index_relaxed(queue);
  hsa_kernel_dispatch_packet_t *packet = (hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size;
  memset((char *)packet + 4, 0, sizeof *packet - 4);
  packet->workgroup_size_x = 256, packet->workgroup_size_y = 1, packet->workgroup_size_z = 1;
  packet->grid_size_x = 1024, packet->grid_size_y = 1, packet->grid_size_z = 1;
  packet->private_segment_size = private_size, packet->group_segment_size = group_size;
  packet->kernel_object = object, packet->kernarg_address = args, packet->completion_signal = done;
  uint32_t header = HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
                    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;
  __atomic_store_n((uint32_t *)packet, header | 1u << (16 + HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS),
                   __ATOMIC_RELEASE);
  hsa_queue_store_write_index_screlease(queue, index + 1);
  hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
  if (hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) != 0) exit(3);

  check(hsa_memory_copy(c, device, N * sizeof(float)), "copy");
  for (unsigned i = 0; i < N; ++i)
    if (c[i] != (float)(3 * i + 1)) {
      printf("%s: wrong at %u: %f\n", name, i, c[i]);
      exit(1);
    }
  printf("%s: right\n", name);

  check(hsa_signal_destroy(done), "destroy signal");
  check(hsa_queue_destroy(queue), "destroy queue");
  check(hsa_memory_deregister(c, N * sizeof(float)), "deregister");
  free(c);
  check(hsa_memory_free(args), "free arguments");
  check(hsa_memory_free(device), "free c");
  check(hsa_memory_free(b), "free b");
  check(hsa_memory_free(a), "free a");
  check(hsa_executable_destroy(executable), "destroy executable");
  check(hsa_code_object_reader_destroy(reader), "destroy reader");
}

int main(int argc, char **argv) {
  check(hsa_init(), "hsa_init");
  Agents gpus = {{{0}}, 0};
  check(hsa_iterate_agents(find_gpu, &gpus), "agents");
  if (gpus.count != argc - 1) {
    printf("%d agents, %d files\n", gpus.count, argc - 1);
    return 1;
  }
  for (int i = 0; i < gpus.count; ++i) run(gpus.agents[i], argv[i + 1]);
  check(hsa_shut_down(), "hsa_shut_down");
  return 0;
}
