/* SPDX-License-Identifier: MIT */
/* Jump tables and landmarks for the engines, with their upkeep. */
#ifndef WEND_SRC_CLI_SHARED_ENGINE_H
#define WEND_SRC_CLI_SHARED_ENGINE_H

#include <stdbool.h>

#include <wend/service.h>

/// Value of wend_tuning.prefault: services of up to 256 MiB have all their memory touched at creation.
uint32_t cli_prefault(const wend_service_def *def);
/// Make jump tables and landmarks, where the engine can use them. Called once the rules are set.
/// @return −1 to go on, else the exit status, after a message
int cli_engine_prepare(wend_map *map, int32_t engine, uint64_t landmarks);
/// Prune jump tables and repair landmarks after edits. Called between frames. @return −1, or the exit status
int cli_engine_upkeep(wend_map *map);
/// Are tables and landmarks made for a map of this size where nobody asked for them? Making them takes about 0.15 us a
/// cell.
bool cli_engine_fits(const wend_map_info *info);
/// The name of an engine in JSON.
const char *cli_engine_name(int32_t engine);

#endif
