/* SPDX-License-Identifier: MIT */
/* A recording of a service with one map, in a file: the script of that map, which `wend run` plays back. */
#ifndef WEND_SRC_CLI_RECORD_RECORD_FILE_H
#define WEND_SRC_CLI_RECORD_RECORD_FILE_H

#include <stdio.h>

#include <wend/wend.h>

typedef struct cli_record {
    const char *name;
    FILE *file; ///< NULL: nothing is recorded
    wend_service *service;
} cli_record;

/* Functions that return int: −1 to go on, else the exit status, after a message. */

/// Begin to record into a file, the map first. A name of NULL does nothing.
int cli_record_open(cli_record *record, const char *name, wend_service *service, wend_map *map);
/// End it, before the service is destroyed; nothing happens where it has ended.
int cli_record_close(cli_record *record);

#endif
