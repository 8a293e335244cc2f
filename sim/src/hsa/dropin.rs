//! The drop-in `libhsa-runtime64.so.1`: the functions under their C names, for programs that were linked with the real
//! library.
//!
//! Programs ask for the symbols in version `ROCR_1`. The compiler cannot give a symbol a version, but the assembler
//! can: each export is a jump in assembly whose name carries the version, to a Rust function with no exported name. A
//! version script (`rocr.map`, passed by the build script to the shared library alone) declares the version. So only
//! the shared library has these symbols; programs that link this crate see none of them.
//!
//! `WAVESMITH_SKU=mi300x,mi300x` picks the agents; one MI300X without it.

use super::process::PROCESS;
use super::{
    agents, code, copies, deprecated, events, extensions, handlers, ipc, isas, memory, pointers, queue_ops, queues,
    regions, set_error, signal_ops, signals, slots, vmem,
};
use parking_lot::Mutex;
use std::ffi::c_void;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use wavesmith_asm::Sku;
use wavesmith_loader::hsa::Status;
use wavesmith_loader::hsa::abi::{AgentCallback, AgentHandle};

/// Names the agents.
const VARIABLE: &str = "WAVESMITH_SKU";

fn parts() -> Result<Vec<&'static Sku>, String> {
    let text = match std::env::var(VARIABLE) {
        Ok(text) if !text.trim().is_empty() => text,
        Err(std::env::VarError::NotUnicode(_)) => return Err(format!("{VARIABLE} is no UTF-8")),
        _ => "mi300x".to_owned(),
    };
    text.split(',').map(|name| Sku::named(name.trim()).map_err(|e| format!("{VARIABLE}: {e}"))).collect()
}

fn entry() -> Result<slots::Entry, Status> {
    static ENTRY: OnceLock<Option<slots::Entry>> = OnceLock::new();
    let made = ENTRY.get_or_init(|| match parts() {
        Ok(skus) => {
            PROCESS.tells_faults.store(true, Ordering::Relaxed);
            Some(slots::entry(&skus, crate::engine::run))
        }
        Err(text) => {
            // The status cannot say it, and a C program has no other way to hear of it.
            eprintln!("libhsa-runtime64 (wavesmith): {text}");
            set_error(text);
            None
        }
    });
    made.ok_or(Status::ERROR)
}

unsafe extern "C" fn init() -> Status {
    match entry() {
        // SAFETY: takes nothing.
        Ok(entry) => unsafe { (entry.init)() },
        Err(status) => status,
    }
}

unsafe extern "C" fn shut_down() -> Status {
    match entry() {
        // SAFETY: takes nothing.
        Ok(entry) => unsafe { (entry.shut_down)() },
        Err(_) => Status::NOT_INITIALIZED,
    }
}

unsafe extern "C" fn iterate_agents(callback: AgentCallback, data: *mut c_void) -> Status {
    match entry() {
        // SAFETY: the caller passes a callback that takes its own data.
        Ok(entry) => unsafe { (entry.iterate_agents)(callback, data) },
        Err(_) => Status::NOT_INITIALIZED,
    }
}

/// Kernarg memory is coherent with or without: the type is kept only by who sets it.
unsafe extern "C" fn coherency_set(agent: AgentHandle, kind: u32) -> Status {
    match agents::AgentState::of(agent) {
        Ok(_) if kind <= 1 => Status::SUCCESS,
        Ok(_) => Status::INVALID_ARGUMENT,
        Err(status) => status,
    }
}

unsafe extern "C" fn coherency_get(agent: AgentHandle, kind: *mut u32) -> Status {
    match agents::AgentState::of(agent) {
        Ok(_) if !kind.is_null() => {
            // Coherent.
            // SAFETY: the caller passes a valid out pointer.
            unsafe { kind.write(0) };
            Status::SUCCESS
        }
        Ok(_) => Status::INVALID_ARGUMENT,
        Err(status) => status,
    }
}

/// A function that is there only to be told of: says its name on stderr the first time, and returns an error.
fn refuse(name: &'static str) -> Status {
    static TOLD: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let text = format!("{name} is not offered by the embedded device");
    let mut told = TOLD.lock();
    if !told.contains(&name) {
        told.push(name);
        eprintln!("libhsa-runtime64 (wavesmith): {text}");
    }
    set_error(text);
    Status::ERROR
}

/// Defines an exported name that jumps to a function.
macro_rules! export {
    ($name:ident, $function:path) => {
        std::arch::global_asm!(
            ".pushsection .text.hsa_exports,\"ax\",@progbits",
            concat!(".globl \"", stringify!($name), "@@ROCR_1\""),
            concat!(".type \"", stringify!($name), "@@ROCR_1\",@function"),
            concat!("\"", stringify!($name), "@@ROCR_1\":"),
            "jmp {function}",
            ".popsection",
            function = sym $function,
        );
    };
}

macro_rules! exports {
    ($($name:ident => $function:path;)*) => { $(export!($name, $function);)* };
}

/// Arguments do not matter: the C calling convention leaves them to the caller.
macro_rules! refused {
    ($($name:ident)*) => {
        mod refused {
            $(pub(super) unsafe extern "C" fn $name() -> super::Status {
                super::refuse(stringify!($name))
            })*
        }
        $(export!($name, refused::$name);)*
    };
}

exports! {
    hsa_init => init;
    hsa_shut_down => shut_down;
    hsa_status_string => slots::status_string;
    hsa_system_get_info => agents::system_get_info;
    hsa_extension_get_name => extensions::extension_get_name;
    hsa_system_extension_supported => extensions::system_supported;
    hsa_system_major_extension_supported => extensions::system_major_supported;
    hsa_system_get_extension_table => extensions::table;
    hsa_system_get_major_extension_table => extensions::major_table;
    hsa_agent_extension_supported => extensions::agent_supported;
    hsa_agent_major_extension_supported => extensions::agent_major_supported;

    hsa_iterate_agents => iterate_agents;
    hsa_agent_get_info => agents::agent_get_info;
    hsa_agent_get_exception_policies => isas::agent_exception_policies;
    hsa_agent_iterate_caches => isas::iterate_caches;
    hsa_cache_get_info => isas::cache_get_info;
    hsa_agent_iterate_isas => agents::agent_iterate_isas;
    hsa_isa_from_name => isas::isa_from_name;
    hsa_isa_get_info => isas::isa_get_info;
    hsa_isa_get_info_alt => agents::isa_get_info_alt;
    hsa_isa_get_exception_policies => isas::isa_exception_policies;
    hsa_isa_get_round_method => isas::isa_round_method;
    hsa_isa_iterate_wavefronts => isas::iterate_wavefronts;
    hsa_wavefront_get_info => isas::wavefront_get_info;
    hsa_isa_compatible => isas::isa_compatible;

    hsa_signal_create => signals::signal_create;
    hsa_signal_destroy => signals::signal_destroy;
    hsa_signal_load_scacquire => signals::signal_load;
    hsa_signal_load_relaxed => signals::signal_load;
    hsa_signal_load_acquire => signals::signal_load;
    hsa_signal_store_relaxed => signals::signal_store;
    hsa_signal_store_screlease => signals::signal_store;
    hsa_signal_store_release => signals::signal_store;
    hsa_signal_silent_store_relaxed => signal_ops::silent_store;
    hsa_signal_silent_store_screlease => signal_ops::silent_store;
    hsa_signal_exchange_scacq_screl => signal_ops::exchange;
    hsa_signal_exchange_acq_rel => signal_ops::exchange;
    hsa_signal_exchange_scacquire => signal_ops::exchange;
    hsa_signal_exchange_acquire => signal_ops::exchange;
    hsa_signal_exchange_relaxed => signal_ops::exchange;
    hsa_signal_exchange_screlease => signal_ops::exchange;
    hsa_signal_exchange_release => signal_ops::exchange;
    hsa_signal_cas_scacq_screl => signal_ops::cas;
    hsa_signal_cas_acq_rel => signal_ops::cas;
    hsa_signal_cas_scacquire => signal_ops::cas;
    hsa_signal_cas_acquire => signal_ops::cas;
    hsa_signal_cas_relaxed => signal_ops::cas;
    hsa_signal_cas_screlease => signal_ops::cas;
    hsa_signal_cas_release => signal_ops::cas;
    hsa_signal_add_scacq_screl => signal_ops::add;
    hsa_signal_add_acq_rel => signal_ops::add;
    hsa_signal_add_scacquire => signal_ops::add;
    hsa_signal_add_acquire => signal_ops::add;
    hsa_signal_add_relaxed => signal_ops::add;
    hsa_signal_add_screlease => signal_ops::add;
    hsa_signal_add_release => signal_ops::add;
    hsa_signal_subtract_scacq_screl => signal_ops::subtract;
    hsa_signal_subtract_acq_rel => signal_ops::subtract;
    hsa_signal_subtract_scacquire => signal_ops::subtract;
    hsa_signal_subtract_acquire => signal_ops::subtract;
    hsa_signal_subtract_relaxed => signal_ops::subtract;
    hsa_signal_subtract_screlease => signal_ops::subtract;
    hsa_signal_subtract_release => signal_ops::subtract;
    hsa_signal_and_scacq_screl => signal_ops::and;
    hsa_signal_and_acq_rel => signal_ops::and;
    hsa_signal_and_scacquire => signal_ops::and;
    hsa_signal_and_acquire => signal_ops::and;
    hsa_signal_and_relaxed => signal_ops::and;
    hsa_signal_and_screlease => signal_ops::and;
    hsa_signal_and_release => signal_ops::and;
    hsa_signal_or_scacq_screl => signal_ops::or;
    hsa_signal_or_acq_rel => signal_ops::or;
    hsa_signal_or_scacquire => signal_ops::or;
    hsa_signal_or_acquire => signal_ops::or;
    hsa_signal_or_relaxed => signal_ops::or;
    hsa_signal_or_screlease => signal_ops::or;
    hsa_signal_or_release => signal_ops::or;
    hsa_signal_xor_scacq_screl => signal_ops::xor;
    hsa_signal_xor_acq_rel => signal_ops::xor;
    hsa_signal_xor_scacquire => signal_ops::xor;
    hsa_signal_xor_acquire => signal_ops::xor;
    hsa_signal_xor_relaxed => signal_ops::xor;
    hsa_signal_xor_screlease => signal_ops::xor;
    hsa_signal_xor_release => signal_ops::xor;
    hsa_signal_wait_scacquire => signals::signal_wait;
    hsa_signal_wait_relaxed => signals::signal_wait;
    hsa_signal_wait_acquire => signals::signal_wait;
    hsa_signal_group_create => signal_ops::group_create;
    hsa_signal_group_destroy => signal_ops::group_destroy;
    hsa_signal_group_wait_any_scacquire => signal_ops::group_wait_any;
    hsa_signal_group_wait_any_relaxed => signal_ops::group_wait_any;
    hsa_amd_signal_create => signal_ops::create_with_attributes;
    hsa_amd_signal_value_pointer => signal_ops::value_pointer;
    hsa_amd_signal_wait_any => signal_ops::wait_any;
    hsa_amd_signal_wait_all => signal_ops::wait_all;
    hsa_amd_signal_async_handler => handlers::signal_async_handler;
    hsa_amd_async_function => handlers::async_function;
    hsa_amd_register_system_event_handler => events::register;

    hsa_queue_create => queues::queue_create;
    hsa_soft_queue_create => queue_ops::soft_queue_create;
    hsa_queue_destroy => queue_ops::queue_destroy;
    hsa_queue_inactivate => queue_ops::queue_inactivate;
    hsa_queue_load_read_index_acquire => queue_ops::load_read_index;
    hsa_queue_load_read_index_scacquire => queue_ops::load_read_index;
    hsa_queue_load_read_index_relaxed => queue_ops::load_read_index;
    hsa_queue_load_write_index_acquire => queue_ops::load_write_index;
    hsa_queue_load_write_index_scacquire => queue_ops::load_write_index;
    hsa_queue_load_write_index_relaxed => queue_ops::load_write_index;
    hsa_queue_store_write_index_relaxed => queue_ops::store_write_index;
    hsa_queue_store_write_index_release => queue_ops::store_write_index;
    hsa_queue_store_write_index_screlease => queue_ops::store_write_index;
    hsa_queue_cas_write_index_acq_rel => queue_ops::cas_write_index;
    hsa_queue_cas_write_index_scacq_screl => queue_ops::cas_write_index;
    hsa_queue_cas_write_index_acquire => queue_ops::cas_write_index;
    hsa_queue_cas_write_index_scacquire => queue_ops::cas_write_index;
    hsa_queue_cas_write_index_relaxed => queue_ops::cas_write_index;
    hsa_queue_cas_write_index_release => queue_ops::cas_write_index;
    hsa_queue_cas_write_index_screlease => queue_ops::cas_write_index;
    hsa_queue_add_write_index_acq_rel => queue_ops::add_write_index;
    hsa_queue_add_write_index_scacq_screl => queue_ops::add_write_index;
    hsa_queue_add_write_index_acquire => queue_ops::add_write_index;
    hsa_queue_add_write_index_scacquire => queue_ops::add_write_index;
    hsa_queue_add_write_index_relaxed => queue_ops::add_write_index;
    hsa_queue_add_write_index_release => queue_ops::add_write_index;
    hsa_queue_add_write_index_screlease => queue_ops::add_write_index;
    hsa_queue_store_read_index_relaxed => queue_ops::store_read_index;
    hsa_queue_store_read_index_release => queue_ops::store_read_index;
    hsa_queue_store_read_index_screlease => queue_ops::store_read_index;
    hsa_amd_queue_cu_set_mask => queue_ops::set_cu_mask;
    hsa_amd_queue_cu_get_mask => queue_ops::get_cu_mask;
    hsa_amd_queue_set_priority => queue_ops::set_priority;
    hsa_amd_queue_get_info => queue_ops::queue_get_info;
    hsa_amd_profiling_set_profiler_enabled => queues::set_profiler_enabled;
    hsa_amd_profiling_get_dispatch_time => queues::get_dispatch_time;

    hsa_agent_iterate_regions => regions::iterate;
    hsa_region_get_info => regions::get_info;
    hsa_memory_allocate => regions::allocate;
    hsa_memory_free => memory::pool_free;
    hsa_memory_copy => copies::memory_copy;
    hsa_memory_assign_agent => regions::assign_agent;
    hsa_memory_register => pointers::register;
    hsa_memory_deregister => pointers::deregister;
    hsa_amd_agent_iterate_memory_pools => memory::iterate_pools;
    hsa_amd_memory_pool_get_info => memory::pool_get_info;
    hsa_amd_agent_memory_pool_get_info => memory::agent_pool_get_info;
    hsa_amd_memory_pool_allocate => memory::pool_allocate;
    hsa_amd_memory_pool_free => memory::pool_free;
    hsa_amd_memory_pool_can_migrate => memory::pool_can_migrate;
    hsa_amd_memory_migrate => memory::migrate;
    hsa_amd_agents_allow_access => memory::agents_allow_access;
    hsa_amd_memory_lock => pointers::memory_lock;
    hsa_amd_memory_lock_to_pool => pointers::memory_lock_to_pool;
    hsa_amd_memory_unlock => pointers::memory_unlock;
    hsa_amd_memory_fill => copies::memory_fill;
    hsa_amd_memory_async_copy => copies::memory_async_copy;
    hsa_amd_memory_async_copy_on_engine => copies::memory_async_copy_on_engine;
    hsa_amd_memory_copy_engine_status => copies::engine_status;
    hsa_amd_memory_get_preferred_copy_engine => copies::engine_status;
    hsa_amd_memory_async_copy_rect => copies::memory_async_copy_rect;
    hsa_amd_profiling_async_copy_enable => copies::profiling_enable;
    hsa_amd_profiling_get_async_copy_time => copies::copy_time;
    hsa_amd_profiling_convert_tick_to_system_domain => copies::convert_tick;
    hsa_amd_pointer_info => pointers::pointer_info;
    hsa_amd_pointer_info_set_userdata => pointers::set_user_data;
    hsa_amd_register_deallocation_callback => pointers::register_deallocation;
    hsa_amd_deregister_deallocation_callback => pointers::deregister_deallocation;
    hsa_amd_ipc_memory_create => ipc::create;
    hsa_amd_ipc_memory_attach => ipc::attach;
    hsa_amd_ipc_memory_detach => ipc::detach;
    hsa_amd_vmem_address_reserve => vmem::reserve;
    hsa_amd_vmem_address_reserve_align => vmem::reserve_align;
    hsa_amd_vmem_address_free => vmem::free;
    hsa_amd_vmem_handle_create => vmem::create;
    hsa_amd_vmem_handle_release => vmem::release;
    hsa_amd_vmem_map => vmem::map;
    hsa_amd_vmem_unmap => vmem::unmap;
    hsa_amd_vmem_set_access => vmem::set_access;
    hsa_amd_vmem_get_access => vmem::get_access;
    hsa_amd_vmem_export_shareable_handle => vmem::export;
    hsa_amd_vmem_import_shareable_handle => vmem::import;
    hsa_amd_vmem_retain_alloc_handle => vmem::retain;
    hsa_amd_vmem_get_alloc_properties_from_handle => vmem::properties;
    hsa_amd_coherency_get_type => coherency_get;
    hsa_amd_coherency_set_type => coherency_set;

    hsa_code_object_reader_create_from_file => code::reader_create_from_file;
    hsa_code_object_reader_create_from_memory => code::reader_create;
    hsa_code_object_reader_destroy => code::reader_destroy;
    hsa_executable_create => code::executable_create_in_state;
    hsa_executable_create_alt => code::executable_create;
    hsa_executable_destroy => code::executable_destroy;
    hsa_executable_load_program_code_object => code::load_program_code_object;
    hsa_executable_load_agent_code_object => code::load_agent_code_object;
    hsa_executable_freeze => code::executable_freeze;
    hsa_executable_get_info => code::executable_get_info;
    hsa_executable_global_variable_define => code::variable_define;
    hsa_executable_agent_global_variable_define => code::agent_variable_define;
    hsa_executable_readonly_variable_define => code::agent_variable_define;
    hsa_executable_validate => code::validate;
    hsa_executable_validate_alt => code::validate_alt;
    hsa_executable_get_symbol => code::get_symbol;
    hsa_executable_get_symbol_by_name => code::get_symbol_by_name;
    hsa_executable_symbol_get_info => code::symbol_get_info;
    hsa_executable_iterate_symbols => code::iterate_symbols;
    hsa_executable_iterate_agent_symbols => code::iterate_agent_symbols;
    hsa_executable_iterate_program_symbols => code::iterate_program_symbols;
    hsa_code_object_serialize => deprecated::serialize;
    hsa_code_object_deserialize => deprecated::deserialize;
    hsa_code_object_destroy => deprecated::destroy;
    hsa_code_object_get_info => deprecated::get_info;
    hsa_code_object_get_symbol => deprecated::get_symbol;
    hsa_code_object_get_symbol_from_name => deprecated::get_symbol_from_name;
    hsa_code_object_iterate_symbols => deprecated::iterate_symbols;
    hsa_code_symbol_get_info => deprecated::symbol_get_info;
    hsa_executable_load_code_object => deprecated::load;
}

// Images, samplers, BRIG and shared virtual memory need hardware or tools that no embedded device has; the later names
// are newer than the 5.2 headers and listed so that a program that asks for them starts and is told.
refused! {
    hsa_amd_image_create hsa_amd_image_get_info_max_dim
    hsa_ext_image_get_capability hsa_ext_image_get_capability_with_layout hsa_ext_image_data_get_info
    hsa_ext_image_data_get_info_with_layout hsa_ext_image_create hsa_ext_image_create_with_layout
    hsa_ext_image_destroy hsa_ext_image_copy hsa_ext_image_import hsa_ext_image_export hsa_ext_image_clear
    hsa_ext_sampler_create hsa_ext_sampler_destroy
    hsa_ext_program_create hsa_ext_program_destroy hsa_ext_program_add_module hsa_ext_program_iterate_modules
    hsa_ext_program_get_info hsa_ext_program_finalize
    hsa_amd_interop_map_buffer hsa_amd_interop_unmap_buffer
    hsa_amd_ipc_signal_create hsa_amd_ipc_signal_attach
    hsa_amd_svm_attributes_set hsa_amd_svm_attributes_get hsa_amd_svm_prefetch_async
    hsa_ext_sampler_create_v2
    hsa_amd_agent_set_async_scratch_limit hsa_amd_enable_logging
    hsa_amd_portable_close_dmabuf hsa_amd_portable_export_dmabuf hsa_amd_portable_export_dmabuf_v2
    hsa_amd_ais_file_read hsa_amd_ais_file_write hsa_amd_spm_acquire hsa_amd_spm_release hsa_amd_spm_set_dest_buffer
    hsa_ven_amd_pcs_create hsa_ven_amd_pcs_create_from_id hsa_ven_amd_pcs_destroy hsa_ven_amd_pcs_flush
    hsa_ven_amd_pcs_iterate_configuration hsa_ven_amd_pcs_start hsa_ven_amd_pcs_stop
}
