/* SPDX-License-Identifier: MIT */
/* The texts of a cluster: entries of a map's log, and reports of nodes.
 *
 * An entry is a small journal: its first line, a line with its head, a seal; then records, each with its seal.
 *
 *   # a journal of wend serve
 *   # map town entry 17 term 12 writer n1 after 5a1f0123456789ab orders
 *   # sealed 1f0c…
 *
 * The last words are of the kind:
 *   head format 1 world HASH rules HASH version V limits TEXT    the world begins as the files have it
 *   claim               its number is the term from here on
 *   release             the owner stops; any node may claim
 *   hand NODE           that node should claim
 *   check state HASH epoch E
 *   orders
 * A head and orders may have records. The number of an entry is its sequence in the stream. */
#ifndef WEND_SERVER_CLUSTER_ENTRY_H
#define WEND_SERVER_CLUSTER_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CLUSTER_NAME_BYTES = 63,     ///< most bytes of a name of a map or a node
    CLUSTER_HEAD_BYTES = 512,    ///< most bytes of an entry's lines before its first record, with a zero
    CLUSTER_FORMAT = 1,          ///< format of entries that this wend writes, and the newest that it reads
    CLUSTER_LIMITS_BYTES = 127,  ///< most bytes of the limits' text
    CLUSTER_VERSION_BYTES = 31,  ///< most bytes of a version of wend
    CLUSTER_HOST_BYTES = 127,    ///< most bytes of an address HOST:PORT
    CLUSTER_REPORT_BYTES = 768,  ///< most bytes of a node's report on itself, with a zero
    CLUSTER_REASONS_BYTES = 1023 ///< most bytes of the reasons why a node is not ready
};

/// Returns whether a text can name a map or a node: 1 to 63 letters, digits, '_' and '-'.
bool cluster_is_word(const char *name);

/* ---- entries ---- */

typedef enum cluster_kind {
    CLUSTER_KIND_HEAD,
    CLUSTER_KIND_CLAIM,
    CLUSTER_KIND_RELEASE,
    CLUSTER_KIND_HAND,
    CLUSTER_KIND_CHECK,
    CLUSTER_KIND_ORDERS
} cluster_kind;

/// The world of a map: from the log's head, or from a node's files and options.
typedef struct cluster_world {
    uint64_t format; ///< format of the entries
    uint64_t world;  ///< hash of the map file's bytes, and of the map files that it names
    uint64_t rules;  ///< hash of the rules and movers as text
    char version[CLUSTER_VERSION_BYTES + 1];
    char limits[CLUSTER_LIMITS_BYTES + 1]; ///< "max-agents=32768"; may have blanks
} cluster_world;

typedef struct cluster_entry {
    cluster_kind kind;
    char map[CLUSTER_NAME_BYTES + 1], writer[CLUSTER_NAME_BYTES + 1];
    uint64_t number, term;
    uint64_t after;                    ///< cluster_entry_hash() of the entry before; of entry 1: 0
    cluster_world world;               ///< HEAD
    char heir[CLUSTER_NAME_BYTES + 1]; ///< HAND
    uint64_t state, epoch;             ///< CHECK: hash of the state behind the entry before; the map's epoch
    size_t records;                    ///< read: bytes before the first record; all bytes if there is none
} cluster_entry;

typedef enum cluster_reading {
    CLUSTER_READ,
    CLUSTER_READ_DAMAGED, ///< no entry, or its seal does not fit
    CLUSTER_READ_NEWER    ///< a kind or a format that a newer wend wrote: this node must stop
} cluster_reading;

/// Writes the lines before the first record.
/// @param sealed   with their seal; a journal's sink seals them itself
/// @return their bytes, 0: they do not fit
size_t cluster_entry_write(const cluster_entry *entry, bool sealed, char out[CLUSTER_HEAD_BYTES]);
/// Reads an entry's head. serve_journal_read_entry() checks its records.
cluster_reading cluster_entry_read(const char *bytes, size_t size, cluster_entry *out);
/// Returns the hash by which the next entry refers to this one.
uint64_t cluster_entry_hash(const char *bytes, size_t size);

/// Reads the first of consecutive entries in a text, as in a node's journal.
/// @param bytes   receives its bytes
/// @return as cluster_entry_read(); DAMAGED, too, if its records were changed after they were sealed, or cut short
cluster_reading cluster_entry_next(const char *text, size_t size, size_t *bytes, cluster_entry *out);

struct cli_world;
/// Describes a world from a node's files (describe.c).
/// @param path         the file that `loaded` was read from
/// @param most_agents  --max-agents
/// @return false: the file cannot be read, or no memory
bool cluster_world_read(const char *path, const struct cli_world *loaded, uint64_t most_agents, cluster_world *out);
/// Describes how a node's world differs from the log's: "the log needs world 5a1f…, limits max-agents=8; this node
/// has …". @return false: it does not; `why` is untouched
bool cluster_world_differs(const cluster_world *needed, const cluster_world *own, char *why, size_t capacity);

/* ---- messages ---- */

typedef enum cluster_role { CLUSTER_ROLE_OWNER, CLUSTER_ROLE_FOLLOWER, CLUSTER_ROLE_REPLICA } cluster_role;
/// "owner", "follower" or "replica".
const char *cluster_role_name(cluster_role role);

/// A node reports on itself by a line, and text behind it. The owner sends wend.beat.MAP, with the places of its
/// agents; each node sends wend.seen.MAP.NODE, with the reasons why it is not ready, one a line.
typedef struct cluster_report {
    char node[CLUSTER_NAME_BYTES + 1];
    char address[CLUSTER_HOST_BYTES + 1], page[CLUSTER_HOST_BYTES + 1]; ///< "HOST:PORT" of lines and page; "-": none
    cluster_role role;
    uint64_t term, sequence, epoch; ///< `sequence`: number of the last entry that it has
    uint64_t lag_ms;
    uint64_t checked, state; ///< number of the last check entry, and the node's own hash at it
    uint64_t purged;         ///< entries before this one were removed from the log, by the owner's report
    char version[CLUSTER_VERSION_BYTES + 1];
    size_t line; ///< read: bytes of the line
} cluster_report;
/// @return the bytes of the line, 0: it does not fit
size_t cluster_report_write(const cluster_report *report, char *out, size_t capacity);
bool cluster_report_read(const char *bytes, size_t size, cluster_report *out);

/// wend.ask.MAP: "move NODE".
bool cluster_ask_read(const char *bytes, size_t size, char node[CLUSTER_NAME_BYTES + 1]);

#endif
