/* SPDX-License-Identifier: MIT */
/* Limits of a world's service: those of a script, defaults, and the memory behind them. */
#define _DEFAULT_SOURCE

#include <stdlib.h>
#include <sys/mman.h>

#include "cli/world/heap.h"
#include "cli/world/world.h"
#include <wend/search.h>

/* ---- memory ---- */

static uint64_t parts(int32_t length, int32_t part) {
    return ((uint64_t)length + (uint64_t)part - 1) / (uint64_t)part;
}

/* Up to four pages a chunk, which is 64 x 64 cells, 16 x 16 x 16 voxels or 4,096 nodes. */
uint64_t cli_search_nodes(const wend_map_info *info) {
    uint64_t chunks = parts(info->width, 4096);
    if (info->kind == WEND_KIND_GRID) chunks = parts(info->width, 64) * parts(info->height, 64);
    if (info->kind == WEND_KIND_VOXEL)
        chunks = parts(info->width, 16) * parts(info->height, 16) * parts(info->depth, 16);
    return 4 * WEND_PAGE_NODES * chunks;
}

#define LARGE_BYTES ((size_t)1 << 20)

static void *map_memory(void *context, size_t bytes, size_t alignment) {
    (void)context;
    void *memory = NULL;
    if (bytes < LARGE_BYTES)
        return posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes) == 0 ? memory
                                                                                                            : NULL;
#ifdef MAP_NORESERVE
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
#else
    memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
    return memory == MAP_FAILED ? NULL : memory;
}

static void give_memory(void *context, void *memory, size_t bytes) {
    (void)context;
    if (bytes < LARGE_BYTES)
        free(memory);
    else if (memory)
        munmap(memory, bytes);
}

wend_allocator cli_lazy_allocator(void) {
    return cli_heap_arena() ? cli_heap_allocator() : (wend_allocator){NULL, map_memory, give_memory};
}

/* ---- limits ---- */

/* The service's own limit; a longer path is not checked beyond it. */
enum { MOST_HORIZON = 65536 };

void cli_limits_apply(cli_limits *given, const wend_order *order) {
    const int32_t what = order->limit.what;
    uint64_t value = order->limit.value;
    given->given |= UINT32_C(1) << what;
    if (what == WEND__LIMIT_HORIZON && value > MOST_HORIZON) value = MOST_HORIZON;
    if (what == WEND__LIMIT_VERSIONS)
        given->versions = value < WEND_MAX_VERSIONS ? (int32_t)value : WEND_MAX_VERSIONS;
    else
        wend__limit_set(what, value, &given->def, &given->tuning);
}

bool cli_limit_given(const cli_limits *limits, int32_t what) {
    return (limits->given >> what & 1) != 0;
}

/* Returns how many further goals there is room for, of all requests together. */
static uint32_t all_goals(uint32_t queue) {
    enum { MOST = 1 << 24, EACH = WEND_MAX_GOALS - 1 };
    return queue > MOST / EACH ? MOST : queue * EACH;
}

/* Returns how many cells a search may meet: a graph may grow up to its ids, by default to twice its nodes and a few. */
static uint64_t most_cells(const wend_map_info *info) {
    enum { FEW = 1024 };
    const uint64_t ids = (uint64_t)info->width, grown = 2 * info->cells + FEW;
    return info->kind != WEND_KIND_GRAPH ? info->cells : ids < grown ? ids : grown;
}

void cli_limits_complete(cli_limits *limits, const wend_map *map, uint64_t spare) {
    enum { IN_HAND = 16 }; /* pages that lanes take before they need them */
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_service_def *def = &limits->def;
    wend_map_get_info(map, &info);
    info.cells = most_cells(&info);
    const bool nodes = cli_limit_given(limits, WEND__LIMIT_NODES);
    const uint64_t search = cli_search_nodes(&info) / 4 * 5; /* a page a chunk more for costs by place */
    if (!nodes) def->nodes = (search + (uint64_t)IN_HAND * WEND_PAGE_NODES) * limits->tuning.lanes;
    if (!cli_limit_given(limits, WEND__LIMIT_CELLS)) def->max_path_cells = info.cells;
    const uint64_t paths = def->max_path_cells * 9 + spare; /* a longest path takes 64 bytes for 15 cells at most */
    if (!cli_limit_given(limits, WEND__LIMIT_PATHS) && def->path_bytes < paths) def->path_bytes = paths;
    if (!cli_limit_given(limits, WEND__LIMIT_GOALS)) limits->tuning.goals = all_goals(def->queue);
    if (def->reserve > def->queue) def->reserve = def->queue; /* all of the queue is for the urgent */
    def->tuning = &limits->tuning;
    def->allocator = cli_lazy_allocator();
    /* a default must not exceed what a service can count: halve it on maps that large */
    while (!nodes && def->nodes > WEND_PAGE_NODES && wend_service_bytes(def) == 0) def->nodes /= 2;
}
