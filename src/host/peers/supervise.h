/* SPDX-License-Identifier: MIT */
/* A node of several maps: a process for each, which this one starts, watches, and starts again. */
#ifndef WEND_SRC_HOST_PEERS_SUPERVISE_H
#define WEND_SRC_HOST_PEERS_SUPERVISE_H

/// Most maps of a node.
enum { SUPERVISE_MOST_MAPS = 1024 };

/// Run `wend serve` for each map of a file, which has lines NAME FILE; files are looked for beside it. The first map
/// has the addresses of the command line, the others have free ports. Ends with a signal, or where a process refuses
/// its world at first.
/// @param argv     of the program, from the command on; they go to each process
/// @param listen   of the command line
/// @param lines    the same; NULL: a free port at the address of `listen`
/// @return the exit status
int supervise(const char *maps, int argc, char **argv, const char *listen, const char *lines);

#endif
