/* SPDX-License-Identifier: MIT */
/* The server for the benches of clients: a process with a host of libwend-live and a bare echo on one loop. */
#ifndef WEND_BENCH_LIVE_PEER_H
#define WEND_BENCH_LIVE_PEER_H

#include <sys/types.h>
#include <wend/wend.h>

enum { PEER_SIDE = 256, MOST_PATH_CELLS = 16 };

typedef struct live_peer {
    pid_t process;
    int ports[3]; ///< PEER_…
} live_peer;

enum { PEER_LINES = 0, PEER_WEB = 1, PEER_ECHO = 2 };

/// The map of the peer: open ground with a pillar in every sixteen cells.
wend_map *peer_map(void);
/// Start it. It ends with the bench.
/// @param clients   connections that it takes
live_peer peer_start(uint64_t clients);
void peer_stop(const live_peer *peer);
/// Processor time that it used, in microseconds.
double peer_cpu_us(const live_peer *peer);
/// Physical memory that it holds, in KiB.
long peer_kib(const live_peer *peer);

#endif
