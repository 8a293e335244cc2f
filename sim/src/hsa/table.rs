//! The functions, put together.

use super::slots::Entry;
use super::{agents, code, copies, memory, queues, signals, slots};
use wavesmith_loader::hsa::Functions;

pub(super) fn functions(entry: Entry) -> Functions {
    Functions {
        hsa_init: entry.init,
        hsa_shut_down: entry.shut_down,
        hsa_iterate_agents: entry.iterate_agents,
        hsa_status_string: slots::status_string,
        hsa_system_get_info: agents::system_get_info,
        hsa_agent_get_info: agents::agent_get_info,
        hsa_agent_iterate_isas: agents::agent_iterate_isas,
        hsa_isa_get_info_alt: agents::isa_get_info_alt,
        hsa_amd_agent_iterate_memory_pools: memory::iterate_pools,
        hsa_amd_memory_pool_get_info: memory::pool_get_info,
        hsa_amd_agent_memory_pool_get_info: memory::agent_pool_get_info,
        hsa_amd_memory_pool_allocate: memory::pool_allocate,
        hsa_amd_memory_pool_free: memory::pool_free,
        hsa_amd_agents_allow_access: memory::agents_allow_access,
        hsa_memory_copy: copies::memory_copy,
        hsa_amd_memory_async_copy: copies::memory_async_copy,
        hsa_amd_memory_fill: copies::memory_fill,
        hsa_signal_create: signals::signal_create,
        hsa_signal_destroy: signals::signal_destroy,
        hsa_signal_load_scacquire: signals::signal_load,
        hsa_signal_store_screlease: signals::signal_store,
        hsa_signal_wait_scacquire: signals::signal_wait,
        hsa_queue_create: queues::queue_create,
        hsa_queue_destroy: queues::queue_destroy,
        hsa_queue_inactivate: queues::queue_inactivate,
        hsa_queue_add_write_index_screlease: queues::add_write_index,
        hsa_queue_load_read_index_scacquire: queues::load_read_index,
        hsa_code_object_reader_create_from_memory: code::reader_create,
        hsa_code_object_reader_destroy: code::reader_destroy,
        hsa_executable_create_alt: code::executable_create,
        hsa_executable_destroy: code::executable_destroy,
        hsa_executable_load_agent_code_object: code::load_agent_code_object,
        hsa_executable_agent_global_variable_define: code::agent_variable_define,
        hsa_executable_freeze: code::executable_freeze,
        hsa_executable_get_symbol_by_name: code::get_symbol_by_name,
        hsa_executable_symbol_get_info: code::symbol_get_info,
        hsa_amd_profiling_set_profiler_enabled: queues::set_profiler_enabled,
        hsa_amd_profiling_get_dispatch_time: queues::get_dispatch_time,
    }
}
