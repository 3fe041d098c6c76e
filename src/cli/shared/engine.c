/* SPDX-License-Identifier: MIT */
/* Memory for searches; jump tables and landmarks, made where an engine can use them and kept up between frames. */
#define _DEFAULT_SOURCE

#include "cli/shared/engine.h"

#include <stdlib.h>
#include <sys/mman.h>

#include <wend/acceleration.h>

#include "cli/shared/messages.h"
#include "cli/shared/rules.h"

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

uint32_t cli_prefault(const wend_service_def *def) {
    return wend_service_bytes(def) <= (size_t)1 << 28;
}

#define LARGE_BYTES ((size_t)1 << 20)

static void *take_memory(void *context, size_t bytes, size_t alignment) {
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
    else if (memory != NULL)
        munmap(memory, bytes);
}

wend_allocator cli_lazy_allocator(void) {
    return (wend_allocator){NULL, take_memory, give_memory};
}

/* Jump tables take about 8 bytes a cell on mixed terrain. With --engine auto they are made for maps up to this size. */
static const uint64_t auto_cells = UINT64_C(1) << 24;

bool cli_engine_fits(const wend_map_info *info) {
    return info->cells <= auto_cells;
}

int cli_engine_prepare(wend_map *map, int32_t engine, uint64_t landmarks) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    const wend_map_rules rules = cli_map_rules(map);
    bool serves = info.kind == WEND_KIND_GRID && rules.neighbours == 8 && rules.corners == WEND_CORNERS_NEVER;
    if (!serves || engine == WEND_ENGINE_ASTAR || (engine == WEND_ENGINE_AUTO && !cli_engine_fits(&info))) return -1;
    wend_acceleration def;
    wend_acceleration_init(&def, sizeof def);
    def.landmarks = (int32_t)landmarks;
    wend_error error = wend_map_accelerate(map, &def);
    def.landmarks = 0;
    if (landmarks > 0 && (error == WEND_UNSUPPORTED || error == WEND_OUT_OF_MEMORY)) /* tables alone, then */
        error = wend_map_accelerate(map, &def);
    if (error == WEND_OK || error == WEND_UNSUPPORTED) return -1; /* A* answers */
    if (error == WEND_OUT_OF_MEMORY && engine == WEND_ENGINE_AUTO) return -1;
    return cli_fail("jump tables: %s", wend_error_detail(error));
}

/* A frame prunes up to 4 chunks, about 0.1 ms each; or it repairs so many cells of each incomplete landmark. */
enum { EFFORT_A_FRAME = 4 * WEND_PRUNE_EFFORT };

int cli_engine_upkeep(wend_map *map) {
    wend_error error = wend_map_maintain(map, EFFORT_A_FRAME, NULL);
    return error == WEND_OK ? -1 : cli_fail("jump tables and landmarks: %s", wend_error_detail(error));
}

const char *cli_engine_name(int32_t engine) {
    return engine == WEND_ENGINE_JUMP ? "jump" : "astar";
}
