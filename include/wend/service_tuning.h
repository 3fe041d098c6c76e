/* SPDX-License-Identifier: MIT */
/* Growing: settings may be added, or lose their effect. See docs/stability.md. */
/* Tuning: settings of a service, and limits of a frame, that few hosts change. Others are in service.h. */
#ifndef WEND_SERVICE_TUNING_H
#define WEND_SERVICE_TUNING_H

#include <wend/service.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Settings of a service that few hosts change. docs/settings.md shows what they do to speed and memory.
struct wend_service_tuning {
    uint32_t struct_bytes;
    uint32_t lanes;     ///< searches that take turns in a round: 1 to 64. Default 4
    uint32_t searches;  ///< searches in flight, running or parked: lanes to 65,536. Default 64
    uint32_t list;      ///< most requests scheduled to a lane in a round: 1 to 256. Default 16
    uint32_t fair;      ///< one scheduled lane in this many serves the oldest request; 0: none. Default 8
    uint32_t evictions; ///< a request evicted more often waits until it is the oldest: 0 to 1,000,000. Default 8
    uint32_t restarts;  ///< times a request is searched again because its map changed or units blocked its path:
                        ///< 0 to 1,000,000. Default 8
    uint32_t goals;     ///< further goals of all pending requests together: 0 to 2^24. Default 4,096
    uint32_t horizon;   ///< next cells of a path checked for units at delivery: 0 to 65,536. Default 8
    bool prefault;      ///< true: creation writes to each page of the memory, so that no frame waits for the system to
                        ///< map a page; false: the system maps pages at first use. Default false
    uint64_t slice;     ///< expansions of a lane in a round, from 1; at most a quantum, where that is 0. In a frame of
                        ///< many expansions, without a limit of time or rounds, up to eight times as many: a sixteenth
                        ///< of the lane's share. Default 1,000
    uint64_t quantum;   ///< expansions after which a search may go behind its peers. It does so once: when it has also
                        ///< taken four times the recent mean, or where that mean is four quanta or more. 0: a quarter
                        ///< of a lane's share of the frame, in small frames half of it, at most 32,768, so that a
                        ///< short request among long ones is answered in its frame. Default 0
    uint64_t share_cells; ///< with `share`: cells, in whole chunks, of the largest map on which one search from a goal
                          ///< may answer requests from many starts, in 6.5 bytes each; below 4,096: none.
                          ///< Default 262,144
    uint32_t rush;        ///< while requests of this urgency or above wait, lanes serve only them and, as ever, the
                          ///< oldest: a single one has seven eighths of the budget, not a lane's share. While they
                          ///< are fewer than lanes, workers have less to do. 1 to 1,000; 0: none. Default 0
    uint32_t far_nodes;   ///< crossings that the search for a far route can reach, at 24 bytes each and 350 KB; with
                          ///< workers or jobs in each lane: 0 to WEND_MAX_FAR_NODES. 0: far requests are answered as
                          ///< exact ones. Default 16,384, twice of what 8,192 x 8,192 cells need
};

/// Set the defaults of a tuning.
/// @param bytes   sizeof *tuning
/// Threads: any. Cost: O(1).
WEND_API void wend_service_tuning_init(wend_service_tuning *tuning, size_t bytes);

/// Limits of a frame that few hosts set; each is WEND_NO_LIMIT by default.
struct wend_frame_limits {
    uint32_t struct_bytes;
    uint32_t reserved;   ///< 0
    uint64_t rounds;     ///< rounds of lanes; 0: none
    uint64_t intakes;    ///< requests taken in, at least 1
    uint64_t deliveries; ///< completions delivered
    uint64_t cells;      ///< path cells written for callbacks; the completion that exceeds it is the frame's last
    uint64_t changes;    ///< cancellations, replacements, urgencies and goals applied, and deadlines that end requests;
                         ///< at least 1
    uint64_t checks;     ///< finished answers compared with a newer map, or searched again. One answer is delivered or
                         ///< checked in any case
    uint64_t chosen; ///< finished answers that the frame chooses for delivery, at least 1; WEND_NO_LIMIT: as many as
                     ///< `deliveries`, `cells` and the budget's `us` have room for
};

/// Set the defaults: no limits.
/// @param bytes   sizeof *limits
/// Threads: any. Cost: O(1).
WEND_API void wend_frame_limits_init(wend_frame_limits *limits, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
