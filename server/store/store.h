/* SPDX-License-Identifier: MIT */
/* A store that the nodes of a cluster share: small texts by key, which change by compare-and-set, and for each map a
 * log that only its newest writer can append to. There are two: a folder of one machine, and NATS JetStream.
 *
 * Threads: any; the calls wait for the disk or the network. */
#ifndef WEND_SERVER_STORE_STORE_H
#define WEND_SERVER_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The outcome of a call.
typedef enum cluster_outcome {
    CLUSTER_DONE,
    CLUSTER_REFUSED, ///< another node wrote before: nothing changed
    CLUSTER_NOTHING, ///< there is no such key, or no further entry
    CLUSTER_FAILED,  ///< a full disk, or too many bytes: nothing changed
    CLUSTER_UNKNOWN  ///< there was no answer, or it failed: a write may have happened, or may still happen
} cluster_outcome;

/// Most bytes of a key, of its text and of an entry: NATS takes 1 MiB with its heads. A key has letters, digits, '_',
/// '-' and '.'.
enum {
    CLUSTER_KEY_BYTES = 191,
    CLUSTER_TEXT_BYTES = 511,
    CLUSTER_ENTRY_BYTES = (1 << 20) - (1 << 16),
    CLUSTER_WHY_BYTES = 256
};

/// A text, and the number of its last write; 0: there is none.
typedef struct cluster_value {
    char text[CLUSTER_TEXT_BYTES + 1];
    uint64_t revision;
} cluster_value;

/// Bytes to be freed, and the number of the entry that they are.
typedef struct cluster_bytes {
    char *bytes;
    size_t size;
    uint64_t sequence;
} cluster_bytes;

typedef struct cluster_store cluster_store;
struct cluster_store {
    /// Read a text. It may be old; only set() decides. @return DONE, NOTHING (revision 0), UNKNOWN
    cluster_outcome (*get)(cluster_store *store, const char *key, cluster_value *out);
    /// Writes a text if it is unchanged since the revision; the value gets the new one. @return DONE, REFUSED, UNKNOWN
    cluster_outcome (*set)(cluster_store *store, const char *key, cluster_value *value);
    /// Append an entry if the log's last one has the sequence `last`. Where it is DONE, it is kept. After UNKNOWN the
    /// same call again is DONE where the entry is there.
    /// @return DONE, REFUSED, FAILED, UNKNOWN
    cluster_outcome (*append)(cluster_store *store, const char *map, uint64_t last, const char *bytes, size_t size,
                              uint64_t *sequence);
    /// Read the first entry that is there after a sequence, and wait for it. One thread at a time reads a map.
    cluster_outcome (*read)(cluster_store *store, const char *map, uint64_t after, int wait_ms, cluster_bytes *out);
    /// Remove the entries before a sequence. Where none is left in a folder, sequences begin again.
    /// @return DONE, FAILED, UNKNOWN
    cluster_outcome (*cut)(cluster_store *store, const char *map, uint64_t sequence);
    /// Keeps bytes under a key without comparing: the last ones win.
    cluster_outcome (*put)(cluster_store *store, const char *key, const char *bytes, size_t size);
    cluster_outcome (*take)(cluster_store *store, const char *key, cluster_bytes *out);
    /// Call a function for each key of get() and set() that begins so.
    cluster_outcome (*list)(cluster_store *store, const char *prefix, void (*found)(void *context, const char *key),
                            void *context);
    void (*close)(cluster_store *store);
};

/// Open the store of a URL: `file:DIR` or `nats://HOST:PORT`.
/// @param why   receives a line of text where it fails
/// @return NULL: it failed
cluster_store *cluster_store_open(const char *url, char why[CLUSTER_WHY_BYTES]);
/// @param syncs   an entry is DONE when it is on the disk; else when the system has it
cluster_store *cluster_store_open_file(const char *folder, bool syncs, char why[CLUSTER_WHY_BYTES]);
cluster_store *cluster_store_open_nats(const char *url, char why[CLUSTER_WHY_BYTES]);

/// Returns whether a name of a map or a node is a word of keys: 1 to 63 letters, digits, '_' and '-'.
bool cluster_is_name(const char *name);

#endif
