/* SPDX-License-Identifier: MIT */
/* The lease of a map: who should own it. A text in the store, which the owner writes again and again.
 *
 * Clocks are never compared. The owner counts the time of its lease from before it sent the renewal that succeeded, and
 * stops by itself when that has passed. A candidate waits, on its own clock, the whole time and a drift since it first
 * saw the newest renewal. Both clocks go on while a machine sleeps (CLOCK_BOOTTIME) and are never set. So two owners at
 * a time are as unlikely as clocks with speeds that differ by more than the drift; and then the log refuses the older
 * one.
 *
 * Threads: one at a time calls these. They wait for the store. */
#ifndef WEND_SERVER_CLUSTER_LEASE_H
#define WEND_SERVER_CLUSTER_LEASE_H

#include "store/store.h"

/// Lease times, in ms. The drift is a part of them.
enum { CLUSTER_LEAST_LEASE_MS = 200, CLUSTER_MOST_LEASE_MS = 600000, CLUSTER_LEASE_MS = 2000, CLUSTER_DRIFT_PART = 10 };

/// Most bytes of a node's name, and of an address.
enum { CLUSTER_NODE_BYTES = 63, CLUSTER_ADDRESS_BYTES = 119 };

/// The contents of a lease. Its text is NAME=VALUE, parted by blanks.
typedef struct cluster_holder {
    uint64_t term;                         ///< 0: it never had one
    char node[CLUSTER_NODE_BYTES + 1];     ///< "-": given back
    char lines[CLUSTER_ADDRESS_BYTES + 1]; ///< its address for messages as lines; "-": none
    char page[CLUSTER_ADDRESS_BYTES + 1];  ///< its address for the page
    char heir[CLUSTER_NODE_BYTES + 1];     ///< who claims it at once where it was given back; "-": anybody
    uint64_t entry, epoch;                 ///< the log's last entry, and the map's epoch, when it was renewed
    uint64_t renewals; ///< tries to write it, from the clock at its claim: no two texts of a node are the same
} cluster_holder;

typedef struct cluster_lease {
    cluster_store *store;
    const char *map, *node;
    uint64_t lease_ms;
    cluster_value value;   ///< as it was last read or written
    cluster_holder holder; ///< its text
    uint64_t seen_ns;      ///< when its newest text was seen first
    uint64_t until_ns;     ///< the holder may act before this time; 0: this node is not the holder
} cluster_lease;

/// Returns the time of CLOCK_BOOTTIME.
uint64_t cluster_now_ns(void);

/// Look at the lease, for candidates. @return DONE, NOTHING (it was never claimed), UNKNOWN
cluster_outcome cluster_lease_watch(cluster_lease *lease);
/// Returns whether this node may claim what it has seen.
/// @param fresh   the log has no entry: the map was never served
bool cluster_lease_is_free(const cluster_lease *lease, bool fresh);
/// Claims it with a term above the seen one and above `least_term`.
/// @param self   its addresses, entry and epoch
/// @return DONE (this node is the holder), REFUSED (another was faster), UNKNOWN
cluster_outcome cluster_lease_claim(cluster_lease *lease, const cluster_holder *self, uint64_t least_term);
/// Go on as the holder.
/// @return DONE, REFUSED (it is not the holder any more), UNKNOWN (it is until its time has passed; try again)
cluster_outcome cluster_lease_renew(cluster_lease *lease, uint64_t entry, uint64_t epoch);
/// Give it back. @param heir   who is to claim it; "-": anybody
cluster_outcome cluster_lease_release(cluster_lease *lease, const char *heir);

/// Read the text of a lease. @return false: it is none
bool cluster_holder_read(const char *text, cluster_holder *out);
/// Returns whether a text can be an address, or the "-" of none: what lines and JSON hold as it is.
bool cluster_is_address(const char *text);

#endif
