/* SPDX-License-Identifier: MIT */
/* A node of several maps: a process for each, which this one starts, watches, and starts again. */
#ifndef WEND_SERVER_PEERS_SUPERVISE_H
#define WEND_SERVER_PEERS_SUPERVISE_H

#include <stddef.h>

/// Most maps of a node.
enum { SUPERVISE_MOST_MAPS = 1024 };

typedef struct supervise_def {
    const char *maps; ///< a file with lines NAME FILE; files are looked for next to it
    int argc;
    char **argv;                 ///< of the program, from the command on; they go to each process
    const char *listen, *lines;  ///< of the command line; no lines: a free port at the address of `listen`
    const char *const *replicas; ///< maps that are only followed
    size_t replica_count;
} supervise_def;

/// Run `wend serve` for each map of the file. The first map has the addresses of the command line, the others have free
/// ports. Ends with a signal, or where a process refuses its world at first.
/// @return the exit status
int supervise(const supervise_def *def);

#endif
