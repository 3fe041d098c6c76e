/* SPDX-License-Identifier: MIT */
/* Texts of the store that decide nothing: notes by which nodes report their progress, and requests to move maps. */
#ifndef WEND_SERVER_CLUSTER_NOTE_H
#define WEND_SERVER_CLUSTER_NOTE_H

#include "cluster/lease.h"

/// A node's words on itself and a map.
typedef struct cluster_note {
    uint64_t entry, epoch;                                                  ///< how far it is
    uint64_t ms;                                                            ///< when it said so, in real time
    char page[CLUSTER_ADDRESS_BYTES + 1], lines[CLUSTER_ADDRESS_BYTES + 1]; ///< addresses; "-": none
    bool owns;
    uint64_t load; ///< processor time of the map's process, in thousandths of one processor
} cluster_note;

void cluster_note_write(const cluster_note *note, char out[CLUSTER_TEXT_BYTES + 1]);
bool cluster_note_read(const char *text, cluster_note *out);
/// Returns whether it was said in the last ten seconds.
bool cluster_note_is_new(const cluster_note *note);
/// Returns the real time, by which notes are dated.
uint64_t cluster_real_ms(void);

/// Places of agents come in parts of this many bytes: a line of its own, then one for each agent. CLUSTER_MORE is
/// the last line of a part that another one follows.
enum { CLUSTER_PART_BYTES = 900000 };
#define CLUSTER_MORE "more\n"

/// Where an agent of the owner is.
typedef struct cluster_place {
    int32_t x, y, z;
    const char *name; ///< not ended by a zero
    size_t name_bytes;
} cluster_place;
/// Read a line of places.
/// @param at    where it begins, in bytes with a zero behind `end`; receives where the next one begins
/// @return false: it is none
bool cluster_place_read(const char **at, const char *end, cluster_place *out);

struct sockaddr_storage;
/// Read an address that is ADDRESS:PORT. @return false: it is none
bool cluster_address_read(const char *text, struct sockaddr_storage *out);

/// The key of a node's note for a map; where the node is "", the prefix of the map's notes.
void cluster_node_key(const char *map, const char *node, char out[CLUSTER_KEY_BYTES + 1]);
/// @return false: it is another key
bool cluster_node_key_read(const char *key, char map[CLUSTER_NODE_BYTES + 1], char node[CLUSTER_NODE_BYTES + 1]);
/// The key of a request that a node should own a map, of where a map's agents are, and of the last move for balance.
void cluster_move_key(const char *map, char out[CLUSTER_KEY_BYTES + 1]);
void cluster_places_key(const char *map, unsigned part, char out[CLUSTER_KEY_BYTES + 1]);
#define CLUSTER_BALANCE_KEY "balance.last"

/// Requests that a node should own a map, or with "" drops the request. @return false: it is not written
bool cluster_request_move(cluster_store *store, const char *map, const char *node);

#endif
