/* SPDX-License-Identifier: MIT */
/* What the program makes for the engines: memory for searches, jump tables and landmarks, and their upkeep. */
#ifndef WEND_SRC_CLI_SHARED_ENGINE_H
#define WEND_SRC_CLI_SHARED_ENGINE_H

#include <wend/service.h>

/// Records for one complete search of a map, in the widest form there is.
uint64_t cli_search_nodes(const wend_map_info *info);
/// Is a service's memory to be touched when it is made? Up to 256 MiB: what takes more is handed out as it is needed.
uint32_t cli_prefault(const wend_service_def *def);
/// Make jump tables, and so many landmarks to go with them, where the engine asked for can use them. Once the rules are set.
/// @return −1 to go on, else the exit status (after a message).
int cli_engine_prepare(wend_map *map, int32_t engine, uint64_t landmarks);
/// Between frames: look after what edits left behind of them. @return as above.
int cli_engine_upkeep(wend_map *map);
/// As JSON has it: of an engine that answered.
const char *cli_engine_name(int32_t engine);

#endif
