/* SPDX-License-Identifier: MIT */
/* A recording of a service with one map, in a file: the script of that map, which `wend run` plays back. */
#ifndef WEND_SRC_HOST_WORLD_RECORD_H
#define WEND_SRC_HOST_WORLD_RECORD_H

#include <stdio.h>

#include <wend/wend.h>

typedef struct host_record {
    const char *name;
    FILE *file; ///< NULL: nothing is recorded
    wend_service *service;
} host_record;

/* Functions that return int: HOST_DONE, or the exit status after a message. */

/// Begin to record into a file, the map first. A name of NULL does nothing.
int host_record_open(host_record *record, const char *name, wend_service *service, wend_map *map);
/// End it, before the service is destroyed; nothing happens where it has ended.
int host_record_close(host_record *record);

#endif
