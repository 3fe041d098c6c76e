/* SPDX-License-Identifier: MIT */
/* Jump tables and landmarks for the engines, with their upkeep. */
#ifndef WEND_SRC_HOST_WORLD_ENGINE_H
#define WEND_SRC_HOST_WORLD_ENGINE_H

#include <stdbool.h>

#include <wend/service.h>

/// Value of wend_tuning.prefault: services of up to 256 MiB have all their memory touched at creation.
uint32_t host_prefault(const wend_service_def *def);
/// The present rules of a map.
wend_map_rules host_map_rules(const wend_map *map);
/// Make jump tables and landmarks, where the engine can use them. Called once the rules are set.
/// @return HOST_DONE, or the exit status after a message
int host_engine_prepare(wend_map *map, int32_t engine, uint64_t landmarks);
/// Prune jump tables and repair landmarks after edits. Called between frames. @return HOST_DONE, or the exit status
int host_engine_upkeep(wend_map *map);
/// The name of an engine in JSON.
const char *host_engine_name(int32_t engine);

#endif
