// The parts of hsa.h and hsa_ext_amd.h that a vector addition does not touch. Prints "ok", or the line that failed.

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_image.h>
#include <hsa/hsa_ven_amd_loader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static hsa_agent_t gpu, cpu;

static hsa_status_t pick(hsa_agent_t agent, void *data) {
  hsa_device_type_t type;
  (void)data;
  OK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  *(type == HSA_DEVICE_TYPE_GPU ? &gpu : &cpu) = agent;
  return HSA_STATUS_SUCCESS;
}

static void signals(void) {
  hsa_signal_t a, b;
  OK(hsa_signal_create(5, 0, NULL, &a));
  OK(hsa_amd_signal_create(7, 0, NULL, 0, &b));
  CHECK(hsa_signal_exchange_scacq_screl(a, 6) == 5);
  CHECK(hsa_signal_cas_relaxed(a, 6, 9) == 6 && hsa_signal_cas_relaxed(a, 6, 1) == 9);
  hsa_signal_add_release(a, 3);
  hsa_signal_subtract_acquire(a, 2);
  hsa_signal_and_relaxed(a, 0xe);
  hsa_signal_or_acq_rel(a, 0x40);
  hsa_signal_xor_screlease(a, 0x2);
  // 9 + 3 - 2 is 10; 10 & 14 is 10; 10 | 64 is 74; 74 ^ 2 is 72.
  CHECK(hsa_signal_load_relaxed(a) == 72);
  hsa_signal_silent_store_relaxed(a, 1);
  CHECK(hsa_signal_wait_relaxed(a, HSA_SIGNAL_CONDITION_EQ, 1, UINT64_MAX, HSA_WAIT_STATE_ACTIVE) == 1);
  // A timeout ends a wait for what never comes.
  CHECK(hsa_signal_wait_acquire(a, HSA_SIGNAL_CONDITION_EQ, 2, 1000000, HSA_WAIT_STATE_BLOCKED) == 1);
  volatile hsa_signal_value_t *value;
  OK(hsa_amd_signal_value_pointer(a, &value));
  CHECK(*value == 1);

  hsa_signal_t both[2] = {a, b};
  hsa_signal_condition_t conditions[2] = {HSA_SIGNAL_CONDITION_GTE, HSA_SIGNAL_CONDITION_EQ};
  hsa_signal_value_t values[2] = {100, 7}, seen = 0;
  hsa_signal_group_t group;
  OK(hsa_signal_group_create(2, both, 0, NULL, &group));
  hsa_signal_t which;
  OK(hsa_signal_group_wait_any_scacquire(group, conditions, values, HSA_WAIT_STATE_BLOCKED, &which, &seen));
  CHECK(which.handle == b.handle && seen == 7);
  OK(hsa_signal_group_destroy(group));
  CHECK(hsa_signal_group_destroy(group) == HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP);
  CHECK(hsa_amd_signal_wait_any(2, both, conditions, values, UINT64_MAX, HSA_WAIT_STATE_BLOCKED, &seen) == 1);
  values[1] = 8;
  CHECK(hsa_amd_signal_wait_any(2, both, conditions, values, 1000000, HSA_WAIT_STATE_BLOCKED, &seen) == UINT32_MAX);
  OK(hsa_signal_destroy(a));
  OK(hsa_signal_destroy(b));
  CHECK(hsa_signal_destroy(b) == HSA_STATUS_ERROR_INVALID_SIGNAL);
}

static bool counted(hsa_signal_value_t value, void *argument) {
  __atomic_fetch_add((int *)argument, (int)value, __ATOMIC_SEQ_CST);
  // Once more after this time, then no more.
  return value == 0 ? true : false;
}

static void called(void *argument) { hsa_signal_subtract_screlease(*(hsa_signal_t *)argument, 1); }

static void callbacks(void) {
  hsa_signal_t watched, done;
  int sum = 0;
  OK(hsa_signal_create(0, 0, NULL, &watched));
  OK(hsa_signal_create(1, 0, NULL, &done));
  OK(hsa_amd_signal_async_handler(watched, HSA_SIGNAL_CONDITION_EQ, 10, counted, &sum));
  OK(hsa_amd_async_function(called, &done));
  CHECK(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, 2000000000, HSA_WAIT_STATE_BLOCKED) == 0);
  CHECK(__atomic_load_n(&sum, __ATOMIC_SEQ_CST) == 0);
  hsa_signal_store_relaxed(watched, 10);
  for (int i = 0; i < 2000 && __atomic_load_n(&sum, __ATOMIC_SEQ_CST) == 0; ++i) usleep(1000);
  CHECK(__atomic_load_n(&sum, __ATOMIC_SEQ_CST) == 10);
  OK(hsa_signal_destroy(watched));
  OK(hsa_signal_destroy(done));
}

static hsa_status_t count(hsa_isa_t isa, void *data) {
  (void)isa;
  ++*(int *)data;
  return HSA_STATUS_SUCCESS;
}
static hsa_status_t keep_wavefront(hsa_wavefront_t wavefront, void *data) {
  *(hsa_wavefront_t *)data = wavefront;
  return HSA_STATUS_SUCCESS;
}
static hsa_status_t keep_cache(hsa_cache_t cache, void *data) {
  *(hsa_cache_t *)data = cache;
  return HSA_STATUS_INFO_BREAK;
}

static void isas(void) {
  int isas = 0;
  OK(hsa_agent_iterate_isas(gpu, count, &isas));
  CHECK(isas == 1);
  hsa_isa_t isa, again;
  OK(hsa_agent_get_info(gpu, HSA_AGENT_INFO_ISA, &isa));
  uint32_t length, index = 1;
  char name[128];
  OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
  CHECK(length < sizeof name);
  OK(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name));
  OK(hsa_isa_from_name(name, &again));
  bool same = false;
  OK(hsa_isa_compatible(isa, again, &same));
  CHECK(same);
  CHECK(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx1100", &again) == HSA_STATUS_ERROR_INVALID_ISA_NAME);
  CHECK(hsa_isa_get_info(isa, HSA_ISA_INFO_NAME_LENGTH, index, &length) == HSA_STATUS_ERROR_INVALID_INDEX);
  hsa_wavefront_t wavefront;
  OK(hsa_isa_iterate_wavefronts(isa, keep_wavefront, &wavefront));
  uint32_t lanes = 0;
  OK(hsa_wavefront_get_info(wavefront, HSA_WAVEFRONT_INFO_SIZE, &lanes));
  CHECK(lanes == 64);
  hsa_round_method_t method;
  OK(hsa_isa_get_round_method(isa, HSA_FP_TYPE_32, HSA_FLUSH_MODE_NON_FTZ, &method));
  CHECK(method == HSA_ROUND_METHOD_SINGLE);
  uint16_t mask = 1;
  OK(hsa_isa_get_exception_policies(isa, HSA_PROFILE_BASE, &mask));
  OK(hsa_agent_get_exception_policies(gpu, HSA_PROFILE_BASE, &mask));
  CHECK(mask == 0);
  hsa_cache_t cache;
  CHECK(hsa_agent_iterate_caches(gpu, keep_cache, &cache) == HSA_STATUS_INFO_BREAK);
  uint8_t level = 0;
  uint32_t bytes = 0;
  OK(hsa_cache_get_info(cache, HSA_CACHE_INFO_LEVEL, &level));
  OK(hsa_cache_get_info(cache, HSA_CACHE_INFO_SIZE, &bytes));
  CHECK(level == 1 && bytes >= 16 << 10);
}

static void extensions(void) {
  const char *name;
  bool offered = false;
  uint16_t minor = 0;
  OK(hsa_system_get_info(HSA_AMD_SYSTEM_INFO_BUILD_VERSION, &name));
  CHECK(strncmp(name, "wavesmith", 9) == 0);
  OK(hsa_extension_get_name(HSA_EXTENSION_IMAGES, &name));
  CHECK(strcmp(name, "HSA_EXTENSION_IMAGES") == 0);
  OK(hsa_system_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, 0, &offered));
  CHECK(offered);
  OK(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, &minor, &offered));
  CHECK(offered && minor == 3);
  OK(hsa_agent_extension_supported(HSA_EXTENSION_IMAGES, gpu, 1, 0, &offered));
  CHECK(!offered);
  hsa_ven_amd_loader_1_03_pfn_t table;
  OK(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof table, &table));
  size_t segments = 99;
  OK(table.hsa_ven_amd_loader_query_segment_descriptors(NULL, &segments));
  CHECK(segments == 0);
  CHECK(hsa_system_get_extension_table(HSA_EXTENSION_IMAGES, 1, 0, &table) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static hsa_status_t first_coarse(hsa_amd_memory_pool_t pool, void *data) {
  hsa_amd_segment_t segment;
  uint32_t flags = 0;
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
  if (segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
  OK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if (!(flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED)) return HSA_STATUS_SUCCESS;
  *(hsa_amd_memory_pool_t *)data = pool;
  return HSA_STATUS_INFO_BREAK;
}

static void freed(void *pointer, void *data) { *(void **)data = pointer; }

static void memory(void) {
  hsa_amd_memory_pool_t pool = {0};
  CHECK(hsa_amd_agent_iterate_memory_pools(gpu, first_coarse, &pool) == HSA_STATUS_INFO_BREAK);
  char *device, *locked, *host = malloc(4096);
  OK(hsa_amd_memory_pool_allocate(pool, 4096, 0, (void **)&device));
  OK(hsa_amd_memory_lock(host, 4096, &gpu, 1, (void **)&locked));
  hsa_amd_pointer_info_t info = {.size = sizeof info};
  uint32_t agents = 0;
  hsa_agent_t *accessible = NULL;
  OK(hsa_amd_pointer_info(locked + 100, &info, malloc, &agents, &accessible));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_LOCKED && info.sizeInBytes == 4096 && info.hostBaseAddress == host);
  CHECK(agents == 2);
  free(accessible);
  OK(hsa_amd_pointer_info_set_userdata(device, host));
  OK(hsa_amd_pointer_info(device, &info, NULL, NULL, NULL));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_HSA && info.agentOwner.handle == gpu.handle && info.userData == host);
  int local;
  OK(hsa_amd_pointer_info(&local, &info, NULL, NULL, NULL));
  CHECK(info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);

  // A rectangle of 4 rows of 8 bytes, from rows 16 apart to rows 32 apart.
  for (int i = 0; i < 4096; ++i) host[i] = (char)(i * 7);
  memset(device, 0, 4096);
  hsa_pitched_ptr_t to = {device, 32, 0}, from = {locked, 16, 0};
  hsa_dim3_t at = {4, 1, 0}, start = {0, 2, 0}, range = {8, 4, 1};
  hsa_signal_t done;
  OK(hsa_signal_create(1, 0, NULL, &done));
  OK(hsa_amd_profiling_async_copy_enable(true));
  OK(hsa_amd_memory_async_copy_rect(&to, &at, &from, &start, &range, gpu, hsaHostToDevice, 0, NULL, done));
  CHECK(hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED) == 0);
  for (int y = 0; y < 4; ++y) CHECK(memcmp(device + (1 + y) * 32 + 4, host + (2 + y) * 16, 8) == 0);
  CHECK(device[32 + 3] == 0 && device[32 + 12] == 0);
  hsa_amd_profiling_async_copy_time_t time;
  OK(hsa_amd_profiling_get_async_copy_time(done, &time));
  CHECK(time.end >= time.start && time.start > 0);
  range.y = 1000;
  CHECK(hsa_amd_memory_async_copy_rect(&to, &at, &from, &start, &range, gpu, hsaHostToDevice, 0, NULL, done) ==
        HSA_STATUS_ERROR_INVALID_ARGUMENT);
  OK(hsa_signal_destroy(done));

  hsa_amd_ipc_memory_t handle;
  void *attached = NULL;
  OK(hsa_amd_ipc_memory_create(device, 4096, &handle));
  OK(hsa_amd_ipc_memory_attach(&handle, 4096, 1, &gpu, &attached));
  CHECK(attached == device);
  OK(hsa_amd_ipc_memory_detach(attached));

  void *gone = NULL;
  OK(hsa_amd_register_deallocation_callback(device, freed, &gone));
  OK(hsa_amd_memory_pool_free(device));
  CHECK(gone == device);
  OK(hsa_amd_memory_unlock(host));
  CHECK(hsa_amd_memory_unlock(host) == HSA_STATUS_ERROR_INVALID_ARGUMENT);
  free(host);
}

static hsa_status_t first_region(hsa_region_t region, void *data) {
  *(hsa_region_t *)data = region;
  return HSA_STATUS_INFO_BREAK;
}

static void queues(void) {
  hsa_region_t region;
  CHECK(hsa_agent_iterate_regions(cpu, first_region, &region) == HSA_STATUS_INFO_BREAK);
  hsa_signal_t doorbell;
  OK(hsa_signal_create(-1, 0, NULL, &doorbell));
  hsa_queue_t *queue;
  OK(hsa_soft_queue_create(region, 64, HSA_QUEUE_TYPE_MULTI, HSA_QUEUE_FEATURE_AGENT_DISPATCH, doorbell, &queue));
  CHECK(hsa_queue_add_write_index_relaxed(queue, 2) == 0 && hsa_queue_load_write_index_scacquire(queue) == 2);
  CHECK(hsa_queue_cas_write_index_acq_rel(queue, 2, 5) == 2 && hsa_queue_cas_write_index_acq_rel(queue, 2, 6) == 5);
  hsa_queue_store_read_index_screlease(queue, 4);
  CHECK(hsa_queue_load_read_index_relaxed(queue) == 4);
  OK(hsa_queue_destroy(queue));
  CHECK(hsa_queue_destroy(queue) == HSA_STATUS_ERROR_INVALID_QUEUE);
  OK(hsa_signal_destroy(doorbell));

  OK(hsa_queue_create(gpu, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, UINT32_MAX, UINT32_MAX, &queue));
  OK(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH));
  uint32_t mask[2] = {0x0f0f0f0f, 1}, back[2] = {0, 0};
  OK(hsa_amd_queue_cu_set_mask(queue, 64, mask));
  OK(hsa_amd_queue_cu_get_mask(queue, 64, back));
  CHECK(memcmp(mask, back, sizeof mask) == 0);
  OK(hsa_queue_inactivate(queue));
  OK(hsa_queue_destroy(queue));
}

static hsa_status_t give(size_t size, hsa_callback_data_t data, void **address) {
  (void)data;
  *address = malloc(size);
  return HSA_STATUS_SUCCESS;
}
static hsa_status_t count_symbols(hsa_code_object_t object, hsa_code_symbol_t symbol, void *data) {
  (void)object, (void)symbol;
  ++*(int *)data;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t keep_loaded(hsa_executable_t executable, hsa_loaded_code_object_t loaded, void *data) {
  (void)executable;
  *(hsa_loaded_code_object_t *)data = loaded;
  return HSA_STATUS_SUCCESS;
}

// What a debugger asks of an executable with one code object.
static void loaded(hsa_executable_t executable, size_t file_size) {
  hsa_ven_amd_loader_1_03_pfn_t loader;
  OK(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader));
  hsa_ven_amd_loader_segment_descriptor_t segments[16];
  size_t count = 0;
  OK(loader.hsa_ven_amd_loader_query_segment_descriptors(NULL, &count));
  CHECK(count >= 2 && count <= 16);
  OK(loader.hsa_ven_amd_loader_query_segment_descriptors(segments, &count));
  CHECK(segments[0].agent.handle == gpu.handle && segments[0].executable.handle == executable.handle);
  CHECK(segments[0].code_object_storage_type == HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY);
  CHECK(segments[0].code_object_storage_size == file_size && segments[0].segment_size > 0);
  const char *elf = segments[0].code_object_storage_base;
  CHECK(memcmp(elf, "\177ELF", 4) == 0);
  CHECK(memcmp(segments[0].segment_base, elf + segments[0].code_object_storage_offset, 64) == 0);
  hsa_executable_t found;
  OK(loader.hsa_ven_amd_loader_query_executable(segments[1].segment_base, &found));
  CHECK(found.handle == executable.handle);
  const void *host;
  OK(loader.hsa_ven_amd_loader_query_host_address(segments[0].segment_base, &host));
  CHECK(memcmp(host, segments[0].segment_base, 64) == 0);

  hsa_loaded_code_object_t object = {0};
  OK(loader.hsa_ven_amd_loader_executable_iterate_loaded_code_objects(executable, keep_loaded, &object));
  uint64_t base = 0, size = 0;
  uint32_t length = 0;
  char uri[256] = {0}, want[256];
  OK(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_BASE, &base));
  OK(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_SIZE, &size));
  CHECK(base <= (uint64_t)segments[0].segment_base && size > 0);
  OK(loader.hsa_ven_amd_loader_loaded_code_object_get_info(
      object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI_LENGTH, &length));
  CHECK(length < sizeof uri);
  OK(loader.hsa_ven_amd_loader_loaded_code_object_get_info(object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_URI,
                                                           uri));
  snprintf(want, sizeof want, "memory://%d#offset=0x%llx&size=%zu", (int)getpid(), (unsigned long long)elf, file_size);
  CHECK(strcmp(uri, want) == 0);
}

// The interface of version 1.0, before readers.
static void deprecated(const char *path) {
  static char bytes[1 << 20];
  FILE *file = fopen(path, "rb");
  CHECK(file);
  size_t size = fread(bytes, 1, sizeof bytes, file), again = 0;
  fclose(file);
  hsa_code_object_t object;
  OK(hsa_code_object_deserialize(bytes, size, NULL, &object));
  void *copy;
  hsa_callback_data_t nothing = {0};
  OK(hsa_code_object_serialize(object, give, nothing, NULL, &copy, &again));
  CHECK(again == size && memcmp(copy, bytes, size) == 0);
  free(copy);
  int symbols = 0;
  OK(hsa_code_object_iterate_symbols(object, count_symbols, &symbols));
  CHECK(symbols >= 1);
  hsa_code_symbol_t symbol;
  OK(hsa_code_object_get_symbol(object, "vadd.kd", &symbol));
  uint32_t kernarg = 0;
  OK(hsa_code_symbol_get_info(symbol, HSA_CODE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernarg));
  CHECK(kernarg >= 28);
  hsa_executable_t executable;
  OK(hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_UNFROZEN, NULL, &executable));
  OK(hsa_executable_load_code_object(executable, gpu, object, NULL));
  OK(hsa_executable_freeze(executable, NULL));
  hsa_executable_state_t state;
  OK(hsa_executable_get_info(executable, HSA_EXECUTABLE_INFO_STATE, &state));
  CHECK(state == HSA_EXECUTABLE_STATE_FROZEN);
  hsa_executable_symbol_t found;
  OK(hsa_executable_get_symbol(executable, NULL, "vadd.kd", gpu, 0, &found));
  CHECK(hsa_executable_global_variable_define(executable, "x", bytes) == HSA_STATUS_ERROR_FROZEN_EXECUTABLE);
  loaded(executable, size);
  OK(hsa_executable_destroy(executable));
  OK(hsa_code_object_destroy(object));
}

int main(int argc, char **argv) {
  bool before;
  CHECK(hsa_system_extension_supported(HSA_EXTENSION_IMAGES, 1, 0, &before) == HSA_STATUS_ERROR_NOT_INITIALIZED);
  OK(hsa_init());
  OK(hsa_iterate_agents(pick, NULL));
  signals();
  callbacks();
  isas();
  extensions();
  memory();
  queues();
  CHECK(argc == 2);
  deprecated(argv[1]);
  // Not there, and told by name on stderr.
  hsa_ext_sampler_t sampler = {0};
  CHECK(hsa_ext_sampler_destroy(gpu, sampler) != HSA_STATUS_SUCCESS);
  OK(hsa_shut_down());
  CHECK(hsa_shut_down() == HSA_STATUS_ERROR_NOT_INITIALIZED);
  printf("ok\n");
  return 0;
}
