/* SPDX-License-Identifier: MIT */
/* What `wend serve` needs of the server beyond wend/live.h: nodes of a cluster, events of its agents, counts, a rest
 * before its end. */
#ifndef WEND_SERVER_LIVE_PRIVATE_LIVE_PRIVATE_H
#define WEND_SERVER_LIVE_PRIVATE_LIVE_PRIVATE_H

#include <wend/live.h>

/// Get the port of the lines; 0: none, or a Unix socket.
/// Threads: the loop's. Cost: O(1).
int live_get_lines_port(const wend_live *live);

/// Set the epoch of the map's version now, as clients see it: other hosts have the same map, and this host began with a
/// copy of it. Requests that are pending keep the numbers from before.
/// Threads: the loop's. Cost: O(1).
void live_set_epoch(wend_live *live, uint64_t epoch);

/// Get the epoch of the map as clients see it.
/// Threads: the loop's. Cost: O(1).
uint64_t live_get_epoch(const wend_live *live);

/// Set who owns the map, where several hosts serve it, one at a time. Answers carry the term from now on, and watchers
/// of frames hear of it.
/// @param term   rises with each owner; 0: there is one host, and answers carry none
/// @param node   the owner's name, and `page` the address of its page: copied; NULL: it has no owner now
/// @param pages  addresses of the other hosts' pages, parted by blanks, up to 2,047 bytes: a page that has lost its
///               server goes on at one of them; copied; NULL: none
/// Threads: the loop's. Cost: O(watchers).
void live_set_owner(wend_live *live, uint64_t term, const char *node, const char *page, const char *pages);

/// Tell of a frame that the host ran for requests that came, between two frames that watchers hear of.
/// @param frame   as the service counted it
/// Threads: the loop's. Cost: O(1).
void live_skip_frame(wend_live *live, const wend_frame *frame);

/// Tell of a crowd's event, to the session that ordered what led to it and to watchers of agents.
/// @param session   0: none in particular
/// @param frame     in which it happened
/// @param agent     its name; NULL for CLEAR, which is of no agent
/// Threads: the loop's. Cost: O(watchers).
void live_send_event(wend_live *live, uint64_t session, uint64_t frame, const char *agent,
                     const wend_agent_event *event);

/// Counts of the server.
typedef struct live_stats {
    uint32_t clients;        ///< connections now
    uint32_t sessions;       ///< named ones, those away too
    uint32_t watchers;       ///< connections with a subscription
    uint32_t requests;       ///< pending
    uint32_t deadlines;      ///< pending requests with a deadline
    uint64_t opened;         ///< connections since the beginning
    uint64_t refused;        ///< connections refused: too many, a foreign origin or host
    uint64_t messages;       ///< read
    uint64_t errors;         ///< messages answered with an error
    uint64_t skipped;        ///< frames not sent to a watcher that did not read
    uint64_t lost;           ///< completions that were kept no longer
    uint64_t no_descriptors; ///< of the refused ones, those for which the system had no descriptors left
} live_stats;

/// Returns the counts.
/// Threads: the loop's. Cost: O(1).
live_stats live_get_stats(const wend_live *live);

/// Refuse new connections and new messages from now on; completions of pending requests still go out.
/// Threads: the loop's. Cost: O(1).
void live_drain(wend_live *live);

#endif
