// SPDX-License-Identifier: MIT
// Made by bindings/api/emit.py from api.json.
using System;
using System.Runtime.InteropServices;
namespace Wend.Native
{
    public static class Constants
    {
        public const int WEND_AGENT_ARRIVED = 5;
        public const int WEND_AGENT_ASIDE = 6;
        public const int WEND_AGENT_AWAY = 7;
        public const int WEND_AGENT_BLOCKED = 4;
        public const int WEND_AGENT_EVENT_ARRIVED = 1;
        public const int WEND_AGENT_EVENT_AWAY = 7;
        public const int WEND_AGENT_EVENT_BACK = 8;
        public const int WEND_AGENT_EVENT_CLEAR = 9;
        public const int WEND_AGENT_EVENT_DISPLACED = 6;
        public const int WEND_AGENT_EVENT_GAVE_UP = 4;
        public const int WEND_AGENT_EVENT_LINK_AHEAD = 10;
        public const int WEND_AGENT_EVENT_PARTIAL = 2;
        public const int WEND_AGENT_EVENT_REPLACED = 5;
        public const int WEND_AGENT_EVENT_REROUTED = 3;
        public const int WEND_AGENT_GHOST = 1;
        public const int WEND_AGENT_IDLE = 1;
        public const int WEND_AGENT_NONE = 0;
        public const int WEND_AGENT_PARKED = 4;
        public const int WEND_AGENT_STEERED = 2;
        public const int WEND_AGENT_WAITING = 2;
        public const int WEND_AGENT_WALKING = 3;
        public const ulong WEND_ANY_NODE = 4294967295;
        public const int WEND_AS_BOX = 4;
        public const int WEND_AS_COLUMN = 2;
        public const int WEND_AS_CROWD = 0;
        public const int WEND_AS_LINE = 1;
        public const int WEND_AS_WEDGE = 3;
        public const int WEND_BAD_ARGUMENT = -1;
        public const int WEND_BAD_FORMAT = -8;
        public const int WEND_BAND_ALL = -1;
        public const int WEND_BAND_COUNT = 5;
        public const int WEND_BLOCKED = -13;
        public const int WEND_BODY_ASIDE = 4;
        public const int WEND_BODY_AWAY = 5;
        public const int WEND_BODY_GOES = 1;
        public const int WEND_BODY_RESTS = 0;
        public const int WEND_BODY_RETURNS = 3;
        public const int WEND_BODY_UNITS = 16384;
        public const int WEND_BODY_WAITS = 2;
        public const int WEND_BUSY = -4;
        public const int WEND_CHUNK_SIDE = 64;
        public const int WEND_CLASS_BLOCKED = 0;
        public const int WEND_CLASS_OPEN = 1;
        public const int WEND_CLASS_STAIRS = 253;
        public const int WEND_CLASS_SWAMP = 254;
        public const int WEND_CLASS_WATER = 255;
        public const int WEND_CLOSED = -7;
        public const int WEND_CORNERS_ALWAYS = 2;
        public const int WEND_CORNERS_NEVER = 0;
        public const int WEND_CORNERS_ONE = 1;
        public const int WEND_CROWD_CELL = 0;
        public const int WEND_CROWD_FLEE = 2;
        public const int WEND_CROWD_FOLLOW = 1;
        public const int WEND_EMPTY = -12;
        public const int WEND_ENGINE_ASTAR = 1;
        public const int WEND_ENGINE_AUTO = 0;
        public const int WEND_ENGINE_JUMP = 2;
        public const int WEND_EVERYWHERE = -1;
        public const int WEND_FAR_EFFORT = 10000;
        public const int WEND_FAR_LARGE = -1;
        public const int WEND_FAR_SIDE = 2048;
        public const int WEND_FIELD_AWAY = 1;
        public const int WEND_FIELD_FEAR_MAX_MILLI = 10000;
        public const int WEND_FIELD_FEAR_MIN_MILLI = 1000;
        public const int WEND_FIELD_MAX_COST = 2000000000;
        public const int WEND_FIELD_MAX_GOALS = 65536;
        public const int WEND_FIELD_TOWARD = 0;
        public const int WEND_FORMAT_BAKED = 5;
        public const int WEND_FORMAT_DIMACS = 4;
        public const int WEND_FORMAT_GRID_TEXT = 1;
        public const int WEND_FORMAT_MOVINGAI = 2;
        public const int WEND_FORMAT_UNKNOWN = 0;
        public const int WEND_FORMAT_VOXEL = 3;
        public const int WEND_GENERAL_AGAIN = 8;
        public const int WEND_GENERAL_COUNT = 10;
        public const int WEND_GENERAL_ENGINE = 1;
        public const int WEND_GENERAL_HEURISTIC = 2;
        public const int WEND_GENERAL_KIND = 7;
        public const int WEND_GENERAL_LAYERS = 9;
        public const int WEND_GENERAL_NONE = 0;
        public const int WEND_GENERAL_RULES = 5;
        public const int WEND_GENERAL_START = 3;
        public const int WEND_GENERAL_TABLES = 4;
        public const int WEND_GENERAL_UNITS = 6;
        public const int WEND_HEURISTIC_EUCLID = 2;
        public const int WEND_HEURISTIC_EXACT = 0;
        public const int WEND_HEURISTIC_MANHATTAN = 1;
        public const int WEND_HEURISTIC_ZERO = 3;
        public const int WEND_HEX_FLAT_EVEN = 3;
        public const int WEND_HEX_FLAT_ODD = 2;
        public const int WEND_HEX_POINTY_EVEN = 1;
        public const int WEND_HEX_POINTY_ODD = 0;
        public const int WEND_HISTOGRAM_BUCKETS = 496;
        public const int WEND_HISTOGRAM_COUNT = 8;
        public const int WEND_HISTOGRAM_EXPANSIONS = 2;
        public const int WEND_HISTOGRAM_FRAME_EXPANSIONS = 4;
        public const int WEND_HISTOGRAM_FRAME_US = 3;
        public const int WEND_HISTOGRAM_LATENCY = 1;
        public const int WEND_HISTOGRAM_STANDS = 7;
        public const int WEND_HISTOGRAM_UPDATE_US = 6;
        public const int WEND_HISTOGRAM_WAIT = 0;
        public const int WEND_HISTOGRAM_WAITING = 5;
        public const int WEND_IN_CALLBACK = -6;
        public const int WEND_IN_USE = -11;
        public const int WEND_IO = -9;
        public const int WEND_KIND_GRAPH = 3;
        public const int WEND_KIND_GRID = 1;
        public const int WEND_KIND_VOXEL = 2;
        public const int WEND_LANDMARK_EFFORT = 4096;
        public const int WEND_LAND_ABSENT = 2;
        public const int WEND_LAND_KNOWN = 1;
        public const int WEND_LAND_LOADED = 0;
        public const int WEND_LINK_SEAM = 0;
        public const int WEND_LOG_ERROR = 1;
        public const int WEND_LOG_INFO = 3;
        public const int WEND_LOG_WARNING = 2;
        public const int WEND_MAINTAIN_ALL = 15;
        public const int WEND_MAINTAIN_FAR = 8;
        public const int WEND_MAINTAIN_LANDMARKS = 4;
        public const int WEND_MAINTAIN_PRUNE = 1;
        public const int WEND_MAINTAIN_TABLES = 2;
        public const int WEND_MAX_ACCEL_MILLI = 1000000;
        public const int WEND_MAX_AGENTS = 1048576;
        public const ulong WEND_MAX_ARENA_BYTES = 137438953472;
        public const int WEND_MAX_BODY_SPEED_MILLI = 1000;
        public const ulong WEND_MAX_CELLS = 4294967296;
        public const int WEND_MAX_CHANGES = 512;
        public const int WEND_MAX_CHANGES_EACH = 128;
        public const int WEND_MAX_CLEARANCE = 16000;
        public const int WEND_MAX_CLEARED_BOXES = 64;
        public const int WEND_MAX_CLEARED_CELLS = 4096;
        public const int WEND_MAX_COST = 1000000;
        public const int WEND_MAX_CROWD_FIELDS = 16;
        public const int WEND_MAX_DISC = 255;
        public const ulong WEND_MAX_EDGES = 2147483648;
        public const int WEND_MAX_ELAPSED_MILLI = 1000000;
        public const int WEND_MAX_FAR_NODES = 1048576;
        public const int WEND_MAX_GOALS = 64;
        public const int WEND_MAX_HEADROOM = 16;
        public const int WEND_MAX_HEAD_START = 255;
        public const int WEND_MAX_JAM_PLACES = 16777216;
        public const int WEND_MAX_JAM_WINDOW = 65536;
        public const int WEND_MAX_LANDMARKS = 8;
        public const int WEND_MAX_LAYERS = 64;
        public const int WEND_MAX_LEVELS = 15;
        public const int WEND_MAX_LINKS = 1048576;
        public const ulong WEND_MAX_MAP_BYTES = 17179869184;
        public const int WEND_MAX_MARCHES = 32;
        public const int WEND_MAX_MARCHING = 1024;
        public const int WEND_MAX_MARKS = 4096;
        public const int WEND_MAX_MOVERS = 64;
        public const int WEND_MAX_MOVER_SIZE = 16;
        public const int WEND_MAX_NEAREST = 1024;
        public const int WEND_MAX_NODES = 2147483647;
        public const int WEND_MAX_OCCUPANTS = 255;
        public const int WEND_MAX_POINT = 1073741000;
        public const int WEND_MAX_PROFILES = 127;
        public const int WEND_MAX_PROFILE_LAYERS = 8;
        public const int WEND_MAX_RADIUS_MILLI = 499;
        public const int WEND_MAX_REACH = 255;
        public const int WEND_MAX_RECORDED_MAPS = 1024;
        public const int WEND_MAX_ROUND = 1000000;
        public const int WEND_MAX_SCEN_BYTES = 268435456;
        public const int WEND_MAX_SHEETS = 4096;
        public const int WEND_MAX_SIDE = 65536;
        public const int WEND_MAX_SPACING = 64;
        public const int WEND_MAX_SPEED_MILLI = 1000000;
        public const int WEND_MAX_STEER_CELLS = 64;
        public const int WEND_MAX_TURNING = 64000;
        public const int WEND_MAX_TURNING_MILLI = 64000;
        public const int WEND_MAX_TURN_DEGREES = 180;
        public const int WEND_MAX_VERSIONS = 64;
        public const int WEND_MAX_WAITED_FOR = 8;
        public const int WEND_MAX_WANTED = 256;
        public const int WEND_MAX_WITHIN = 31;
        public const int WEND_MAX_WORKERS = 64;
        public const int WEND_MIN_RADIUS_MILLI = 100;
        public const int WEND_MIN_WRAPPED = 3;
        public const int WEND_MODE_EXACT = 0;
        public const int WEND_MODE_FAR = 2;
        public const int WEND_MODE_NEAREST = 1;
        public const int WEND_MOVER_DEFAULT = 0;
        public const ulong WEND_NO_AGENT = 18446744073709551615;
        public const ulong WEND_NO_LIMIT = 18446744073709551615;
        public const int WEND_OCCUPIED_BLOCK = -1;
        public const int WEND_OCCUPIED_IGNORE = 0;
        public const int WEND_OK = 0;
        public const int WEND_ON_STALE_DELIVER = 1;
        public const int WEND_ON_STALE_RESTART = 0;
        public const int WEND_OUT_OF_MEMORY = -3;
        public const int WEND_OUT_OF_RANGE = -2;
        public const int WEND_PAGE_NODES = 4096;
        public const int WEND_PRESET_MMO = 3;
        public const int WEND_PRESET_SERVER = 2;
        public const int WEND_PRESET_SMALL = 1;
        public const int WEND_PROFILE_NONE = 0;
        public const int WEND_PROGRESS_FINISHED = 3;
        public const int WEND_PROGRESS_RUNNING = 1;
        public const int WEND_PROGRESS_SHARED = 2;
        public const int WEND_PROGRESS_WAITING = 0;
        public const int WEND_PRUNE_EFFORT = 1024;
        public const int WEND_PULL_SEARCH = 2;
        public const int WEND_PULL_UNITS = 1;
        public const int WEND_REQUEST_FAR_BEGIN = 2;
        public const int WEND_REQUEST_LEAVE_BLOCKED_START = 1;
        public const int WEND_ROUND_ARC = 0;
        public const int WEND_ROUND_SPLINE = 1;
        public const int WEND_ROUTE_BACK = 2;
        public const int WEND_ROUTE_LOOP = 1;
        public const int WEND_ROUTE_ONCE = 0;
        public const int WEND_STALE_TICKET = -5;
        public const int WEND_STATUS_CANCELLED = 6;
        public const int WEND_STATUS_COUNT = 14;
        public const int WEND_STATUS_DISPLACED = 13;
        public const int WEND_STATUS_EXPIRED = 7;
        public const int WEND_STATUS_FOUND = 1;
        public const int WEND_STATUS_GOAL_BLOCKED = 5;
        public const int WEND_STATUS_LIMIT = 8;
        public const int WEND_STATUS_NO_PATH = 3;
        public const int WEND_STATUS_OUT_OF_NODES = 9;
        public const int WEND_STATUS_PARTIAL = 2;
        public const int WEND_STATUS_PENDING = 0;
        public const int WEND_STATUS_REPLACED = 12;
        public const int WEND_STATUS_STALE = 10;
        public const int WEND_STATUS_START_BLOCKED = 4;
        public const int WEND_STATUS_TOO_LONG = 11;
        public const int WEND_UNLOADED_BLOCK = 0;
        public const int WEND_UNLOADED_KNOWN = 2;
        public const int WEND_UNLOADED_WAIT = 1;
        public const int WEND_UNSUPPORTED = -10;
        public const int WEND_URGENCY_MAX = 1000;
        public const int WEND_URGENCY_MIN = -1000;
        public const int WEND_VERSION_MAJOR = 1;
        public const int WEND_VERSION_MINOR = 0;
        public const int WEND_VERSION_PATCH = 0;
        public const int WEND_WAIT_AGENT = 10;
        public const int WEND_WAIT_BOX = 14;
        public const int WEND_WAIT_FIELD = 5;
        public const int WEND_WAIT_GROUP = 6;
        public const int WEND_WAIT_LAND = 9;
        public const int WEND_WAIT_NONE = 0;
        public const int WEND_WAIT_PARKED = 12;
        public const int WEND_WAIT_PLAYER = 11;
        public const int WEND_WAIT_QUEUE = 2;
        public const int WEND_WAIT_SEARCH = 1;
        public const int WEND_WAIT_TARGET = 7;
        public const int WEND_WAIT_TIME = 4;
        public const int WEND_WAIT_UNIT = 13;
        public const int WEND_WAIT_WAY = 8;
        public const int WEND_WAIT_WINDOW = 15;
        public const int WEND_WAIT_WORK = 3;
        public const int WEND_WALK_ARRIVED = 1;
        public const int WEND_WALK_BROKEN = 4;
        public const int WEND_WALK_ON = 0;
        public const int WEND_WALK_PARTIAL = 1;
        public const int WEND_WALK_PATH_ENDED = 2;
        public const int WEND_WALK_UNITS = 2;
        public const int WEND_WALK_UNIT_AHEAD = 3;
        public const int WEND_WANTED_FRAMES = 64;
        public const int WEND_WEIGHT_MAX_MILLI = 100000;
        public const int WEND_WHY_BLOCKED = 2;
        public const int WEND_WHY_GONE = 4;
        public const int WEND_WHY_LIMIT = 3;
        public const int WEND_WHY_NONE = 0;
        public const int WEND_WHY_NO_PATH = 1;
        public const int WEND_WHY_STEPPING = 5;
        public const int WEND_WORK_COUNT = 7;
        public const int WEND_WORK_FIELD = 6;
        public const int WEND_WORK_GENERAL_ASTAR = 5;
        public const int WEND_WORK_GRAPH_ASTAR = 4;
        public const int WEND_WORK_GRID_ASTAR = 0;
        public const int WEND_WORK_GRID_JUMP = 1;
        public const int WEND_WORK_STOP_JUMP = 2;
        public const int WEND_WORK_VOXEL_ASTAR = 3;
        public const int WEND_WRAP_X = 1;
        public const int WEND_WRAP_Y = 2;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_cell
    {
        public int x;
        public int y;
        public int z;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_point
    {
        public int x;
        public int y;
        public int z;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_box
    {
        public wend_cell min;
        public wend_cell max;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_allocator
    {
        public IntPtr context;
        public IntPtr alloc;
        public IntPtr free;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_clock
    {
        public IntPtr context;
        public IntPtr now_ns;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_map_rules
    {
        public uint struct_bytes;
        public int neighbours;
        public int corners;
        public int cost_straight;
        public int cost_diagonal;
        public int cost_space;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 256)] public byte[] factors;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_sheet
    {
        public wend_box box;
        public wend_cell ground;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_map_def
    {
        public uint struct_bytes;
        public int kind;
        public int width;
        public int height;
        public int depth;
        public int max_versions;
        public ulong max_bytes;
        public IntPtr rules;
        public IntPtr acceleration;
        public wend_allocator allocator;
        public int streamed;
        public int wrap;
        public uint sheet_count;
        public IntPtr sheets;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_map_info
    {
        public uint struct_bytes;
        public int kind;
        public int width;
        public int height;
        public int depth;
        public ulong epoch;
        public ulong components;
        public ulong cells;
        public ulong edges;
        public ulong links;
        public ulong closed_steps;
        public int movers;
        public int has_coordinates;
        public ulong cost_per_unit;
        public ulong bytes;
        public ulong bytes_peak;
        public int jumps;
        public ulong jump_unpruned;
        public ulong jump_bytes;
        public int landmarks;
        public ulong landmark_left;
        public ulong landmark_age;
        public ulong landmark_bytes;
        public ulong landmark_effort;
        public int marks_units;
        public ulong unit_bytes;
        public ulong far_stale;
        public int far_levels;
        public int streamed;
        public ulong loaded_chunks;
        public ulong known_chunks;
        public int wrap;
        public uint sheets;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_acceleration
    {
        public uint struct_bytes;
        public int mover;
        public int units;
        public int tables;
        public int landmarks;
        public uint reserved;
        public ulong max_bytes;
        public ulong publish_effort;
        public int later;
        public int far;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_file_error
    {
        public uint struct_bytes;
        public int line;
        public int column;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 244)] public byte[] text;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_map_markers
    {
        public uint struct_bytes;
        public int format;
        public int has_start;
        public int has_goal;
        public wend_cell start;
        public wend_cell goal;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 200)] public byte[] assumed;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_ticket
    {
        public uint index;
        public uint generation;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_request
    {
        public uint struct_bytes;
        public int urgency;
        public IntPtr map;
        public wend_cell start;
        public wend_cell goal;
        public int mover;
        public int mode;
        public int reach;
        public ulong agent;
        public ulong deadline_frames;
        public IntPtr on_done;
        public IntPtr context;
        public IntPtr more;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_completion
    {
        public uint struct_bytes;
        public int status;
        public long cost;
        public IntPtr cells;
        public UIntPtr cell_count;
        public ulong expansions;
        public ulong frames;
        public ulong wait_frames;
        public int engine;
        public int exact;
        public int bound_milli;
        public int restarts;
        public ulong epoch;
        public ulong @checked;
        public ulong number;
        public wend_ticket ticket;
        public IntPtr context;
        public int shared;
        public int unknown;
        public IntPtr crossings;
        public UIntPtr crossing_count;
        public UIntPtr first_unloaded;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_jobs
    {
        public IntPtr context;
        public IntPtr run;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_service_def
    {
        public uint struct_bytes;
        public uint queue;
        public uint workers;
        public uint reserve;
        public uint displace;
        public uint share;
        public ulong nodes;
        public ulong max_path_cells;
        public ulong path_bytes;
        public wend_allocator allocator;
        public wend_clock clock;
        public wend_jobs jobs;
        public IntPtr tuning;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_budget
    {
        public uint struct_bytes;
        public uint reserved;
        public ulong expansions;
        public ulong us;
        public ulong rounds;
        public ulong intakes;
        public ulong deliveries;
        public ulong cells;
        public ulong changes;
        public ulong checks;
        public ulong chosen;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_frame
    {
        public uint struct_bytes;
        public uint reserved;
        public ulong frame;
        public ulong expansions;
        public ulong rounds;
        public ulong us;
        public ulong intakes;
        public ulong deliveries;
        public ulong cells;
        public ulong submitted;
        public ulong waiting;
        public ulong running;
        public ulong finished;
        public ulong evictions;
        public ulong checks;
        public ulong outdated;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 16)] public ulong[] statuses;
        public ulong changes;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] public ulong[] work_expansions;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] public ulong[] work_ns;
        public ulong shared;
        public ulong chosen;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_percentiles
    {
        public ulong p50;
        public ulong p99;
        public ulong max;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_stats
    {
        public uint struct_bytes;
        public uint reserved;
        public ulong frames;
        public ulong submitted;
        public ulong refused_busy;
        public ulong completed;
        public ulong expansions;
        public ulong rounds;
        public ulong us;
        public ulong evictions;
        public ulong checks;
        public ulong outdated;
        public ulong pending;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 16)] public ulong[] statuses;
        public ulong nodes_in_use_peak;
        public wend_percentiles wait_frames;
        public wend_percentiles latency_frames;
        public ulong shared;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_agent_id
    {
        public uint index;
        public uint generation;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_agent_event
    {
        public uint struct_bytes;
        public int @event;
        public int why;
        public wend_agent_id agent;
        public wend_cell cell;
        public IntPtr context;
        public ulong update;
        public wend_box box;
        public wend_cell to;
        public int ahead;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_crowd_def
    {
        public uint struct_bytes;
        public uint agents;
        public IntPtr service;
        public IntPtr map;
        public ulong path_bytes;
        public IntPtr on_event;
        public IntPtr context;
        public wend_allocator allocator;
        public IntPtr tuning;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_agent_def
    {
        public uint struct_bytes;
        public uint flags;
        public wend_cell cell;
        public int mover;
        public uint speed_milli;
        public int urgency;
        public IntPtr context;
        public int profile;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_crowd_goal
    {
        public uint struct_bytes;
        public int kind;
        public wend_cell cell;
        public int reach;
        public wend_agent_id target;
        public int distance;
        public int keep;
        public int near_enough;
        public int formation;
        public uint spacing;
        public int pace;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_agent_state
    {
        public uint struct_bytes;
        public int state;
        public wend_cell cell;
        public wend_cell from;
        public wend_point point;
        public wend_cell facing;
        public int mover;
        public uint speed_milli;
        public int urgency;
        public uint flags;
        public int has_goal;
        public wend_crowd_goal goal;
        public uint steps_left;
        public uint waited;
        public uint tries;
        public IntPtr context;
        public wend_ticket ticket;
        public int profile;
        public uint reserved;
        public int waits;
        public int route;
        public wend_agent_id blocker;
        public wend_cell blocked_cell;
        public wend_cell path_end;
        public uint next_try;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_crowd_view
    {
        public uint struct_bytes;
        public uint count;
        public IntPtr ids;
        public IntPtr states;
        public IntPtr cells;
        public IntPtr points;
        public IntPtr facings;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_crowd_stats
    {
        public uint struct_bytes;
        public uint agents;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] public uint[] states;
        public uint busy;
        public uint searches;
        public uint events;
        public uint put_off;
        public ulong updates;
        public ulong goals_begun;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 16)] public ulong[] event_counts;
        public ulong searches_begun;
        public ulong steps;
        public ulong head_starts;
        public ulong field_goals;
        public ulong far_routes;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_bodies_def
    {
        public uint struct_bytes;
        public uint reserved;
        public IntPtr crowd;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_body_def
    {
        public uint struct_bytes;
        public uint radius_milli;
        public uint accel_milli;
        public uint turn_degrees;
        public uint turning_radius_milli;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_body_vector
    {
        public int x;
        public int y;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_body_state
    {
        public uint struct_bytes;
        public int state;
        public wend_body_vector at;
        public wend_body_vector velocity;
        public wend_body_vector facing;
        public uint radius_milli;
        public uint speed_milli;
        public uint waited;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_steer_def
    {
        public uint struct_bytes;
        public uint way_count;
        public IntPtr way;
        public wend_body_vector at;
        public wend_body_vector velocity;
        public wend_body_vector to;
        public wend_body_def body;
        public uint speed_milli;
        public int mover;
        public wend_agent_id own;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_bodies_view
    {
        public uint struct_bytes;
        public uint count;
        public IntPtr points;
        public IntPtr velocities;
        public IntPtr radii;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_request_more
    {
        public uint struct_bytes;
        public uint flags;
        public int engine;
        public int heuristic;
        public int weight_milli;
        public int on_stale;
        public int occupied;
        public int occupied_within;
        public int unloaded;
        public uint more_goal_count;
        public IntPtr more_goals;
        public ulong max_expansions;
        public int profile;
        public int reserved;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_search_def
    {
        public uint struct_bytes;
        public ulong nodes;
        public wend_allocator allocator;
        public uint far_nodes;
        public uint reserved;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_prefix
    {
        public uint struct_bytes;
        public int whole;
        public UIntPtr cell_count;
        public long cost;
        public long left;
        public ulong expansions;
        public ulong epoch;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_search_node
    {
        public wend_cell cell;
        public wend_cell parent;
        public long g;
        public long h;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_nearest_def
    {
        public uint struct_bytes;
        public int mover;
        public IntPtr map;
        public wend_cell start;
        public int occupied;
        public int profile;
        public int free_only;
        public uint cell_count;
        public IntPtr cells;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 4)] public ulong[] classes;
        public long most_cost;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_hit
    {
        public wend_cell cell;
        public long cost;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_crowd_tuning
    {
        public uint struct_bytes;
        public uint events;
        public int units_within;
        public uint tries;
        public uint retry_updates;
        public uint routes;
        public uint route_cells;
        public uint head_start;
        public uint fields;
        public uint field_agents;
        public uint work;
        public uint patience_updates;
        public uint far_beyond;
        public uint link_events;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_update_budget
    {
        public uint struct_bytes;
        public uint reserved;
        public ulong us;
        public ulong choices;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_field_def
    {
        public uint struct_bytes;
        public int mover;
        public IntPtr map;
        public IntPtr goals;
        public uint goal_count;
        public uint most_goals;
        public int purpose;
        public int urgency;
        public uint largest_cost;
        public uint fear_milli;
        public wend_allocator allocator;
        public int profile;
        public uint reserved;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_figures_def
    {
        public uint struct_bytes;
        public uint frames;
        public uint slices;
        public uint completions;
        public wend_allocator allocator;
        public uint updates;
        public uint reserved;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_frame_record
    {
        public ulong frame;
        public ulong began_ns;
        public ulong intake_ns;
        public ulong rounds_ns;
        public ulong ended_ns;
        public ulong budget;
        public ulong budget_us;
        public ulong expansions;
        public ulong rounds;
        public ulong intakes;
        public ulong deliveries;
        public ulong cells;
        public ulong changes;
        public ulong checks;
        public ulong waiting;
        public ulong running;
        public ulong finished;
        public ulong evictions;
        public ulong outdated;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] public ulong[] work_expansions;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] public ulong[] work_ns;
        public ulong shared;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_slice_record
    {
        public ulong frame;
        public ulong round;
        public ulong began_ns;
        public ulong ended_ns;
        public ulong expansions;
        public ulong number;
        public uint requests;
        public uint lane;
        public uint thread;
        public uint fair;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_done_record
    {
        public ulong frame;
        public ulong number;
        public ulong expansions;
        public ulong frames;
        public ulong wait_frames;
        public int status;
        public int engine;
        public int urgency;
        public int restarts;
        public int shared;
        public int general;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_update_record
    {
        public ulong update;
        public ulong began_ns;
        public ulong ended_ns;
        public ulong choices;
        public ulong steps;
        public ulong stands;
        public ulong put_off;
        public ulong searches;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_figures_stats
    {
        public uint struct_bytes;
        public uint reserved;
        public ulong frames;
        public ulong slices;
        public ulong completions;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] public ulong[] engine_answers;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] public ulong[] engine_expansions;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] public ulong[] work_expansions;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 8)] public ulong[] work_ns;
        public ulong shared;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 16)] public ulong[] general_answers;
        public ulong updates;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_histogram
    {
        public uint struct_bytes;
        public uint reserved;
        public ulong total;
        public ulong sum;
        public ulong max;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 496)] public ulong[] counts;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_queue_band
    {
        public int least;
        public int most;
        public ulong waiting;
        public ulong running;
        public ulong oldest_frames;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_queue
    {
        public uint struct_bytes;
        public uint lanes;
        public ulong frame;
        public ulong waiting;
        public ulong running;
        public ulong finished;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 5)] public wend_queue_band[] bands;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_lane_record
    {
        public uint lane;
        public int urgency;
        public int engine;
        public wend_ticket ticket;
        public ulong number;
        public ulong agent;
        public IntPtr map;
        public wend_cell start;
        public wend_cell goal;
        public ulong expansions;
        public ulong submitted_frame;
        public ulong since;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_progress
    {
        public uint struct_bytes;
        public int state;
        public int urgency;
        public int engine;
        public ulong ahead;
        public ulong peers;
        public ulong frames;
        public ulong expansions;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_turn
    {
        public wend_cell cell;
        public uint index;
        public int offset_x;
        public int offset_y;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_pull_def
    {
        public uint struct_bytes;
        public int mover;
        public uint flags;
        public uint radius_milli;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_round_def
    {
        public uint struct_bytes;
        public int kind;
        public int mover;
        public uint radius_milli;
        public uint spacing_milli;
        public uint clearance_milli;
        public uint turning_milli;
        public int heading_x;
        public int heading_y;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_placement
    {
        public double origin_x;
        public double origin_y;
        public double cell_width;
        public double cell_height;
        public int y_up;
        public int isometric;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_edge
    {
        public uint from;
        public uint to;
        public int cost;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_graph_def
    {
        public uint struct_bytes;
        public uint node_count;
        public IntPtr present;
        public IntPtr coordinates;
        public IntPtr edges;
        public ulong edge_count;
        public int max_versions;
        public uint node_capacity;
        public ulong max_bytes;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 256)] public byte[] factors;
        public wend_allocator allocator;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_hex_placement
    {
        public double origin_x;
        public double origin_y;
        public double column_width;
        public double row_height;
        public int layout;
        public int first;
        public int y_up;
        public int reserved;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_jams_def
    {
        public uint struct_bytes;
        public uint window;
        public uint places;
        public uint reserved;
        public wend_allocator allocator;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_jams_stats
    {
        public uint struct_bytes;
        public uint updates;
        public uint places;
        public uint agents;
        public ulong waits;
        public ulong missed;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_jam
    {
        public wend_cell cell;
        public uint cells;
        public uint agents;
        public uint reserved;
        public ulong peak;
        public ulong waits;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_journey
    {
        public uint struct_bytes;
        public int last;
        public wend_request request;
        public wend_request_more more;
        public IntPtr crossings;
        public UIntPtr count;
        public UIntPtr next;
        public long cost;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_layer_def
    {
        public uint struct_bytes;
        public uint half_life;
        public int within;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_layer_info
    {
        public uint struct_bytes;
        public uint half_life;
        public ulong updates;
        public int layers;
        public int within;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_layer_weight
    {
        public int layer;
        public int weight;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_arena_def
    {
        public uint struct_bytes;
        public uint marks;
        public ulong bytes;
        public ulong mark_bytes;
        public wend_allocator allocator;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_arena_info
    {
        public uint struct_bytes;
        public int watched;
        public ulong used_bytes;
        public ulong top_bytes;
        public ulong mark_bytes;
        public ulong changed_bytes;
        public uint marks;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_walk
    {
        public IntPtr cells;
        public uint cell_count;
        public uint index;
        public wend_cell from;
        public int mover;
        public long done;
        public long length;
        public uint speed_milli;
        public uint flags;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_walk_place
    {
        public uint struct_bytes;
        public uint steps_left;
        public wend_cell cell;
        public wend_point point;
        public wend_point offset;
        public wend_cell facing;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_mover
    {
        public uint struct_bytes;
        public int size;
        [MarshalAs(UnmanagedType.ByValArray, SizeConst = 256)] public byte[] factors;
        public int walker;
        public int step_up;
        public int drop;
        public int headroom;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_places_def
    {
        public uint struct_bytes;
        public int mover;
        public wend_cell goal;
        public wend_cell from;
        public int occupied;
        public uint max_cells;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_recording
    {
        public uint struct_bytes;
        public int error;
        public uint maps;
        public uint reserved;
        public ulong frames;
        public ulong bytes;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_route_def
    {
        public uint struct_bytes;
        public int mode;
        public IntPtr corners;
        public uint corner_count;
        public uint reserved;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_save_host
    {
        public uint struct_bytes;
        public uint map_count;
        public IntPtr maps;
        public IntPtr context;
        public IntPtr request;
        public IntPtr agent;
        public int settle;
        public int reserved;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_scen_query
    {
        public int bucket;
        public int width;
        public int height;
        public int depth;
        public wend_cell start;
        public wend_cell goal;
        public IntPtr map;
        public double length;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_service_tuning
    {
        public uint struct_bytes;
        public uint lanes;
        public uint searches;
        public uint list;
        public uint fair;
        public uint evictions;
        public uint restarts;
        public uint goals;
        public uint horizon;
        public uint prefault;
        public ulong slice;
        public ulong quantum;
        public ulong share_cells;
        public uint rush;
        public uint far_nodes;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_changes
    {
        public uint struct_bytes;
        public int everything;
        public ulong epoch;
        public ulong revision;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_watch_id
    {
        public uint index;
        public uint generation;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_watch_event
    {
        public uint struct_bytes;
        public uint reserved;
        public wend_watch_id id;
        public wend_cell cell;
        public uint index;
        public uint reserved2;
        public ulong epoch;
        public IntPtr context;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_watcher_def
    {
        public uint struct_bytes;
        public uint paths;
        public ulong cells;
        public IntPtr map;
        public IntPtr on_broken;
        public IntPtr context;
        public wend_allocator allocator;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_watch
    {
        public uint struct_bytes;
        public int mover;
        public IntPtr cells;
        public ulong cell_count;
        public IntPtr context;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_link
    {
        public wend_cell from;
        public wend_cell to;
        public int cost;
        public uint reserved;
    }
    [StructLayout(LayoutKind.Sequential)]
    public struct wend_step
    {
        public wend_cell from;
        public wend_cell to;
    }
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate int wend_write_fn(IntPtr context, IntPtr bytes, UIntPtr size);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate void wend_done_fn(IntPtr context, IntPtr completion);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate void wend_agent_event_fn(IntPtr context, IntPtr @event);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate void wend_assert_handler(IntPtr condition, IntPtr file, int line);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate void wend_log_fn(IntPtr context, int level, int error, IntPtr text);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate int wend_record_fn(IntPtr context, uint file, IntPtr bytes, UIntPtr size);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate void wend_watch_fn(IntPtr context, IntPtr @event);
    public static class Functions
    {
        const string Library = "wend";
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_error_name(int error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_error_text(int error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_error_detail(int error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_status_name(int status);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_map_rules_init(IntPtr rules, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_map_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_map_retain(IntPtr map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_map_release(IntPtr map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_info(IntPtr map, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_terrain(IntPtr map, wend_cell cell, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_terrain_box(IntPtr map, wend_box box, IntPtr @out, UIntPtr stride_bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_begin(IntPtr map, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_set_cell(IntPtr edit, wend_cell cell, byte terrain);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_fill_box(IntPtr edit, wend_box box, byte terrain);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_set_box(IntPtr edit, wend_box box, IntPtr terrain, UIntPtr stride_bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_publish(IntPtr edit, IntPtr epoch);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_edit_discard(IntPtr edit);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_set_cell(IntPtr map, wend_cell cell, byte terrain, IntPtr epoch);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_acceleration_init(IntPtr acceleration, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_accelerate(IntPtr map, IntPtr def);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_maintain(IntPtr map, uint work, ulong effort, IntPtr left);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_parse(IntPtr bytes, UIntPtr size, IntPtr def, IntPtr @out, IntPtr markers, IntPtr error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_load(IntPtr path, IntPtr def, IntPtr @out, IntPtr markers, IntPtr error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_save(IntPtr map, IntPtr path, int format, IntPtr markers, IntPtr error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_request_init(IntPtr request, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_find_path(IntPtr map, wend_cell start, wend_cell goal, IntPtr cells, UIntPtr capacity, IntPtr count, IntPtr status);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_service_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_def_preset(IntPtr def, UIntPtr bytes, int preset);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_service_bytes(IntPtr def);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_submit(IntPtr service, IntPtr request, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_cancel(IntPtr service, wend_ticket ticket);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_set_urgency(IntPtr service, wend_ticket ticket, int urgency);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_budget_init(IntPtr budget, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_tick(IntPtr service, IntPtr budget, IntPtr frame);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_get_stats(IntPtr service, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong wend_service_get_pending(IntPtr service);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_destroy(IntPtr service);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_agent_state_name(int state);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_agent_event_name(int @event);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_agent_why_name(int why);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_agent_wait_name(int waits);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_crowd_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_def_preset(IntPtr def, UIntPtr bytes, int preset);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_crowd_bytes(IntPtr def);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_destroy(IntPtr crowd);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_agent_def_init(IntPtr agent, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_add(IntPtr crowd, IntPtr agent, IntPtr id);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_crowd_goal_init(IntPtr goal, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_go(IntPtr crowd, IntPtr ids, UIntPtr count, IntPtr goal);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_halt(IntPtr crowd, IntPtr ids, UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_remove(IntPtr crowd, wend_agent_id id);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_update(IntPtr crowd, uint elapsed_milli);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_poll(IntPtr crowd, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_get_agent(IntPtr crowd, wend_agent_id id, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_get_view(IntPtr crowd, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_get_stats(IntPtr crowd, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_step(IntPtr crowd, wend_agent_id id, wend_cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_move(IntPtr crowd, wend_agent_id id, wend_cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_set_speed(IntPtr crowd, wend_agent_id id, uint speed_milli);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_set_urgency(IntPtr crowd, wend_agent_id id, int urgency);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_wait_for(IntPtr crowd, wend_agent_id id, IntPtr others, UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_set_mover(IntPtr crowd, IntPtr ids, UIntPtr count, int mover);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_set_profile(IntPtr crowd, IntPtr ids, UIntPtr count, int profile);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_get_path(IntPtr crowd, wend_agent_id id, IntPtr cells, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_agent_event_ends_goal(int @event);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_bodies_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_bodies_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_bodies_destroy(IntPtr bodies);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_body_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_body_add(IntPtr bodies, wend_agent_id agent, IntPtr def);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_body_remove(IntPtr bodies, wend_agent_id agent);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_body_get(IntPtr bodies, wend_agent_id agent, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_body_set(IntPtr bodies, wend_agent_id agent, wend_body_vector at, wend_body_vector velocity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_steer_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_steer(IntPtr bodies, IntPtr def, IntPtr velocity, IntPtr corner);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_bodies_get_view(IntPtr bodies, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_is_clear(IntPtr crowd, wend_box box, IntPtr clear);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_clear_box(IntPtr crowd, wend_box box);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_release_box(IntPtr crowd, wend_box box);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_get_boxes(IntPtr crowd, IntPtr boxes, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_request_more_init(IntPtr more, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_request_explain(IntPtr request, IntPtr engine, IntPtr why);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_general_name(int reason);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_general_text(int reason);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_search_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_search_bytes(IntPtr def);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_search_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_search_begin(IntPtr search, IntPtr request);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_search_step(IntPtr search, ulong expansions, IntPtr used);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_search_get_result(IntPtr search, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_search_get_path(IntPtr search, IntPtr cells, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_search_get_crossings(IntPtr search, IntPtr crossings, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_search_get_prefix(IntPtr search, IntPtr cells, UIntPtr capacity, IntPtr prefix);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_search_get_expanded(IntPtr search, IntPtr cells, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_search_get_open(IntPtr search, IntPtr nodes, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_nearest_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_find_nearest(IntPtr def, IntPtr hits, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_search_destroy(IntPtr search);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_submit_many(IntPtr service, IntPtr requests, UIntPtr count, IntPtr tickets, IntPtr accepted);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_set_goal(IntPtr service, wend_ticket ticket, wend_cell goal);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_set_urgencies(IntPtr service, IntPtr tickets, IntPtr urgencies, UIntPtr count, IntPtr applied);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_cancel_map(IntPtr service, IntPtr map, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_get_prefix(IntPtr service, wend_ticket ticket, IntPtr cells, UIntPtr capacity, IntPtr prefix);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong wend_service_get_wait(IntPtr service);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong wend_service_get_work(IntPtr service);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_get_wanted(IntPtr service, IntPtr map, IntPtr chunks, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong wend_service_get_slices(IntPtr service, uint thread);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_service_set_wake(IntPtr service, IntPtr wake, IntPtr context);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_service_close(IntPtr service);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_crowd_tuning_init(IntPtr tuning, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_update_budget_init(IntPtr budget, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_update_within(IntPtr crowd, uint elapsed_milli, IntPtr budget, IntPtr choices);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_field_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_field_bytes(IntPtr def);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_field_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_field_destroy(IntPtr field);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_field_step(IntPtr field, ulong expansions, IntPtr used);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_field_repair(IntPtr field);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_field_set_goals(IntPtr field, IntPtr goals, uint count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_field_refresh(IntPtr field);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_field_next(IntPtr field, wend_cell cell, IntPtr next, IntPtr cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_field_is_complete(IntPtr field);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong wend_field_get_epoch(IntPtr field);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_add_field(IntPtr service, IntPtr field);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_remove_field(IntPtr service, IntPtr field);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_figures_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_figures_bytes(IntPtr def);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_figures_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_figures_destroy(IntPtr figures);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_set_figures(IntPtr service, IntPtr figures);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_service_get_figures(IntPtr service);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_figures_get_stats(IntPtr figures, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_figures_get_frames(IntPtr figures, ulong from, IntPtr @out, UIntPtr bytes, UIntPtr capacity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_figures_get_slices(IntPtr figures, ulong from, IntPtr @out, UIntPtr bytes, UIntPtr capacity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_figures_get_completions(IntPtr figures, ulong from, IntPtr @out, UIntPtr bytes, UIntPtr capacity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_figures_get_updates(IntPtr figures, ulong from, IntPtr @out, UIntPtr bytes, UIntPtr capacity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_urgency_band(int urgency);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_figures_get_histogram(IntPtr figures, int kind, int band, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_figures_get_recent(IntPtr figures, int kind, int band, uint frames, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong wend_histogram_top(uint bucket);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong wend_histogram_percentile(IntPtr histogram, uint permille);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_get_queue(IntPtr service, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_service_get_lanes(IntPtr service, IntPtr @out, UIntPtr bytes, UIntPtr capacity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_progress_name(int state);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_get_progress(IntPtr service, wend_ticket ticket, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_get_expanded(IntPtr service, wend_ticket ticket, IntPtr cells, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_format_detect(IntPtr bytes, UIntPtr size);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_write(IntPtr map, int format, IntPtr markers, IntPtr write, IntPtr context, IntPtr error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_path_turns(IntPtr cells, UIntPtr cell_count, IntPtr @out, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_pull_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_path_pull(IntPtr map, IntPtr def, IntPtr cells, UIntPtr cell_count, IntPtr turns, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_line_clearance(IntPtr map, int mover, IntPtr points, UIntPtr count, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_path_unpull(IntPtr map, int mover, IntPtr turns, UIntPtr turn_count, IntPtr @out, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_point_line_of_sight(IntPtr map, int mover, wend_point from, wend_point to, IntPtr visible);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_round_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_path_round(IntPtr map, IntPtr def, IntPtr turns, UIntPtr turn_count, IntPtr points, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_waypoint_next(IntPtr map, int mover, IntPtr points, UIntPtr count, wend_point at, uint radius_milli, IntPtr index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_placement_get_world(IntPtr placement, wend_cell cell, IntPtr x, IntPtr y);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_placement_get_cell(IntPtr placement, double x, double y, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_graph_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_graph_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_edges(IntPtr map, uint node, IntPtr @out, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_coordinates(IntPtr map, uint node, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern wend_cell wend_hex_from_offset(int layout, int column, int row, int first);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_hex_to_offset(int layout, wend_cell cell, int first, IntPtr column, IntPtr row);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_hex_get_world(IntPtr placement, wend_cell cell, IntPtr x, IntPtr y);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_hex_get_cell(IntPtr placement, double x, double y, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern wend_allocator wend_allocator_default();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern wend_clock wend_clock_default();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_set_assert_handler(IntPtr handler);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_set_log(IntPtr log, IntPtr context, int level);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_jams_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_jams_bytes(IntPtr def);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_jams_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_jams_destroy(IntPtr jams);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_set_jams(IntPtr crowd, IntPtr jams);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_jams_clear(IntPtr jams);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_jams_get_stats(IntPtr jams, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong wend_jams_get_waits(IntPtr jams, wend_cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_jams_get_worst(IntPtr jams, int within, IntPtr @out, UIntPtr bytes, UIntPtr capacity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_journey_begin(IntPtr @out, IntPtr request, IntPtr completion, IntPtr crossings, UIntPtr capacity);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_journey_walk(IntPtr journey, IntPtr cells, UIntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_journey_next(IntPtr journey, wend_cell at, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_layer_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_add_layer(IntPtr map, IntPtr def, IntPtr layer);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_layer_add_disc(IntPtr map, int layer, wend_cell centre, int radius, int peak);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_layer_set_box(IntPtr map, int layer, wend_box box, IntPtr values, UIntPtr stride_bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_layer_update(IntPtr map, uint steps);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_layer_get(IntPtr map, int layer, wend_cell cell, IntPtr value);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_layer_get_box(IntPtr map, int layer, wend_box box, IntPtr values, UIntPtr stride_bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_layer(IntPtr map, int layer, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_add_profile(IntPtr map, IntPtr weights, uint count, IntPtr profile);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_profile(IntPtr map, int profile, IntPtr weights, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_arena_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_arena_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_arena_destroy(IntPtr arena);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern wend_allocator wend_arena_allocator(IntPtr arena);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_arena_mark(IntPtr arena, uint slot);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_arena_rewind(IntPtr arena, uint slot);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_arena_forget(IntPtr arena, uint slot);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_arena_get_info(IntPtr arena, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_walk_begin(IntPtr map, IntPtr cells, UIntPtr cell_count, int mover, uint speed_milli, uint flags, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_walk_redirect(IntPtr walk, IntPtr cells, UIntPtr cell_count, int partial);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_path_join(IntPtr map, int mover, IntPtr walked, UIntPtr walked_count, IntPtr path, UIntPtr path_count, IntPtr @out, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_walk_advance(IntPtr map, IntPtr walk, uint distance_milli, IntPtr @event);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_walk_advance_many(IntPtr map, IntPtr walks, UIntPtr count, uint elapsed_milli, IntPtr events);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_walk_get_place(IntPtr map, IntPtr walk, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_walk_get_left(IntPtr map, IntPtr walk, IntPtr left_milli, IntPtr steps);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_walk_event_name(int @event);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_mover_init(IntPtr mover, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_add_mover(IntPtr map, IntPtr mover, IntPtr id);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_mover(IntPtr map, int id, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_reachable(IntPtr map, int mover, wend_cell a, wend_cell b, IntPtr reachable);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_line_of_sight(IntPtr map, int mover, wend_cell from, wend_cell to, IntPtr visible, IntPtr last);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_nearest_open(IntPtr map, int mover, wend_cell cell, int max_cells, IntPtr found, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_path_cost(IntPtr map, int mover, IntPtr cells, UIntPtr count, IntPtr walkable, IntPtr cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_step_legal(IntPtr map, int mover, wend_cell from, wend_cell to, IntPtr legal, IntPtr cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_places_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_free_places(IntPtr map, IntPtr def, IntPtr @out, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_random_cell(IntPtr map, int mover, wend_cell from, ulong seed, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_map_get_class_counts(IntPtr map, IntPtr counts);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_would_disconnect(IntPtr edit, int mover, wend_cell a, wend_cell b, IntPtr disconnects);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_record(IntPtr service, IntPtr write, IntPtr context);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_end_recording(IntPtr service);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_record_map(IntPtr service, IntPtr map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_get_recording(IntPtr service, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_route_def_init(IntPtr route, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_add_route(IntPtr crowd, IntPtr route, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_take(IntPtr crowd, wend_agent_id id, uint route);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_save_host_init(IntPtr host, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_save_state(IntPtr map, IntPtr buffer, UIntPtr capacity, IntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_restore_state(IntPtr map, IntPtr buffer, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_save_state(IntPtr service, IntPtr host, IntPtr buffer, UIntPtr capacity, IntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_restore_state(IntPtr service, IntPtr host, IntPtr buffer, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_adopt(IntPtr service, IntPtr host);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_save_state(IntPtr crowd, IntPtr buffer, UIntPtr capacity, IntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_restore_state(IntPtr crowd, IntPtr host, IntPtr buffer, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_world_hash(IntPtr map, IntPtr service, IntPtr crowd, IntPtr hash);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_crowd_hash_agent(IntPtr crowd, wend_agent_id id, IntPtr hash);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_service_record_state(IntPtr service, IntPtr map, IntPtr crowd, IntPtr write, IntPtr context);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_scen_parse(IntPtr bytes, UIntPtr size, IntPtr @out, IntPtr error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_scen_load(IntPtr path, IntPtr @out, IntPtr error);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern IntPtr wend_scen_get_queries(IntPtr scen, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_scen_free(IntPtr scen);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_scen_write(IntPtr queries, UIntPtr count, IntPtr write, IntPtr context);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_service_tuning_init(IntPtr tuning, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_load(IntPtr edit, int chunk_x, int chunk_y, IntPtr terrain, UIntPtr stride_bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_unload(IntPtr edit, int chunk_x, int chunk_y, int land);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_land(IntPtr map, int chunk_x, int chunk_y, IntPtr land);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_occupy(IntPtr map, wend_cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_vacate(IntPtr map, wend_cell cell);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_occupants(IntPtr map, wend_cell cell, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_fork(IntPtr map, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern ulong wend_map_get_epoch(IntPtr map);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_changes(IntPtr map, ulong since_epoch, IntPtr boxes, UIntPtr capacity, IntPtr count, IntPtr changes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_get_rules(IntPtr map, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_set_rules(IntPtr map, IntPtr rules);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_map_set_max_versions(IntPtr map, int max_versions);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_watcher_def_init(IntPtr def, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_watch_init(IntPtr watch, UIntPtr bytes);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_watcher_bytes(IntPtr def);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_watcher_create(IntPtr def, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_watcher_destroy(IntPtr watcher);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_watcher_add(IntPtr watcher, IntPtr watch, IntPtr id);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_watcher_remove(IntPtr watcher, wend_watch_id id);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_watcher_advance(IntPtr watcher, wend_watch_id id, uint index);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_watcher_update(IntPtr watcher, IntPtr broken);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_watcher_poll(IntPtr watcher, IntPtr @event);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern UIntPtr wend_watcher_get_count(IntPtr watcher);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_map_get_links(IntPtr map, IntPtr @out, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_map_get_sheets(IntPtr map, IntPtr @out, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern void wend_map_get_closed_steps(IntPtr map, IntPtr @out, UIntPtr capacity, IntPtr count);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_set_step(IntPtr edit, wend_cell from, wend_cell to, int open);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_set_step_both(IntPtr edit, wend_cell a, wend_cell b, int open);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_add_link(IntPtr edit, wend_cell from, wend_cell to, int cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_add_link_both(IntPtr edit, wend_cell a, wend_cell b, int cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_remove_link(IntPtr edit, wend_cell from, wend_cell to);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_add_node(IntPtr edit, uint node, wend_cell coordinates, byte terrain, IntPtr @out);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_remove_node(IntPtr edit, uint node);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_set_edge(IntPtr edit, uint from, uint to, int cost);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        public static extern int wend_edit_remove_edge(IntPtr edit, uint from, uint to);
    }
}
