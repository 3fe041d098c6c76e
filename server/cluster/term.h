/* SPDX-License-Identifier: MIT */
/* The rules of claims, by which a node comes to own a map; without threads, clocks or a network.
 *
 * The log is the lease. A claim is an entry that names the last one known to its writer; its number is the term. A
 * node without a beat of the owner for long enough claims. An owner whose entry the log refuses, or that sees
 * another claim, is replaced. Nothing compares clocks; times are of this node's CLOCK_BOOTTIME, which cannot be set. */
#ifndef WEND_SERVER_CLUSTER_TERM_H
#define WEND_SERVER_CLUSTER_TERM_H

#include "cluster/entry.h"

/// Lease times, in ms. Followers wait a tenth more, and up to 15 percent by a hash, so that they rarely claim together.
enum {
    CLUSTER_LEAST_LEASE_MS = 200,
    CLUSTER_MOST_LEASE_MS = 600000,
    CLUSTER_LEASE_MS = 2000,
    CLUSTER_DRIFT_PART = 10,
    CLUSTER_SPREAD_PERCENT = 15
};

typedef enum cluster_stand {
    CLUSTER_FOLLOWS,
    CLUSTER_CLAIMS, ///< its claim is under way
    CLUSTER_OWNS,
    CLUSTER_LEAVES ///< the node has lost the map, and waits for its own entries under way
} cluster_stand;

typedef struct cluster_term {
    const char *node;
    uint64_t lease_ns;
    bool never_owns;
    cluster_stand stand;
    uint64_t number, hash, term;        ///< number and hash of the last executed entry, and its term
    char owner[CLUSTER_NAME_BYTES + 1]; ///< owner of that term; "": the map was released, or there was none
    uint64_t floor;                     ///< the node claims nothing before it has this entry, which its journal has
    uint64_t heard_ns;                  ///< time of the last message of the owner, or of a node that claims
    bool ended;                         ///< the owner has ended its term: only a claim comes next
    bool is_free;                       ///< this node may claim at once
    uint64_t under_way_ns;              ///< since when an entry of its own is under way; 0: none is
    uint64_t cut_off_ns;                ///< since when the log cannot be used; 0: it can
} cluster_term;

/// Returns the time of CLOCK_BOOTTIME.
uint64_t cluster_now_ns(void);

/// Begins behind an entry, with no owner of the map known to this node.
void cluster_term_begin(cluster_term *t, uint64_t number, uint64_t hash, uint64_t term, uint64_t now_ns);
/// Checks that an entry is the next one, and written by the owner of its term.
/// @return NULL, or an error: this node must stop
const char *cluster_term_check(const cluster_term *t, const cluster_entry *entry);
/// Records that an entry was executed here: another node's, or an acknowledged one of its own.
/// @param hash   of its bytes
void cluster_term_done(cluster_term *t, const cluster_entry *entry, uint64_t hash, uint64_t now_ns);
/// Records a beat. Beats of earlier terms do not count.
void cluster_term_heard(cluster_term *t, const cluster_report *beat, uint64_t now_ns);

/// Returns whether it is time to claim.
bool cluster_term_may_claim(const cluster_term *t, uint64_t now_ns);
/// Returns whether the owner may run frames, take orders and send beats: no entry of its own is unanswered for a lease,
/// and the log could be used within one.
bool cluster_term_may_act(const cluster_term *t, uint64_t now_ns);

/// Returns the next entry of this node, as a claim or in its own term; the caller sets its kind and contents.
cluster_entry cluster_term_next(const cluster_term *t, const char *map, cluster_kind kind);

#endif
