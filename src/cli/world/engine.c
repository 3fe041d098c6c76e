/* SPDX-License-Identifier: MIT */
/* Jump tables and landmarks, made if an engine can use them and updated between frames. */
#include "cli/world/world.h"

#include <wend/acceleration.h>
#include <wend/versions.h>

#include "cli/output/messages.h"

wend_map_rules cli_map_rules(const wend_map *map) {
    wend_map_rules rules = {.struct_bytes = sizeof rules};
    wend_map_get_rules(map, &rules);
    return rules;
}

uint32_t cli_prefault(const wend_service_def *def) {
    return wend_service_bytes(def) <= (size_t)1 << 28;
}

/* Jump tables take about 8 bytes a cell on mixed terrain. With --engine auto they are made for maps up to this size. */
static const uint64_t auto_cells = UINT64_C(1) << 24;

int cli_engine_prepare(wend_map *map, int32_t engine, uint64_t landmarks, int32_t far) {
    wend_map_info info = {.struct_bytes = sizeof info};
    wend_map_get_info(map, &info);
    const wend_map_rules rules = cli_map_rules(map);
    const bool right = rules.neighbours == 4 || rules.corners == WEND_CORNERS_NEVER;
    const bool serves = info.kind == WEND_KIND_GRID && right;
    const bool tables = engine != WEND_ENGINE_ASTAR && (engine != WEND_ENGINE_AUTO || info.cells <= auto_cells);
    if (!serves || (!tables && far != 1)) return CLI_DONE;
    wend_acceleration def;
    wend_acceleration_init(&def, sizeof def);
    if (!tables) def.tables = 0, landmarks = 0;
    def.landmarks = (int32_t)landmarks, def.far = far;
    wend_error error = wend_map_accelerate(map, &def);
    def.landmarks = 0;
    if (landmarks > 0 && (error == WEND_UNSUPPORTED || error == WEND_OUT_OF_MEMORY)) /* then tables alone */
        error = wend_map_accelerate(map, &def);
    if (!error || error == WEND_UNSUPPORTED) return CLI_DONE; /* A* answers */
    if (error == WEND_OUT_OF_MEMORY && engine == WEND_ENGINE_AUTO) return CLI_DONE;
    return cli_fail("jump tables: %s", wend_error_detail(error));
}

/* A frame prunes up to 4 chunks, about 0.1 ms each; or it repairs this many cells of each incomplete landmark. */
enum { EFFORT_A_FRAME = 4 * WEND_PRUNE_EFFORT };

int cli_engine_upkeep(wend_map *map) {
    wend_error error = wend_map_maintain(map, WEND_MAINTAIN_ALL, EFFORT_A_FRAME, NULL);
    return !error ? CLI_DONE : cli_fail("jump tables and landmarks: %s", wend_error_detail(error));
}

const char *cli_engine_name(int32_t engine) {
    return engine == WEND_ENGINE_JUMP ? "jump" : "astar";
}
