// SPDX-License-Identifier: MIT
// Made by bindings/api/emit.py from api.json.
//! The C interface of libwend as it is. The crate `wend` is what programs use.
#![allow(non_camel_case_types)]
use std::os::raw::{c_char, c_void};
pub const WEND_AGENT_ARRIVED: i32 = 5;
pub const WEND_AGENT_ASIDE: i32 = 6;
pub const WEND_AGENT_AWAY: i32 = 7;
pub const WEND_AGENT_BLOCKED: i32 = 4;
pub const WEND_AGENT_EVENT_ARRIVED: i32 = 1;
pub const WEND_AGENT_EVENT_AWAY: i32 = 7;
pub const WEND_AGENT_EVENT_BACK: i32 = 8;
pub const WEND_AGENT_EVENT_CLEAR: i32 = 9;
pub const WEND_AGENT_EVENT_DISPLACED: i32 = 6;
pub const WEND_AGENT_EVENT_GAVE_UP: i32 = 4;
pub const WEND_AGENT_EVENT_LINK_AHEAD: i32 = 10;
pub const WEND_AGENT_EVENT_PARTIAL: i32 = 2;
pub const WEND_AGENT_EVENT_REPLACED: i32 = 5;
pub const WEND_AGENT_EVENT_REROUTED: i32 = 3;
pub const WEND_AGENT_GHOST: i32 = 1;
pub const WEND_AGENT_IDLE: i32 = 1;
pub const WEND_AGENT_NONE: i32 = 0;
pub const WEND_AGENT_PARKED: i32 = 4;
pub const WEND_AGENT_STEERED: i32 = 2;
pub const WEND_AGENT_WAITING: i32 = 2;
pub const WEND_AGENT_WALKING: i32 = 3;
pub const WEND_ANY_NODE: u64 = 4294967295;
pub const WEND_AS_BOX: i32 = 4;
pub const WEND_AS_COLUMN: i32 = 2;
pub const WEND_AS_CROWD: i32 = 0;
pub const WEND_AS_LINE: i32 = 1;
pub const WEND_AS_WEDGE: i32 = 3;
pub const WEND_BAD_ARGUMENT: i32 = -1;
pub const WEND_BAD_FORMAT: i32 = -8;
pub const WEND_BAND_ALL: i32 = -1;
pub const WEND_BAND_COUNT: i32 = 5;
pub const WEND_BLOCKED: i32 = -13;
pub const WEND_BODY_ASIDE: i32 = 4;
pub const WEND_BODY_AWAY: i32 = 5;
pub const WEND_BODY_GOES: i32 = 1;
pub const WEND_BODY_RESTS: i32 = 0;
pub const WEND_BODY_RETURNS: i32 = 3;
pub const WEND_BODY_UNITS: i32 = 16384;
pub const WEND_BODY_WAITS: i32 = 2;
pub const WEND_BUSY: i32 = -4;
pub const WEND_CHUNK_SIDE: i32 = 64;
pub const WEND_CLASS_BLOCKED: i32 = 0;
pub const WEND_CLASS_OPEN: i32 = 1;
pub const WEND_CLASS_STAIRS: i32 = 253;
pub const WEND_CLASS_SWAMP: i32 = 254;
pub const WEND_CLASS_WATER: i32 = 255;
pub const WEND_CLOSED: i32 = -7;
pub const WEND_CORNERS_ALWAYS: i32 = 2;
pub const WEND_CORNERS_NEVER: i32 = 0;
pub const WEND_CORNERS_ONE: i32 = 1;
pub const WEND_CROWD_CELL: i32 = 0;
pub const WEND_CROWD_FLEE: i32 = 2;
pub const WEND_CROWD_FOLLOW: i32 = 1;
pub const WEND_EMPTY: i32 = -12;
pub const WEND_ENGINE_ASTAR: i32 = 1;
pub const WEND_ENGINE_AUTO: i32 = 0;
pub const WEND_ENGINE_JUMP: i32 = 2;
pub const WEND_EVERYWHERE: i32 = -1;
pub const WEND_FAR_EFFORT: i32 = 10000;
pub const WEND_FAR_LARGE: i32 = -1;
pub const WEND_FAR_SIDE: i32 = 2048;
pub const WEND_FIELD_AWAY: i32 = 1;
pub const WEND_FIELD_FEAR_MAX_MILLI: i32 = 10000;
pub const WEND_FIELD_FEAR_MIN_MILLI: i32 = 1000;
pub const WEND_FIELD_MAX_COST: i32 = 2000000000;
pub const WEND_FIELD_MAX_GOALS: i32 = 65536;
pub const WEND_FIELD_TOWARD: i32 = 0;
pub const WEND_FORMAT_BAKED: i32 = 5;
pub const WEND_FORMAT_DIMACS: i32 = 4;
pub const WEND_FORMAT_GRID_TEXT: i32 = 1;
pub const WEND_FORMAT_MOVINGAI: i32 = 2;
pub const WEND_FORMAT_UNKNOWN: i32 = 0;
pub const WEND_FORMAT_VOXEL: i32 = 3;
pub const WEND_GENERAL_AGAIN: i32 = 8;
pub const WEND_GENERAL_COUNT: i32 = 10;
pub const WEND_GENERAL_ENGINE: i32 = 1;
pub const WEND_GENERAL_HEURISTIC: i32 = 2;
pub const WEND_GENERAL_KIND: i32 = 7;
pub const WEND_GENERAL_LAYERS: i32 = 9;
pub const WEND_GENERAL_NONE: i32 = 0;
pub const WEND_GENERAL_RULES: i32 = 5;
pub const WEND_GENERAL_START: i32 = 3;
pub const WEND_GENERAL_TABLES: i32 = 4;
pub const WEND_GENERAL_UNITS: i32 = 6;
pub const WEND_HEURISTIC_EUCLID: i32 = 2;
pub const WEND_HEURISTIC_EXACT: i32 = 0;
pub const WEND_HEURISTIC_MANHATTAN: i32 = 1;
pub const WEND_HEURISTIC_ZERO: i32 = 3;
pub const WEND_HEX_FLAT_EVEN: i32 = 3;
pub const WEND_HEX_FLAT_ODD: i32 = 2;
pub const WEND_HEX_POINTY_EVEN: i32 = 1;
pub const WEND_HEX_POINTY_ODD: i32 = 0;
pub const WEND_HISTOGRAM_BUCKETS: i32 = 496;
pub const WEND_HISTOGRAM_COUNT: i32 = 8;
pub const WEND_HISTOGRAM_EXPANSIONS: i32 = 2;
pub const WEND_HISTOGRAM_FRAME_EXPANSIONS: i32 = 4;
pub const WEND_HISTOGRAM_FRAME_US: i32 = 3;
pub const WEND_HISTOGRAM_LATENCY: i32 = 1;
pub const WEND_HISTOGRAM_STANDS: i32 = 7;
pub const WEND_HISTOGRAM_UPDATE_US: i32 = 6;
pub const WEND_HISTOGRAM_WAIT: i32 = 0;
pub const WEND_HISTOGRAM_WAITING: i32 = 5;
pub const WEND_IN_CALLBACK: i32 = -6;
pub const WEND_IN_USE: i32 = -11;
pub const WEND_IO: i32 = -9;
pub const WEND_KIND_GRAPH: i32 = 3;
pub const WEND_KIND_GRID: i32 = 1;
pub const WEND_KIND_VOXEL: i32 = 2;
pub const WEND_LANDMARK_EFFORT: i32 = 4096;
pub const WEND_LAND_ABSENT: i32 = 2;
pub const WEND_LAND_KNOWN: i32 = 1;
pub const WEND_LAND_LOADED: i32 = 0;
pub const WEND_LINK_SEAM: i32 = 0;
pub const WEND_LOG_ERROR: i32 = 1;
pub const WEND_LOG_INFO: i32 = 3;
pub const WEND_LOG_WARNING: i32 = 2;
pub const WEND_MAINTAIN_ALL: i32 = 15;
pub const WEND_MAINTAIN_FAR: i32 = 8;
pub const WEND_MAINTAIN_LANDMARKS: i32 = 4;
pub const WEND_MAINTAIN_PRUNE: i32 = 1;
pub const WEND_MAINTAIN_TABLES: i32 = 2;
pub const WEND_MAX_ACCEL_MILLI: i32 = 1000000;
pub const WEND_MAX_AGENTS: i32 = 1048576;
pub const WEND_MAX_ARENA_BYTES: u64 = 137438953472;
pub const WEND_MAX_BODY_SPEED_MILLI: i32 = 1000;
pub const WEND_MAX_CELLS: u64 = 4294967296;
pub const WEND_MAX_CHANGES: i32 = 512;
pub const WEND_MAX_CHANGES_EACH: i32 = 128;
pub const WEND_MAX_CLEARANCE: i32 = 16000;
pub const WEND_MAX_CLEARED_BOXES: i32 = 64;
pub const WEND_MAX_CLEARED_CELLS: i32 = 4096;
pub const WEND_MAX_COST: i32 = 1000000;
pub const WEND_MAX_CROWD_FIELDS: i32 = 16;
pub const WEND_MAX_DISC: i32 = 255;
pub const WEND_MAX_EDGES: u64 = 2147483648;
pub const WEND_MAX_ELAPSED_MILLI: i32 = 1000000;
pub const WEND_MAX_FAR_NODES: i32 = 1048576;
pub const WEND_MAX_GOALS: i32 = 64;
pub const WEND_MAX_HEADROOM: i32 = 16;
pub const WEND_MAX_HEAD_START: i32 = 255;
pub const WEND_MAX_JAM_PLACES: i32 = 16777216;
pub const WEND_MAX_JAM_WINDOW: i32 = 65536;
pub const WEND_MAX_LANDMARKS: i32 = 8;
pub const WEND_MAX_LAYERS: i32 = 64;
pub const WEND_MAX_LEVELS: i32 = 15;
pub const WEND_MAX_LINKS: i32 = 1048576;
pub const WEND_MAX_MAP_BYTES: u64 = 17179869184;
pub const WEND_MAX_MARCHES: i32 = 32;
pub const WEND_MAX_MARCHING: i32 = 1024;
pub const WEND_MAX_MARKS: i32 = 4096;
pub const WEND_MAX_MOVERS: i32 = 64;
pub const WEND_MAX_MOVER_SIZE: i32 = 16;
pub const WEND_MAX_NEAREST: i32 = 1024;
pub const WEND_MAX_NODES: i32 = 2147483647;
pub const WEND_MAX_OCCUPANTS: i32 = 255;
pub const WEND_MAX_POINT: i32 = 1073741000;
pub const WEND_MAX_PROFILES: i32 = 127;
pub const WEND_MAX_PROFILE_LAYERS: i32 = 8;
pub const WEND_MAX_RADIUS_MILLI: i32 = 499;
pub const WEND_MAX_REACH: i32 = 255;
pub const WEND_MAX_RECORDED_MAPS: i32 = 1024;
pub const WEND_MAX_ROUND: i32 = 1000000;
pub const WEND_MAX_SCEN_BYTES: i32 = 268435456;
pub const WEND_MAX_SHEETS: i32 = 4096;
pub const WEND_MAX_SIDE: i32 = 65536;
pub const WEND_MAX_SPACING: i32 = 64;
pub const WEND_MAX_SPEED_MILLI: i32 = 1000000;
pub const WEND_MAX_STEER_CELLS: i32 = 64;
pub const WEND_MAX_TURNING: i32 = 64000;
pub const WEND_MAX_TURNING_MILLI: i32 = 64000;
pub const WEND_MAX_TURN_DEGREES: i32 = 180;
pub const WEND_MAX_VERSIONS: i32 = 64;
pub const WEND_MAX_WAITED_FOR: i32 = 8;
pub const WEND_MAX_WANTED: i32 = 256;
pub const WEND_MAX_WITHIN: i32 = 31;
pub const WEND_MAX_WORKERS: i32 = 64;
pub const WEND_MIN_RADIUS_MILLI: i32 = 100;
pub const WEND_MIN_WRAPPED: i32 = 3;
pub const WEND_MODE_EXACT: i32 = 0;
pub const WEND_MODE_FAR: i32 = 2;
pub const WEND_MODE_NEAREST: i32 = 1;
pub const WEND_MOVER_DEFAULT: i32 = 0;
pub const WEND_NO_AGENT: u64 = 18446744073709551615;
pub const WEND_NO_LIMIT: u64 = 18446744073709551615;
pub const WEND_OCCUPIED_BLOCK: i32 = -1;
pub const WEND_OCCUPIED_IGNORE: i32 = 0;
pub const WEND_OK: i32 = 0;
pub const WEND_ON_STALE_DELIVER: i32 = 1;
pub const WEND_ON_STALE_RESTART: i32 = 0;
pub const WEND_OUT_OF_MEMORY: i32 = -3;
pub const WEND_OUT_OF_RANGE: i32 = -2;
pub const WEND_PAGE_NODES: i32 = 4096;
pub const WEND_PRESET_MMO: i32 = 3;
pub const WEND_PRESET_SERVER: i32 = 2;
pub const WEND_PRESET_SMALL: i32 = 1;
pub const WEND_PROFILE_NONE: i32 = 0;
pub const WEND_PROGRESS_FINISHED: i32 = 3;
pub const WEND_PROGRESS_RUNNING: i32 = 1;
pub const WEND_PROGRESS_SHARED: i32 = 2;
pub const WEND_PROGRESS_WAITING: i32 = 0;
pub const WEND_PRUNE_EFFORT: i32 = 1024;
pub const WEND_PULL_SEARCH: i32 = 2;
pub const WEND_PULL_UNITS: i32 = 1;
pub const WEND_REQUEST_FAR_BEGIN: i32 = 2;
pub const WEND_REQUEST_LEAVE_BLOCKED_START: i32 = 1;
pub const WEND_ROUND_ARC: i32 = 0;
pub const WEND_ROUND_SPLINE: i32 = 1;
pub const WEND_ROUTE_BACK: i32 = 2;
pub const WEND_ROUTE_LOOP: i32 = 1;
pub const WEND_ROUTE_ONCE: i32 = 0;
pub const WEND_STALE_TICKET: i32 = -5;
pub const WEND_STATUS_CANCELLED: i32 = 6;
pub const WEND_STATUS_COUNT: i32 = 14;
pub const WEND_STATUS_DISPLACED: i32 = 13;
pub const WEND_STATUS_EXPIRED: i32 = 7;
pub const WEND_STATUS_FOUND: i32 = 1;
pub const WEND_STATUS_GOAL_BLOCKED: i32 = 5;
pub const WEND_STATUS_LIMIT: i32 = 8;
pub const WEND_STATUS_NO_PATH: i32 = 3;
pub const WEND_STATUS_OUT_OF_NODES: i32 = 9;
pub const WEND_STATUS_PARTIAL: i32 = 2;
pub const WEND_STATUS_PENDING: i32 = 0;
pub const WEND_STATUS_REPLACED: i32 = 12;
pub const WEND_STATUS_STALE: i32 = 10;
pub const WEND_STATUS_START_BLOCKED: i32 = 4;
pub const WEND_STATUS_TOO_LONG: i32 = 11;
pub const WEND_UNLOADED_BLOCK: i32 = 0;
pub const WEND_UNLOADED_KNOWN: i32 = 2;
pub const WEND_UNLOADED_WAIT: i32 = 1;
pub const WEND_UNSUPPORTED: i32 = -10;
pub const WEND_URGENCY_MAX: i32 = 1000;
pub const WEND_URGENCY_MIN: i32 = -1000;
pub const WEND_VERSION_MAJOR: i32 = 1;
pub const WEND_VERSION_MINOR: i32 = 0;
pub const WEND_VERSION_PATCH: i32 = 0;
pub const WEND_WAIT_AGENT: i32 = 10;
pub const WEND_WAIT_BOX: i32 = 14;
pub const WEND_WAIT_FIELD: i32 = 5;
pub const WEND_WAIT_GROUP: i32 = 6;
pub const WEND_WAIT_LAND: i32 = 9;
pub const WEND_WAIT_NONE: i32 = 0;
pub const WEND_WAIT_PARKED: i32 = 12;
pub const WEND_WAIT_PLAYER: i32 = 11;
pub const WEND_WAIT_QUEUE: i32 = 2;
pub const WEND_WAIT_SEARCH: i32 = 1;
pub const WEND_WAIT_TARGET: i32 = 7;
pub const WEND_WAIT_TIME: i32 = 4;
pub const WEND_WAIT_UNIT: i32 = 13;
pub const WEND_WAIT_WAY: i32 = 8;
pub const WEND_WAIT_WINDOW: i32 = 15;
pub const WEND_WAIT_WORK: i32 = 3;
pub const WEND_WALK_ARRIVED: i32 = 1;
pub const WEND_WALK_BROKEN: i32 = 4;
pub const WEND_WALK_ON: i32 = 0;
pub const WEND_WALK_PARTIAL: i32 = 1;
pub const WEND_WALK_PATH_ENDED: i32 = 2;
pub const WEND_WALK_UNITS: i32 = 2;
pub const WEND_WALK_UNIT_AHEAD: i32 = 3;
pub const WEND_WANTED_FRAMES: i32 = 64;
pub const WEND_WEIGHT_MAX_MILLI: i32 = 100000;
pub const WEND_WHY_BLOCKED: i32 = 2;
pub const WEND_WHY_GONE: i32 = 4;
pub const WEND_WHY_LIMIT: i32 = 3;
pub const WEND_WHY_NONE: i32 = 0;
pub const WEND_WHY_NO_PATH: i32 = 1;
pub const WEND_WHY_STEPPING: i32 = 5;
pub const WEND_WORK_COUNT: i32 = 7;
pub const WEND_WORK_FIELD: i32 = 6;
pub const WEND_WORK_GENERAL_ASTAR: i32 = 5;
pub const WEND_WORK_GRAPH_ASTAR: i32 = 4;
pub const WEND_WORK_GRID_ASTAR: i32 = 0;
pub const WEND_WORK_GRID_JUMP: i32 = 1;
pub const WEND_WORK_STOP_JUMP: i32 = 2;
pub const WEND_WORK_VOXEL_ASTAR: i32 = 3;
pub const WEND_WRAP_X: i32 = 1;
pub const WEND_WRAP_Y: i32 = 2;
#[repr(C)]
pub struct wend_map {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_edit {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_service {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_crowd {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_bodies {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_search {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_field {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_figures {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_jams {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_arena {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_scen {
    _private: [u8; 0],
}
#[repr(C)]
pub struct wend_watcher {
    _private: [u8; 0],
}
pub type wend_write_fn = unsafe extern "C" fn(context: *mut c_void, bytes: *const c_void, size: usize) -> i32;
pub type wend_done_fn = unsafe extern "C" fn(context: *mut c_void, completion: *const wend_completion);
pub type wend_agent_event_fn = unsafe extern "C" fn(context: *mut c_void, event: *const wend_agent_event);
pub type wend_assert_handler = unsafe extern "C" fn(condition: *const c_char, file: *const c_char, line: i32);
pub type wend_log_fn = unsafe extern "C" fn(context: *mut c_void, level: i32, error: i32, text: *const c_char);
pub type wend_record_fn = unsafe extern "C" fn(context: *mut c_void, file: u32, bytes: *const c_void, size: usize) -> i32;
pub type wend_watch_fn = unsafe extern "C" fn(context: *mut c_void, event: *const wend_watch_event);
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_cell {
    pub x: i32,
    pub y: i32,
    pub z: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_point {
    pub x: i32,
    pub y: i32,
    pub z: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_box {
    pub min: wend_cell,
    pub max: wend_cell,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_allocator {
    pub context: *mut c_void,
    pub alloc: Option<unsafe extern "C" fn(context: *mut c_void, bytes: usize, alignment: usize) -> *mut c_void>,
    pub free: Option<unsafe extern "C" fn(context: *mut c_void, pointer: *mut c_void, bytes: usize)>,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_clock {
    pub context: *mut c_void,
    pub now_ns: Option<unsafe extern "C" fn(context: *mut c_void) -> u64>,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_map_rules {
    pub struct_bytes: u32,
    pub neighbours: i32,
    pub corners: i32,
    pub cost_straight: i32,
    pub cost_diagonal: i32,
    pub cost_space: i32,
    pub factors: [u8; 256],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_sheet {
    pub r#box: wend_box,
    pub ground: wend_cell,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_map_def {
    pub struct_bytes: u32,
    pub kind: i32,
    pub width: i32,
    pub height: i32,
    pub depth: i32,
    pub max_versions: i32,
    pub max_bytes: u64,
    pub rules: *const wend_map_rules,
    pub acceleration: *const wend_acceleration,
    pub allocator: wend_allocator,
    pub streamed: i32,
    pub wrap: i32,
    pub sheet_count: u32,
    pub sheets: *const wend_sheet,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_map_info {
    pub struct_bytes: u32,
    pub kind: i32,
    pub width: i32,
    pub height: i32,
    pub depth: i32,
    pub epoch: u64,
    pub components: u64,
    pub cells: u64,
    pub edges: u64,
    pub links: u64,
    pub closed_steps: u64,
    pub movers: i32,
    pub has_coordinates: i32,
    pub cost_per_unit: u64,
    pub bytes: u64,
    pub bytes_peak: u64,
    pub jumps: i32,
    pub jump_unpruned: u64,
    pub jump_bytes: u64,
    pub landmarks: i32,
    pub landmark_left: u64,
    pub landmark_age: u64,
    pub landmark_bytes: u64,
    pub landmark_effort: u64,
    pub marks_units: i32,
    pub unit_bytes: u64,
    pub far_stale: u64,
    pub far_levels: i32,
    pub streamed: i32,
    pub loaded_chunks: u64,
    pub known_chunks: u64,
    pub wrap: i32,
    pub sheets: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_acceleration {
    pub struct_bytes: u32,
    pub mover: i32,
    pub units: i32,
    pub tables: i32,
    pub landmarks: i32,
    pub reserved: u32,
    pub max_bytes: u64,
    pub publish_effort: u64,
    pub later: i32,
    pub far: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_file_error {
    pub struct_bytes: u32,
    pub line: i32,
    pub column: i32,
    pub text: [c_char; 244],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_map_markers {
    pub struct_bytes: u32,
    pub format: i32,
    pub has_start: i32,
    pub has_goal: i32,
    pub start: wend_cell,
    pub goal: wend_cell,
    pub assumed: [c_char; 200],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_ticket {
    pub index: u32,
    pub generation: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_request {
    pub struct_bytes: u32,
    pub urgency: i32,
    pub map: *mut wend_map,
    pub start: wend_cell,
    pub goal: wend_cell,
    pub mover: i32,
    pub mode: i32,
    pub reach: i32,
    pub agent: u64,
    pub deadline_frames: u64,
    pub on_done: Option<wend_done_fn>,
    pub context: *mut c_void,
    pub more: *const wend_request_more,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_completion {
    pub struct_bytes: u32,
    pub status: i32,
    pub cost: i64,
    pub cells: *const wend_cell,
    pub cell_count: usize,
    pub expansions: u64,
    pub frames: u64,
    pub wait_frames: u64,
    pub engine: i32,
    pub exact: i32,
    pub bound_milli: i32,
    pub restarts: i32,
    pub epoch: u64,
    pub checked: u64,
    pub number: u64,
    pub ticket: wend_ticket,
    pub context: *mut c_void,
    pub shared: i32,
    pub unknown: i32,
    pub crossings: *const wend_cell,
    pub crossing_count: usize,
    pub first_unloaded: usize,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_jobs {
    pub context: *mut c_void,
    pub run: Option<unsafe extern "C" fn(context: *mut c_void, count: u32, job: Option<unsafe extern "C" fn(job_context: *mut c_void, index: u32)>, job_context: *mut c_void)>,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_service_def {
    pub struct_bytes: u32,
    pub queue: u32,
    pub workers: u32,
    pub reserve: u32,
    pub displace: u32,
    pub share: u32,
    pub nodes: u64,
    pub max_path_cells: u64,
    pub path_bytes: u64,
    pub allocator: wend_allocator,
    pub clock: wend_clock,
    pub jobs: wend_jobs,
    pub tuning: *const wend_service_tuning,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_budget {
    pub struct_bytes: u32,
    pub reserved: u32,
    pub expansions: u64,
    pub us: u64,
    pub rounds: u64,
    pub intakes: u64,
    pub deliveries: u64,
    pub cells: u64,
    pub changes: u64,
    pub checks: u64,
    pub chosen: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_frame {
    pub struct_bytes: u32,
    pub reserved: u32,
    pub frame: u64,
    pub expansions: u64,
    pub rounds: u64,
    pub us: u64,
    pub intakes: u64,
    pub deliveries: u64,
    pub cells: u64,
    pub submitted: u64,
    pub waiting: u64,
    pub running: u64,
    pub finished: u64,
    pub evictions: u64,
    pub checks: u64,
    pub outdated: u64,
    pub statuses: [u64; 16],
    pub changes: u64,
    pub work_expansions: [u64; 8],
    pub work_ns: [u64; 8],
    pub shared: u64,
    pub chosen: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_percentiles {
    pub p50: u64,
    pub p99: u64,
    pub max: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_stats {
    pub struct_bytes: u32,
    pub reserved: u32,
    pub frames: u64,
    pub submitted: u64,
    pub refused_busy: u64,
    pub completed: u64,
    pub expansions: u64,
    pub rounds: u64,
    pub us: u64,
    pub evictions: u64,
    pub checks: u64,
    pub outdated: u64,
    pub pending: u64,
    pub statuses: [u64; 16],
    pub nodes_in_use_peak: u64,
    pub wait_frames: wend_percentiles,
    pub latency_frames: wend_percentiles,
    pub shared: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_agent_id {
    pub index: u32,
    pub generation: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_agent_event {
    pub struct_bytes: u32,
    pub event: i32,
    pub why: i32,
    pub agent: wend_agent_id,
    pub cell: wend_cell,
    pub context: *mut c_void,
    pub update: u64,
    pub r#box: wend_box,
    pub to: wend_cell,
    pub ahead: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_crowd_def {
    pub struct_bytes: u32,
    pub agents: u32,
    pub service: *mut wend_service,
    pub map: *mut wend_map,
    pub path_bytes: u64,
    pub on_event: Option<wend_agent_event_fn>,
    pub context: *mut c_void,
    pub allocator: wend_allocator,
    pub tuning: *const wend_crowd_tuning,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_agent_def {
    pub struct_bytes: u32,
    pub flags: u32,
    pub cell: wend_cell,
    pub mover: i32,
    pub speed_milli: u32,
    pub urgency: i32,
    pub context: *mut c_void,
    pub profile: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_crowd_goal {
    pub struct_bytes: u32,
    pub kind: i32,
    pub cell: wend_cell,
    pub reach: i32,
    pub target: wend_agent_id,
    pub distance: i32,
    pub keep: i32,
    pub near_enough: i32,
    pub formation: i32,
    pub spacing: u32,
    pub pace: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_agent_state {
    pub struct_bytes: u32,
    pub state: i32,
    pub cell: wend_cell,
    pub from: wend_cell,
    pub point: wend_point,
    pub facing: wend_cell,
    pub mover: i32,
    pub speed_milli: u32,
    pub urgency: i32,
    pub flags: u32,
    pub has_goal: i32,
    pub goal: wend_crowd_goal,
    pub steps_left: u32,
    pub waited: u32,
    pub tries: u32,
    pub context: *mut c_void,
    pub ticket: wend_ticket,
    pub profile: i32,
    pub reserved: u32,
    pub waits: i32,
    pub route: i32,
    pub blocker: wend_agent_id,
    pub blocked_cell: wend_cell,
    pub path_end: wend_cell,
    pub next_try: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_crowd_view {
    pub struct_bytes: u32,
    pub count: u32,
    pub ids: *const wend_agent_id,
    pub states: *const u8,
    pub cells: *const wend_cell,
    pub points: *const wend_point,
    pub facings: *const i8,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_crowd_stats {
    pub struct_bytes: u32,
    pub agents: u32,
    pub states: [u32; 8],
    pub busy: u32,
    pub searches: u32,
    pub events: u32,
    pub put_off: u32,
    pub updates: u64,
    pub goals_begun: u64,
    pub event_counts: [u64; 16],
    pub searches_begun: u64,
    pub steps: u64,
    pub head_starts: u64,
    pub field_goals: u64,
    pub far_routes: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_bodies_def {
    pub struct_bytes: u32,
    pub reserved: u32,
    pub crowd: *mut wend_crowd,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_body_def {
    pub struct_bytes: u32,
    pub radius_milli: u32,
    pub accel_milli: u32,
    pub turn_degrees: u32,
    pub turning_radius_milli: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_body_vector {
    pub x: i32,
    pub y: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_body_state {
    pub struct_bytes: u32,
    pub state: i32,
    pub at: wend_body_vector,
    pub velocity: wend_body_vector,
    pub facing: wend_body_vector,
    pub radius_milli: u32,
    pub speed_milli: u32,
    pub waited: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_steer_def {
    pub struct_bytes: u32,
    pub way_count: u32,
    pub way: *const wend_cell,
    pub at: wend_body_vector,
    pub velocity: wend_body_vector,
    pub to: wend_body_vector,
    pub body: wend_body_def,
    pub speed_milli: u32,
    pub mover: i32,
    pub own: wend_agent_id,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_bodies_view {
    pub struct_bytes: u32,
    pub count: u32,
    pub points: *const wend_body_vector,
    pub velocities: *const wend_body_vector,
    pub radii: *const u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_request_more {
    pub struct_bytes: u32,
    pub flags: u32,
    pub engine: i32,
    pub heuristic: i32,
    pub weight_milli: i32,
    pub on_stale: i32,
    pub occupied: i32,
    pub occupied_within: i32,
    pub unloaded: i32,
    pub more_goal_count: u32,
    pub more_goals: *const wend_cell,
    pub max_expansions: u64,
    pub profile: i32,
    pub reserved: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_search_def {
    pub struct_bytes: u32,
    pub nodes: u64,
    pub allocator: wend_allocator,
    pub far_nodes: u32,
    pub reserved: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_prefix {
    pub struct_bytes: u32,
    pub whole: i32,
    pub cell_count: usize,
    pub cost: i64,
    pub left: i64,
    pub expansions: u64,
    pub epoch: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_search_node {
    pub cell: wend_cell,
    pub parent: wend_cell,
    pub g: i64,
    pub h: i64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_nearest_def {
    pub struct_bytes: u32,
    pub mover: i32,
    pub map: *mut wend_map,
    pub start: wend_cell,
    pub occupied: i32,
    pub profile: i32,
    pub free_only: i32,
    pub cell_count: u32,
    pub cells: *const wend_cell,
    pub classes: [u64; 4],
    pub most_cost: i64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_hit {
    pub cell: wend_cell,
    pub cost: i64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_crowd_tuning {
    pub struct_bytes: u32,
    pub events: u32,
    pub units_within: i32,
    pub tries: u32,
    pub retry_updates: u32,
    pub routes: u32,
    pub route_cells: u32,
    pub head_start: u32,
    pub fields: u32,
    pub field_agents: u32,
    pub work: u32,
    pub patience_updates: u32,
    pub far_beyond: u32,
    pub link_events: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_update_budget {
    pub struct_bytes: u32,
    pub reserved: u32,
    pub us: u64,
    pub choices: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_field_def {
    pub struct_bytes: u32,
    pub mover: i32,
    pub map: *mut wend_map,
    pub goals: *const wend_cell,
    pub goal_count: u32,
    pub most_goals: u32,
    pub purpose: i32,
    pub urgency: i32,
    pub largest_cost: u32,
    pub fear_milli: u32,
    pub allocator: wend_allocator,
    pub profile: i32,
    pub reserved: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_figures_def {
    pub struct_bytes: u32,
    pub frames: u32,
    pub slices: u32,
    pub completions: u32,
    pub allocator: wend_allocator,
    pub updates: u32,
    pub reserved: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_frame_record {
    pub frame: u64,
    pub began_ns: u64,
    pub intake_ns: u64,
    pub rounds_ns: u64,
    pub ended_ns: u64,
    pub budget: u64,
    pub budget_us: u64,
    pub expansions: u64,
    pub rounds: u64,
    pub intakes: u64,
    pub deliveries: u64,
    pub cells: u64,
    pub changes: u64,
    pub checks: u64,
    pub waiting: u64,
    pub running: u64,
    pub finished: u64,
    pub evictions: u64,
    pub outdated: u64,
    pub work_expansions: [u64; 8],
    pub work_ns: [u64; 8],
    pub shared: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_slice_record {
    pub frame: u64,
    pub round: u64,
    pub began_ns: u64,
    pub ended_ns: u64,
    pub expansions: u64,
    pub number: u64,
    pub requests: u32,
    pub lane: u32,
    pub thread: u32,
    pub fair: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_done_record {
    pub frame: u64,
    pub number: u64,
    pub expansions: u64,
    pub frames: u64,
    pub wait_frames: u64,
    pub status: i32,
    pub engine: i32,
    pub urgency: i32,
    pub restarts: i32,
    pub shared: i32,
    pub general: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_update_record {
    pub update: u64,
    pub began_ns: u64,
    pub ended_ns: u64,
    pub choices: u64,
    pub steps: u64,
    pub stands: u64,
    pub put_off: u64,
    pub searches: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_figures_stats {
    pub struct_bytes: u32,
    pub reserved: u32,
    pub frames: u64,
    pub slices: u64,
    pub completions: u64,
    pub engine_answers: [u64; 8],
    pub engine_expansions: [u64; 8],
    pub work_expansions: [u64; 8],
    pub work_ns: [u64; 8],
    pub shared: u64,
    pub general_answers: [u64; 16],
    pub updates: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_histogram {
    pub struct_bytes: u32,
    pub reserved: u32,
    pub total: u64,
    pub sum: u64,
    pub max: u64,
    pub counts: [u64; 496],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_queue_band {
    pub least: i32,
    pub most: i32,
    pub waiting: u64,
    pub running: u64,
    pub oldest_frames: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_queue {
    pub struct_bytes: u32,
    pub lanes: u32,
    pub frame: u64,
    pub waiting: u64,
    pub running: u64,
    pub finished: u64,
    pub bands: [wend_queue_band; 5],
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_lane_record {
    pub lane: u32,
    pub urgency: i32,
    pub engine: i32,
    pub ticket: wend_ticket,
    pub number: u64,
    pub agent: u64,
    pub map: *const wend_map,
    pub start: wend_cell,
    pub goal: wend_cell,
    pub expansions: u64,
    pub submitted_frame: u64,
    pub since: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_progress {
    pub struct_bytes: u32,
    pub state: i32,
    pub urgency: i32,
    pub engine: i32,
    pub ahead: u64,
    pub peers: u64,
    pub frames: u64,
    pub expansions: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_turn {
    pub cell: wend_cell,
    pub index: u32,
    pub offset_x: i32,
    pub offset_y: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_pull_def {
    pub struct_bytes: u32,
    pub mover: i32,
    pub flags: u32,
    pub radius_milli: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_round_def {
    pub struct_bytes: u32,
    pub kind: i32,
    pub mover: i32,
    pub radius_milli: u32,
    pub spacing_milli: u32,
    pub clearance_milli: u32,
    pub turning_milli: u32,
    pub heading_x: i32,
    pub heading_y: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_placement {
    pub origin_x: f64,
    pub origin_y: f64,
    pub cell_width: f64,
    pub cell_height: f64,
    pub y_up: i32,
    pub isometric: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_edge {
    pub from: u32,
    pub to: u32,
    pub cost: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_graph_def {
    pub struct_bytes: u32,
    pub node_count: u32,
    pub present: *const u8,
    pub coordinates: *const wend_cell,
    pub edges: *const wend_edge,
    pub edge_count: u64,
    pub max_versions: i32,
    pub node_capacity: u32,
    pub max_bytes: u64,
    pub factors: [u8; 256],
    pub allocator: wend_allocator,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_hex_placement {
    pub origin_x: f64,
    pub origin_y: f64,
    pub column_width: f64,
    pub row_height: f64,
    pub layout: i32,
    pub first: i32,
    pub y_up: i32,
    pub reserved: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_jams_def {
    pub struct_bytes: u32,
    pub window: u32,
    pub places: u32,
    pub reserved: u32,
    pub allocator: wend_allocator,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_jams_stats {
    pub struct_bytes: u32,
    pub updates: u32,
    pub places: u32,
    pub agents: u32,
    pub waits: u64,
    pub missed: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_jam {
    pub cell: wend_cell,
    pub cells: u32,
    pub agents: u32,
    pub reserved: u32,
    pub peak: u64,
    pub waits: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_journey {
    pub struct_bytes: u32,
    pub last: i32,
    pub request: wend_request,
    pub more: wend_request_more,
    pub crossings: *mut wend_cell,
    pub count: usize,
    pub next: usize,
    pub cost: i64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_layer_def {
    pub struct_bytes: u32,
    pub half_life: u32,
    pub within: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_layer_info {
    pub struct_bytes: u32,
    pub half_life: u32,
    pub updates: u64,
    pub layers: i32,
    pub within: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_layer_weight {
    pub layer: i32,
    pub weight: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_arena_def {
    pub struct_bytes: u32,
    pub marks: u32,
    pub bytes: u64,
    pub mark_bytes: u64,
    pub allocator: wend_allocator,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_arena_info {
    pub struct_bytes: u32,
    pub watched: i32,
    pub used_bytes: u64,
    pub top_bytes: u64,
    pub mark_bytes: u64,
    pub changed_bytes: u64,
    pub marks: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_walk {
    pub cells: *const wend_cell,
    pub cell_count: u32,
    pub index: u32,
    pub from: wend_cell,
    pub mover: i32,
    pub done: i64,
    pub length: i64,
    pub speed_milli: u32,
    pub flags: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_walk_place {
    pub struct_bytes: u32,
    pub steps_left: u32,
    pub cell: wend_cell,
    pub point: wend_point,
    pub offset: wend_point,
    pub facing: wend_cell,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_mover {
    pub struct_bytes: u32,
    pub size: i32,
    pub factors: [u8; 256],
    pub walker: i32,
    pub step_up: i32,
    pub drop: i32,
    pub headroom: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_places_def {
    pub struct_bytes: u32,
    pub mover: i32,
    pub goal: wend_cell,
    pub from: wend_cell,
    pub occupied: i32,
    pub max_cells: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_recording {
    pub struct_bytes: u32,
    pub error: i32,
    pub maps: u32,
    pub reserved: u32,
    pub frames: u64,
    pub bytes: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_route_def {
    pub struct_bytes: u32,
    pub mode: i32,
    pub corners: *const wend_cell,
    pub corner_count: u32,
    pub reserved: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_save_host {
    pub struct_bytes: u32,
    pub map_count: u32,
    pub maps: *const *mut wend_map,
    pub context: *mut c_void,
    pub request: Option<unsafe extern "C" fn(context: *mut c_void, ticket: wend_ticket, request: *mut wend_request)>,
    pub agent: Option<unsafe extern "C" fn(context: *mut c_void, id: wend_agent_id) -> *mut c_void>,
    pub settle: i32,
    pub reserved: i32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_scen_query {
    pub bucket: i32,
    pub width: i32,
    pub height: i32,
    pub depth: i32,
    pub start: wend_cell,
    pub goal: wend_cell,
    pub map: *const c_char,
    pub length: f64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_service_tuning {
    pub struct_bytes: u32,
    pub lanes: u32,
    pub searches: u32,
    pub list: u32,
    pub fair: u32,
    pub evictions: u32,
    pub restarts: u32,
    pub goals: u32,
    pub horizon: u32,
    pub prefault: u32,
    pub slice: u64,
    pub quantum: u64,
    pub share_cells: u64,
    pub rush: u32,
    pub far_nodes: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_changes {
    pub struct_bytes: u32,
    pub everything: i32,
    pub epoch: u64,
    pub revision: u64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_watch_id {
    pub index: u32,
    pub generation: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_watch_event {
    pub struct_bytes: u32,
    pub reserved: u32,
    pub id: wend_watch_id,
    pub cell: wend_cell,
    pub index: u32,
    pub reserved2: u32,
    pub epoch: u64,
    pub context: *mut c_void,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_watcher_def {
    pub struct_bytes: u32,
    pub paths: u32,
    pub cells: u64,
    pub map: *mut wend_map,
    pub on_broken: Option<wend_watch_fn>,
    pub context: *mut c_void,
    pub allocator: wend_allocator,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_watch {
    pub struct_bytes: u32,
    pub mover: i32,
    pub cells: *const wend_cell,
    pub cell_count: u64,
    pub context: *mut c_void,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_link {
    pub from: wend_cell,
    pub to: wend_cell,
    pub cost: i32,
    pub reserved: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wend_step {
    pub from: wend_cell,
    pub to: wend_cell,
}
#[link(name = "wend")]
extern "C" {
    pub fn wend_error_name(error: i32) -> *const c_char;
    pub fn wend_error_text(error: i32) -> *const c_char;
    pub fn wend_error_detail(error: i32) -> *const c_char;
    pub fn wend_status_name(status: i32) -> *const c_char;
    pub fn wend_version() -> *const c_char;
    pub fn wend_map_rules_init(rules: *mut wend_map_rules, bytes: usize);
    pub fn wend_map_def_init(def: *mut wend_map_def, bytes: usize);
    pub fn wend_map_create(def: *const wend_map_def, out: *mut *mut wend_map) -> i32;
    pub fn wend_map_retain(map: *mut wend_map);
    pub fn wend_map_release(map: *mut wend_map);
    pub fn wend_map_get_info(map: *const wend_map, out: *mut wend_map_info) -> i32;
    pub fn wend_map_get_terrain(map: *const wend_map, cell: wend_cell, out: *mut u8) -> i32;
    pub fn wend_map_get_terrain_box(map: *const wend_map, r#box: wend_box, out: *mut u8, stride_bytes: usize) -> i32;
    pub fn wend_edit_begin(map: *mut wend_map, out: *mut *mut wend_edit) -> i32;
    pub fn wend_edit_set_cell(edit: *mut wend_edit, cell: wend_cell, terrain: u8) -> i32;
    pub fn wend_edit_fill_box(edit: *mut wend_edit, r#box: wend_box, terrain: u8) -> i32;
    pub fn wend_edit_set_box(edit: *mut wend_edit, r#box: wend_box, terrain: *const u8, stride_bytes: usize) -> i32;
    pub fn wend_edit_publish(edit: *mut wend_edit, epoch: *mut u64) -> i32;
    pub fn wend_edit_discard(edit: *mut wend_edit);
    pub fn wend_map_set_cell(map: *mut wend_map, cell: wend_cell, terrain: u8, epoch: *mut u64) -> i32;
    pub fn wend_acceleration_init(acceleration: *mut wend_acceleration, bytes: usize);
    pub fn wend_map_accelerate(map: *mut wend_map, def: *const wend_acceleration) -> i32;
    pub fn wend_map_maintain(map: *mut wend_map, work: u32, effort: u64, left: *mut u64) -> i32;
    pub fn wend_map_parse(bytes: *const c_void, size: usize, def: *const wend_map_def, out: *mut *mut wend_map, markers: *mut wend_map_markers, error: *mut wend_file_error) -> i32;
    pub fn wend_map_load(path: *const c_char, def: *const wend_map_def, out: *mut *mut wend_map, markers: *mut wend_map_markers, error: *mut wend_file_error) -> i32;
    pub fn wend_map_save(map: *const wend_map, path: *const c_char, format: i32, markers: *const wend_map_markers, error: *mut wend_file_error) -> i32;
    pub fn wend_request_init(request: *mut wend_request, bytes: usize);
    pub fn wend_find_path(map: *mut wend_map, start: wend_cell, goal: wend_cell, cells: *mut wend_cell, capacity: usize, count: *mut usize, status: *mut i32) -> i32;
    pub fn wend_service_def_init(def: *mut wend_service_def, bytes: usize);
    pub fn wend_service_def_preset(def: *mut wend_service_def, bytes: usize, preset: i32) -> i32;
    pub fn wend_service_bytes(def: *const wend_service_def) -> usize;
    pub fn wend_service_create(def: *const wend_service_def, out: *mut *mut wend_service) -> i32;
    pub fn wend_service_submit(service: *mut wend_service, request: *const wend_request, out: *mut wend_ticket) -> i32;
    pub fn wend_service_cancel(service: *mut wend_service, ticket: wend_ticket) -> i32;
    pub fn wend_service_set_urgency(service: *mut wend_service, ticket: wend_ticket, urgency: i32) -> i32;
    pub fn wend_budget_init(budget: *mut wend_budget, bytes: usize);
    pub fn wend_service_tick(service: *mut wend_service, budget: *const wend_budget, frame: *mut wend_frame) -> i32;
    pub fn wend_service_get_stats(service: *const wend_service, out: *mut wend_stats) -> i32;
    pub fn wend_service_get_pending(service: *const wend_service) -> u64;
    pub fn wend_service_destroy(service: *mut wend_service) -> i32;
    pub fn wend_agent_state_name(state: i32) -> *const c_char;
    pub fn wend_agent_event_name(event: i32) -> *const c_char;
    pub fn wend_agent_why_name(why: i32) -> *const c_char;
    pub fn wend_agent_wait_name(waits: i32) -> *const c_char;
    pub fn wend_crowd_def_init(def: *mut wend_crowd_def, bytes: usize);
    pub fn wend_crowd_def_preset(def: *mut wend_crowd_def, bytes: usize, preset: i32) -> i32;
    pub fn wend_crowd_bytes(def: *const wend_crowd_def) -> usize;
    pub fn wend_crowd_create(def: *const wend_crowd_def, out: *mut *mut wend_crowd) -> i32;
    pub fn wend_crowd_destroy(crowd: *mut wend_crowd) -> i32;
    pub fn wend_agent_def_init(agent: *mut wend_agent_def, bytes: usize);
    pub fn wend_crowd_add(crowd: *mut wend_crowd, agent: *const wend_agent_def, id: *mut wend_agent_id) -> i32;
    pub fn wend_crowd_goal_init(goal: *mut wend_crowd_goal, bytes: usize);
    pub fn wend_crowd_go(crowd: *mut wend_crowd, ids: *const wend_agent_id, count: usize, goal: *const wend_crowd_goal) -> i32;
    pub fn wend_crowd_halt(crowd: *mut wend_crowd, ids: *const wend_agent_id, count: usize) -> i32;
    pub fn wend_crowd_remove(crowd: *mut wend_crowd, id: wend_agent_id) -> i32;
    pub fn wend_crowd_update(crowd: *mut wend_crowd, elapsed_milli: u32) -> i32;
    pub fn wend_crowd_poll(crowd: *mut wend_crowd, out: *mut wend_agent_event) -> i32;
    pub fn wend_crowd_get_agent(crowd: *const wend_crowd, id: wend_agent_id, out: *mut wend_agent_state) -> i32;
    pub fn wend_crowd_get_view(crowd: *mut wend_crowd, out: *mut wend_crowd_view) -> i32;
    pub fn wend_crowd_get_stats(crowd: *const wend_crowd, out: *mut wend_crowd_stats) -> i32;
    pub fn wend_crowd_step(crowd: *mut wend_crowd, id: wend_agent_id, cell: wend_cell) -> i32;
    pub fn wend_crowd_move(crowd: *mut wend_crowd, id: wend_agent_id, cell: wend_cell) -> i32;
    pub fn wend_crowd_set_speed(crowd: *mut wend_crowd, id: wend_agent_id, speed_milli: u32) -> i32;
    pub fn wend_crowd_set_urgency(crowd: *mut wend_crowd, id: wend_agent_id, urgency: i32) -> i32;
    pub fn wend_crowd_wait_for(crowd: *mut wend_crowd, id: wend_agent_id, others: *const wend_agent_id, count: usize) -> i32;
    pub fn wend_crowd_set_mover(crowd: *mut wend_crowd, ids: *const wend_agent_id, count: usize, mover: i32) -> i32;
    pub fn wend_crowd_set_profile(crowd: *mut wend_crowd, ids: *const wend_agent_id, count: usize, profile: i32) -> i32;
    pub fn wend_crowd_get_path(crowd: *const wend_crowd, id: wend_agent_id, cells: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_agent_event_ends_goal(event: i32) -> i32;
    pub fn wend_bodies_def_init(def: *mut wend_bodies_def, bytes: usize);
    pub fn wend_bodies_create(def: *const wend_bodies_def, out: *mut *mut wend_bodies) -> i32;
    pub fn wend_bodies_destroy(bodies: *mut wend_bodies) -> i32;
    pub fn wend_body_def_init(def: *mut wend_body_def, bytes: usize);
    pub fn wend_body_add(bodies: *mut wend_bodies, agent: wend_agent_id, def: *const wend_body_def) -> i32;
    pub fn wend_body_remove(bodies: *mut wend_bodies, agent: wend_agent_id) -> i32;
    pub fn wend_body_get(bodies: *const wend_bodies, agent: wend_agent_id, out: *mut wend_body_state) -> i32;
    pub fn wend_body_set(bodies: *mut wend_bodies, agent: wend_agent_id, at: wend_body_vector, velocity: wend_body_vector) -> i32;
    pub fn wend_steer_def_init(def: *mut wend_steer_def, bytes: usize);
    pub fn wend_steer(bodies: *mut wend_bodies, def: *const wend_steer_def, velocity: *mut wend_body_vector, corner: *mut wend_body_vector) -> i32;
    pub fn wend_bodies_get_view(bodies: *mut wend_bodies, out: *mut wend_bodies_view) -> i32;
    pub fn wend_crowd_is_clear(crowd: *const wend_crowd, r#box: wend_box, clear: *mut i32) -> i32;
    pub fn wend_crowd_clear_box(crowd: *mut wend_crowd, r#box: wend_box) -> i32;
    pub fn wend_crowd_release_box(crowd: *mut wend_crowd, r#box: wend_box) -> i32;
    pub fn wend_crowd_get_boxes(crowd: *const wend_crowd, boxes: *mut wend_box, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_request_more_init(more: *mut wend_request_more, bytes: usize);
    pub fn wend_request_explain(request: *const wend_request, engine: *mut i32, why: *mut *const c_char) -> i32;
    pub fn wend_general_name(reason: i32) -> *const c_char;
    pub fn wend_general_text(reason: i32) -> *const c_char;
    pub fn wend_search_def_init(def: *mut wend_search_def, bytes: usize);
    pub fn wend_search_bytes(def: *const wend_search_def) -> usize;
    pub fn wend_search_create(def: *const wend_search_def, out: *mut *mut wend_search) -> i32;
    pub fn wend_search_begin(search: *mut wend_search, request: *const wend_request) -> i32;
    pub fn wend_search_step(search: *mut wend_search, expansions: u64, used: *mut u64) -> i32;
    pub fn wend_search_get_result(search: *const wend_search, out: *mut wend_completion) -> i32;
    pub fn wend_search_get_path(search: *const wend_search, cells: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_search_get_crossings(search: *const wend_search, crossings: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_search_get_prefix(search: *mut wend_search, cells: *mut wend_cell, capacity: usize, prefix: *mut wend_prefix) -> i32;
    pub fn wend_search_get_expanded(search: *const wend_search, cells: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_search_get_open(search: *mut wend_search, nodes: *mut wend_search_node, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_nearest_def_init(def: *mut wend_nearest_def, bytes: usize);
    pub fn wend_find_nearest(def: *const wend_nearest_def, hits: *mut wend_hit, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_search_destroy(search: *mut wend_search);
    pub fn wend_service_submit_many(service: *mut wend_service, requests: *const wend_request, count: usize, tickets: *mut wend_ticket, accepted: *mut usize) -> i32;
    pub fn wend_service_set_goal(service: *mut wend_service, ticket: wend_ticket, goal: wend_cell) -> i32;
    pub fn wend_service_set_urgencies(service: *mut wend_service, tickets: *const wend_ticket, urgencies: *const i32, count: usize, applied: *mut usize) -> i32;
    pub fn wend_service_cancel_map(service: *mut wend_service, map: *const wend_map, count: *mut usize) -> i32;
    pub fn wend_service_get_prefix(service: *mut wend_service, ticket: wend_ticket, cells: *mut wend_cell, capacity: usize, prefix: *mut wend_prefix) -> i32;
    pub fn wend_service_get_wait(service: *const wend_service) -> u64;
    pub fn wend_service_get_work(service: *const wend_service) -> u64;
    pub fn wend_service_get_wanted(service: *const wend_service, map: *const wend_map, chunks: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_service_get_slices(service: *const wend_service, thread: u32) -> u64;
    pub fn wend_service_set_wake(service: *mut wend_service, wake: Option<unsafe extern "C" fn(context: *mut c_void)>, context: *mut c_void);
    pub fn wend_service_close(service: *mut wend_service);
    pub fn wend_crowd_tuning_init(tuning: *mut wend_crowd_tuning, bytes: usize);
    pub fn wend_update_budget_init(budget: *mut wend_update_budget, bytes: usize);
    pub fn wend_crowd_update_within(crowd: *mut wend_crowd, elapsed_milli: u32, budget: *const wend_update_budget, choices: *mut u64) -> i32;
    pub fn wend_field_def_init(def: *mut wend_field_def, bytes: usize);
    pub fn wend_field_bytes(def: *const wend_field_def) -> usize;
    pub fn wend_field_create(def: *const wend_field_def, out: *mut *mut wend_field) -> i32;
    pub fn wend_field_destroy(field: *mut wend_field);
    pub fn wend_field_step(field: *mut wend_field, expansions: u64, used: *mut u64) -> i32;
    pub fn wend_field_repair(field: *mut wend_field) -> i32;
    pub fn wend_field_set_goals(field: *mut wend_field, goals: *const wend_cell, count: u32) -> i32;
    pub fn wend_field_refresh(field: *mut wend_field);
    pub fn wend_field_next(field: *const wend_field, cell: wend_cell, next: *mut wend_cell, cost: *mut u64) -> i32;
    pub fn wend_field_is_complete(field: *const wend_field) -> i32;
    pub fn wend_field_get_epoch(field: *const wend_field) -> u64;
    pub fn wend_service_add_field(service: *mut wend_service, field: *mut wend_field) -> i32;
    pub fn wend_service_remove_field(service: *mut wend_service, field: *mut wend_field) -> i32;
    pub fn wend_figures_def_init(def: *mut wend_figures_def, bytes: usize);
    pub fn wend_figures_bytes(def: *const wend_figures_def) -> usize;
    pub fn wend_figures_create(def: *const wend_figures_def, out: *mut *mut wend_figures) -> i32;
    pub fn wend_figures_destroy(figures: *mut wend_figures);
    pub fn wend_service_set_figures(service: *mut wend_service, figures: *mut wend_figures) -> i32;
    pub fn wend_service_get_figures(service: *const wend_service) -> *const wend_figures;
    pub fn wend_figures_get_stats(figures: *const wend_figures, out: *mut wend_figures_stats) -> i32;
    pub fn wend_figures_get_frames(figures: *const wend_figures, from: u64, out: *mut wend_frame_record, bytes: usize, capacity: usize) -> usize;
    pub fn wend_figures_get_slices(figures: *const wend_figures, from: u64, out: *mut wend_slice_record, bytes: usize, capacity: usize) -> usize;
    pub fn wend_figures_get_completions(figures: *const wend_figures, from: u64, out: *mut wend_done_record, bytes: usize, capacity: usize) -> usize;
    pub fn wend_figures_get_updates(figures: *const wend_figures, from: u64, out: *mut wend_update_record, bytes: usize, capacity: usize) -> usize;
    pub fn wend_urgency_band(urgency: i32) -> i32;
    pub fn wend_figures_get_histogram(figures: *const wend_figures, kind: i32, band: i32, out: *mut wend_histogram) -> i32;
    pub fn wend_figures_get_recent(figures: *const wend_figures, kind: i32, band: i32, frames: u32, out: *mut wend_histogram) -> i32;
    pub fn wend_histogram_top(bucket: u32) -> u64;
    pub fn wend_histogram_percentile(histogram: *const wend_histogram, permille: u32) -> u64;
    pub fn wend_service_get_queue(service: *const wend_service, out: *mut wend_queue) -> i32;
    pub fn wend_service_get_lanes(service: *const wend_service, out: *mut wend_lane_record, bytes: usize, capacity: usize) -> usize;
    pub fn wend_progress_name(state: i32) -> *const c_char;
    pub fn wend_service_get_progress(service: *const wend_service, ticket: wend_ticket, out: *mut wend_progress) -> i32;
    pub fn wend_service_get_expanded(service: *const wend_service, ticket: wend_ticket, cells: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_format_detect(bytes: *const c_void, size: usize) -> i32;
    pub fn wend_map_write(map: *const wend_map, format: i32, markers: *const wend_map_markers, write: Option<wend_write_fn>, context: *mut c_void, error: *mut wend_file_error) -> i32;
    pub fn wend_path_turns(cells: *const wend_cell, cell_count: usize, out: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_pull_def_init(def: *mut wend_pull_def, bytes: usize);
    pub fn wend_path_pull(map: *const wend_map, def: *const wend_pull_def, cells: *const wend_cell, cell_count: usize, turns: *mut wend_turn, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_line_clearance(map: *const wend_map, mover: i32, points: *const wend_point, count: usize, out: *mut u32) -> i32;
    pub fn wend_path_unpull(map: *const wend_map, mover: i32, turns: *const wend_turn, turn_count: usize, out: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_point_line_of_sight(map: *const wend_map, mover: i32, from: wend_point, to: wend_point, visible: *mut i32) -> i32;
    pub fn wend_round_def_init(def: *mut wend_round_def, bytes: usize);
    pub fn wend_path_round(map: *const wend_map, def: *const wend_round_def, turns: *const wend_turn, turn_count: usize, points: *mut wend_point, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_waypoint_next(map: *const wend_map, mover: i32, points: *const wend_point, count: usize, at: wend_point, radius_milli: u32, index: *mut usize) -> i32;
    pub fn wend_placement_get_world(placement: *const wend_placement, cell: wend_cell, x: *mut f64, y: *mut f64) -> i32;
    pub fn wend_placement_get_cell(placement: *const wend_placement, x: f64, y: f64, out: *mut wend_cell) -> i32;
    pub fn wend_graph_def_init(def: *mut wend_graph_def, bytes: usize);
    pub fn wend_graph_create(def: *const wend_graph_def, out: *mut *mut wend_map) -> i32;
    pub fn wend_map_get_edges(map: *const wend_map, node: u32, out: *mut wend_edge, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_map_get_coordinates(map: *const wend_map, node: u32, out: *mut wend_cell) -> i32;
    pub fn wend_hex_from_offset(layout: i32, column: i32, row: i32, first: i32) -> wend_cell;
    pub fn wend_hex_to_offset(layout: i32, cell: wend_cell, first: i32, column: *mut i32, row: *mut i32);
    pub fn wend_hex_get_world(placement: *const wend_hex_placement, cell: wend_cell, x: *mut f64, y: *mut f64) -> i32;
    pub fn wend_hex_get_cell(placement: *const wend_hex_placement, x: f64, y: f64, out: *mut wend_cell) -> i32;
    pub fn wend_allocator_default() -> wend_allocator;
    pub fn wend_clock_default() -> wend_clock;
    pub fn wend_set_assert_handler(handler: Option<wend_assert_handler>);
    pub fn wend_set_log(log: Option<wend_log_fn>, context: *mut c_void, level: i32);
    pub fn wend_jams_def_init(def: *mut wend_jams_def, bytes: usize);
    pub fn wend_jams_bytes(def: *const wend_jams_def) -> usize;
    pub fn wend_jams_create(def: *const wend_jams_def, out: *mut *mut wend_jams) -> i32;
    pub fn wend_jams_destroy(jams: *mut wend_jams);
    pub fn wend_crowd_set_jams(crowd: *mut wend_crowd, jams: *mut wend_jams) -> i32;
    pub fn wend_jams_clear(jams: *mut wend_jams);
    pub fn wend_jams_get_stats(jams: *const wend_jams, out: *mut wend_jams_stats) -> i32;
    pub fn wend_jams_get_waits(jams: *const wend_jams, cell: wend_cell) -> u64;
    pub fn wend_jams_get_worst(jams: *mut wend_jams, within: i32, out: *mut wend_jam, bytes: usize, capacity: usize) -> usize;
    pub fn wend_journey_begin(out: *mut wend_journey, request: *const wend_request, completion: *const wend_completion, crossings: *mut wend_cell, capacity: usize) -> i32;
    pub fn wend_journey_walk(journey: *const wend_journey, cells: *const wend_cell, count: usize) -> usize;
    pub fn wend_journey_next(journey: *mut wend_journey, at: wend_cell, out: *mut wend_request) -> i32;
    pub fn wend_layer_def_init(def: *mut wend_layer_def, bytes: usize);
    pub fn wend_map_add_layer(map: *mut wend_map, def: *const wend_layer_def, layer: *mut i32) -> i32;
    pub fn wend_layer_add_disc(map: *mut wend_map, layer: i32, centre: wend_cell, radius: i32, peak: i32) -> i32;
    pub fn wend_layer_set_box(map: *mut wend_map, layer: i32, r#box: wend_box, values: *const u8, stride_bytes: usize) -> i32;
    pub fn wend_layer_update(map: *mut wend_map, steps: u32) -> i32;
    pub fn wend_layer_get(map: *const wend_map, layer: i32, cell: wend_cell, value: *mut u8) -> i32;
    pub fn wend_layer_get_box(map: *const wend_map, layer: i32, r#box: wend_box, values: *mut u8, stride_bytes: usize) -> i32;
    pub fn wend_map_get_layer(map: *const wend_map, layer: i32, out: *mut wend_layer_info) -> i32;
    pub fn wend_map_add_profile(map: *mut wend_map, weights: *const wend_layer_weight, count: u32, profile: *mut i32) -> i32;
    pub fn wend_map_get_profile(map: *const wend_map, profile: i32, weights: *mut wend_layer_weight, count: *mut u32) -> i32;
    pub fn wend_arena_def_init(def: *mut wend_arena_def, bytes: usize);
    pub fn wend_arena_create(def: *const wend_arena_def, out: *mut *mut wend_arena) -> i32;
    pub fn wend_arena_destroy(arena: *mut wend_arena) -> i32;
    pub fn wend_arena_allocator(arena: *mut wend_arena) -> wend_allocator;
    pub fn wend_arena_mark(arena: *mut wend_arena, slot: u32) -> i32;
    pub fn wend_arena_rewind(arena: *mut wend_arena, slot: u32) -> i32;
    pub fn wend_arena_forget(arena: *mut wend_arena, slot: u32) -> i32;
    pub fn wend_arena_get_info(arena: *const wend_arena, out: *mut wend_arena_info) -> i32;
    pub fn wend_walk_begin(map: *const wend_map, cells: *const wend_cell, cell_count: usize, mover: i32, speed_milli: u32, flags: u32, out: *mut wend_walk) -> i32;
    pub fn wend_walk_redirect(walk: *mut wend_walk, cells: *const wend_cell, cell_count: usize, partial: i32) -> i32;
    pub fn wend_path_join(map: *const wend_map, mover: i32, walked: *const wend_cell, walked_count: usize, path: *const wend_cell, path_count: usize, out: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_walk_advance(map: *const wend_map, walk: *mut wend_walk, distance_milli: u32, event: *mut i32) -> i32;
    pub fn wend_walk_advance_many(map: *const wend_map, walks: *mut wend_walk, count: usize, elapsed_milli: u32, events: *mut i32) -> i32;
    pub fn wend_walk_get_place(map: *const wend_map, walk: *const wend_walk, out: *mut wend_walk_place) -> i32;
    pub fn wend_walk_get_left(map: *const wend_map, walk: *const wend_walk, left_milli: *mut u64, steps: *mut u32) -> i32;
    pub fn wend_walk_event_name(event: i32) -> *const c_char;
    pub fn wend_mover_init(mover: *mut wend_mover, bytes: usize);
    pub fn wend_map_add_mover(map: *mut wend_map, mover: *const wend_mover, id: *mut i32) -> i32;
    pub fn wend_map_get_mover(map: *const wend_map, id: i32, out: *mut wend_mover) -> i32;
    pub fn wend_map_reachable(map: *const wend_map, mover: i32, a: wend_cell, b: wend_cell, reachable: *mut i32) -> i32;
    pub fn wend_map_line_of_sight(map: *const wend_map, mover: i32, from: wend_cell, to: wend_cell, visible: *mut i32, last: *mut wend_cell) -> i32;
    pub fn wend_map_nearest_open(map: *const wend_map, mover: i32, cell: wend_cell, max_cells: i32, found: *mut i32, out: *mut wend_cell) -> i32;
    pub fn wend_map_path_cost(map: *const wend_map, mover: i32, cells: *const wend_cell, count: usize, walkable: *mut usize, cost: *mut u64) -> i32;
    pub fn wend_map_step_legal(map: *const wend_map, mover: i32, from: wend_cell, to: wend_cell, legal: *mut i32, cost: *mut u64) -> i32;
    pub fn wend_places_def_init(def: *mut wend_places_def, bytes: usize);
    pub fn wend_map_free_places(map: *mut wend_map, def: *const wend_places_def, out: *mut wend_cell, capacity: usize, count: *mut usize) -> i32;
    pub fn wend_map_random_cell(map: *const wend_map, mover: i32, from: wend_cell, seed: u64, out: *mut wend_cell) -> i32;
    pub fn wend_map_get_class_counts(map: *const wend_map, counts: *mut u64);
    pub fn wend_edit_would_disconnect(edit: *const wend_edit, mover: i32, a: wend_cell, b: wend_cell, disconnects: *mut i32) -> i32;
    pub fn wend_service_record(service: *mut wend_service, write: Option<wend_record_fn>, context: *mut c_void) -> i32;
    pub fn wend_service_end_recording(service: *mut wend_service) -> i32;
    pub fn wend_service_record_map(service: *mut wend_service, map: *mut wend_map) -> i32;
    pub fn wend_service_get_recording(service: *const wend_service, out: *mut wend_recording) -> i32;
    pub fn wend_route_def_init(route: *mut wend_route_def, bytes: usize);
    pub fn wend_crowd_add_route(crowd: *mut wend_crowd, route: *const wend_route_def, out: *mut u32) -> i32;
    pub fn wend_crowd_take(crowd: *mut wend_crowd, id: wend_agent_id, route: u32) -> i32;
    pub fn wend_save_host_init(host: *mut wend_save_host, bytes: usize);
    pub fn wend_map_save_state(map: *mut wend_map, buffer: *mut c_void, capacity: usize, bytes: *mut usize) -> i32;
    pub fn wend_map_restore_state(map: *mut wend_map, buffer: *const c_void, bytes: usize) -> i32;
    pub fn wend_service_save_state(service: *mut wend_service, host: *const wend_save_host, buffer: *mut c_void, capacity: usize, bytes: *mut usize) -> i32;
    pub fn wend_service_restore_state(service: *mut wend_service, host: *const wend_save_host, buffer: *const c_void, bytes: usize) -> i32;
    pub fn wend_service_adopt(service: *mut wend_service, host: *const wend_save_host) -> i32;
    pub fn wend_crowd_save_state(crowd: *mut wend_crowd, buffer: *mut c_void, capacity: usize, bytes: *mut usize) -> i32;
    pub fn wend_crowd_restore_state(crowd: *mut wend_crowd, host: *const wend_save_host, buffer: *const c_void, bytes: usize) -> i32;
    pub fn wend_world_hash(map: *mut wend_map, service: *mut wend_service, crowd: *mut wend_crowd, hash: *mut u64) -> i32;
    pub fn wend_crowd_hash_agent(crowd: *mut wend_crowd, id: wend_agent_id, hash: *mut u64) -> i32;
    pub fn wend_service_record_state(service: *mut wend_service, map: *mut wend_map, crowd: *mut wend_crowd, write: Option<wend_record_fn>, context: *mut c_void) -> i32;
    pub fn wend_scen_parse(bytes: *const c_void, size: usize, out: *mut *mut wend_scen, error: *mut wend_file_error) -> i32;
    pub fn wend_scen_load(path: *const c_char, out: *mut *mut wend_scen, error: *mut wend_file_error) -> i32;
    pub fn wend_scen_get_queries(scen: *const wend_scen, count: *mut usize) -> *const wend_scen_query;
    pub fn wend_scen_free(scen: *mut wend_scen);
    pub fn wend_scen_write(queries: *const wend_scen_query, count: usize, write: Option<wend_write_fn>, context: *mut c_void) -> i32;
    pub fn wend_service_tuning_init(tuning: *mut wend_service_tuning, bytes: usize);
    pub fn wend_edit_load(edit: *mut wend_edit, chunk_x: i32, chunk_y: i32, terrain: *const u8, stride_bytes: usize) -> i32;
    pub fn wend_edit_unload(edit: *mut wend_edit, chunk_x: i32, chunk_y: i32, land: i32) -> i32;
    pub fn wend_map_get_land(map: *const wend_map, chunk_x: i32, chunk_y: i32, land: *mut i32) -> i32;
    pub fn wend_map_occupy(map: *mut wend_map, cell: wend_cell) -> i32;
    pub fn wend_map_vacate(map: *mut wend_map, cell: wend_cell) -> i32;
    pub fn wend_map_get_occupants(map: *const wend_map, cell: wend_cell, count: *mut u32) -> i32;
    pub fn wend_map_fork(map: *mut wend_map, out: *mut *mut wend_map) -> i32;
    pub fn wend_map_get_epoch(map: *const wend_map) -> u64;
    pub fn wend_map_changes(map: *const wend_map, since_epoch: u64, boxes: *mut wend_box, capacity: usize, count: *mut usize, changes: *mut wend_changes) -> i32;
    pub fn wend_map_get_rules(map: *const wend_map, out: *mut wend_map_rules) -> i32;
    pub fn wend_map_set_rules(map: *mut wend_map, rules: *const wend_map_rules) -> i32;
    pub fn wend_map_set_max_versions(map: *mut wend_map, max_versions: i32) -> i32;
    pub fn wend_watcher_def_init(def: *mut wend_watcher_def, bytes: usize);
    pub fn wend_watch_init(watch: *mut wend_watch, bytes: usize);
    pub fn wend_watcher_bytes(def: *const wend_watcher_def) -> usize;
    pub fn wend_watcher_create(def: *const wend_watcher_def, out: *mut *mut wend_watcher) -> i32;
    pub fn wend_watcher_destroy(watcher: *mut wend_watcher);
    pub fn wend_watcher_add(watcher: *mut wend_watcher, watch: *const wend_watch, id: *mut wend_watch_id) -> i32;
    pub fn wend_watcher_remove(watcher: *mut wend_watcher, id: wend_watch_id) -> i32;
    pub fn wend_watcher_advance(watcher: *mut wend_watcher, id: wend_watch_id, index: u32) -> i32;
    pub fn wend_watcher_update(watcher: *mut wend_watcher, broken: *mut usize) -> i32;
    pub fn wend_watcher_poll(watcher: *mut wend_watcher, event: *mut wend_watch_event) -> i32;
    pub fn wend_watcher_get_count(watcher: *const wend_watcher) -> usize;
    pub fn wend_map_get_links(map: *const wend_map, out: *mut wend_link, capacity: usize, count: *mut usize);
    pub fn wend_map_get_sheets(map: *const wend_map, out: *mut wend_sheet, capacity: usize, count: *mut usize);
    pub fn wend_map_get_closed_steps(map: *const wend_map, out: *mut wend_step, capacity: usize, count: *mut usize);
    pub fn wend_edit_set_step(edit: *mut wend_edit, from: wend_cell, to: wend_cell, open: i32) -> i32;
    pub fn wend_edit_set_step_both(edit: *mut wend_edit, a: wend_cell, b: wend_cell, open: i32) -> i32;
    pub fn wend_edit_add_link(edit: *mut wend_edit, from: wend_cell, to: wend_cell, cost: i32) -> i32;
    pub fn wend_edit_add_link_both(edit: *mut wend_edit, a: wend_cell, b: wend_cell, cost: i32) -> i32;
    pub fn wend_edit_remove_link(edit: *mut wend_edit, from: wend_cell, to: wend_cell) -> i32;
    pub fn wend_edit_add_node(edit: *mut wend_edit, node: u32, coordinates: wend_cell, terrain: u8, out: *mut u32) -> i32;
    pub fn wend_edit_remove_node(edit: *mut wend_edit, node: u32) -> i32;
    pub fn wend_edit_set_edge(edit: *mut wend_edit, from: u32, to: u32, cost: i32) -> i32;
    pub fn wend_edit_remove_edge(edit: *mut wend_edit, from: u32, to: u32) -> i32;
}
