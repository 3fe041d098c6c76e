/* SPDX-License-Identifier: MIT */
/* The log of a map, its snapshots and its messages, over one connection.
 *
 * stream WEND_MAP    subject wend.log.MAP    the log; the stream's sequence is the entry's number
 * stream WENDS_MAP   subject wend.snap.MAP   snapshots
 * core messages      wend.beat.MAP, wend.seen.MAP.NODE, wend.ask.MAP: losing one costs time, never truth
 *
 * A log is a struct of functions, so a test can replace it. It makes no stream and never starts a log again: a
 * missing stream is a reason in the state, not an empty map. */
#ifndef WEND_SERVER_STORE_LOG_H
#define WEND_SERVER_STORE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CLUSTER_LOG_WHY_BYTES = 512,
    CLUSTER_LOG_LEAST_ENTRY_BYTES = 64 << 10, ///< a server with a lower limit is refused
    CLUSTER_LOG_PIECE_BYTES = 128 << 10,      ///< bytes of a piece of a snapshot
    CLUSTER_LOG_ANSWER_MS = 600               ///< an append without an answer is unknown after this time
};

typedef enum cluster_log_outcome {
    CLUSTER_LOG_DONE,      ///< acknowledged, with `sequence`
    CLUSTER_LOG_REFUSED,   ///< not the expected last sequence. After UNKNOWN, the entry there may be this one
    CLUSTER_LOG_TOO_LARGE, ///< more than most_entry_bytes(): nothing was sent
    CLUSTER_LOG_FAILED, ///< this call wrote nothing: no connection, JetStream off or full; an earlier UNKNOWN one may
    CLUSTER_LOG_UNKNOWN ///< no clear answer: the entry may be written, now or later
} cluster_log_outcome;

typedef struct cluster_log_answer {
    cluster_log_outcome outcome;
    uint64_t sequence;
    char why[CLUSTER_LOG_WHY_BYTES]; ///< "" if DONE
} cluster_log_answer;

/// The connection and the last check of the streams.
typedef struct cluster_log_state {
    bool connected;
    bool usable;                     ///< connected, and the last check found no error
    uint64_t first, last;            ///< sequences of the log at that check; a replica may lag, so a hint alone
    char server[128];                ///< name and version, "n0 2.15.1"
    char why[CLUSTER_LOG_WHY_BYTES]; ///< each reason why it is not usable, separated by "; "
} cluster_log_state;

typedef enum cluster_log_message { CLUSTER_LOG_BEAT, CLUSTER_LOG_SEEN, CLUSTER_LOG_ASK } cluster_log_message;

/// The servers of the list alone are used, even if they announce others. Secrets are in files or in the environment,
/// never in arguments or messages.
typedef struct cluster_log_login {
    const char *urls;                   ///< nats:// or tls://, separated by commas, without user or password
    const char *auth_file;              ///< its first two words: user and password; one word: a token. NULL: none, or
                                        ///< WEND_NATS_USER and WEND_NATS_PASSWORD
    const char *creds, *nkey;           ///< files: credentials (JWT and seed); an nkey, with its seed; NULL: none
    const char *ca, *certificate, *key; ///< files for tls://; NULL: the system's, none
    bool any_version;                   ///< accept every version of the server: for tests
} cluster_log_login;

/// Callbacks run on threads of the log, one at a time for each kind; they may call any function of the log but close
/// and follow. None runs after close.
typedef struct cluster_log_def {
    cluster_log_login login;
    const char *map, *node; ///< map "*": the messages of all maps, and no streams
    bool read_only;         ///< append, snapshot_put, purge and beats are FAILED without being sent
    bool operates;          ///< an operator's log: no warning about rights that a node should not have
    void *context;
    /// Passes the next entry after follow(), in order, none twice. It may block: NATS waits. If sequences skip, the log
    /// was purged. NULL: nothing is followed.
    void (*on_entry)(void *context, uint64_t sequence, const char *bytes, size_t size);
    /// Called at each change of the connection or of the reasons.
    void (*on_state)(void *context, const cluster_log_state *state);
    /// Passes a message of another node.
    /// @param node   its name, for SEEN; else "". For all maps with the map and a dot before it: "town.n1", "town"
    void (*on_message)(void *context, cluster_log_message kind, const char *node, const char *bytes, size_t size);
} cluster_log_def;

/// A snapshot: the world behind an entry.
typedef struct cluster_log_snapshot {
    uint64_t entry, term; ///< number of its check entry; the owner's term
    uint64_t after;       ///< hash of that entry
    uint64_t state;       ///< hash of the state
    uint64_t first, last; ///< sequences of its pieces in their stream; out
    char *text;           ///< ended by a zero; from snapshot_get(): to be freed
    size_t size;
} cluster_log_snapshot;

typedef struct cluster_log cluster_log;
struct cluster_log {
    /// Appends an entry behind the sequence `expected`. Waits 600 ms at most. Threads: any, one at a time.
    cluster_log_answer (*append)(cluster_log *log, uint64_t expected, const char *bytes, size_t size);
    /// Calls on_entry for all entries from this sequence on, again after each lost connection. Threads: any except the
    /// callbacks'. No on_entry of an earlier follow() runs when it returns.
    void (*follow)(cluster_log *log, uint64_t from);
    /// Writes a snapshot, piece by piece, fenced by the sequence of their stream, and sets `first` and `last`. REFUSED:
    /// another node wrote one meanwhile. Threads: any. Waits 600 ms a piece at most.
    cluster_log_answer (*snapshot_put)(cluster_log *log, cluster_log_snapshot *snapshot);
    /// Reads the newest complete snapshot whose last piece is before the sequence `before` (UINT64_MAX: any).
    /// @return DONE; REFUSED: there is none; UNKNOWN: it could not be read now. Threads: any. Waits for the network.
    cluster_log_answer (*snapshot_get)(cluster_log *log, uint64_t before, cluster_log_snapshot *out);
    /// Removes the entries before `keep_from` from the log, and pieces before `keep_piece` (0: none). Threads: any.
    cluster_log_answer (*purge)(cluster_log *log, uint64_t keep_from, uint64_t keep_piece);
    /// Sends a core message: this node's beat or seen. Lost without a connection. Threads: any, never blocks.
    void (*publish)(cluster_log *log, cluster_log_message kind, const char *bytes, size_t size);
    /// Returns the most bytes of an entry: min(max_payload, max_msg_size, 1 MiB) - 4 KiB; 0: unknown. Threads: any.
    size_t (*most_entry_bytes)(cluster_log *log);
    /// Ends all threads and frees the log. Threads: any but the callbacks'.
    void (*close)(cluster_log *log);
    /// Sends a request to JetStream, as an operator: "STREAM.INFO.WEND_town". Waits 600 ms. Threads: any.
    /// @return its answer, to be released; NULL: `why` has the reason, and begins with the number of a server's error
    struct json_t *(*ask)(cluster_log *log, const char *what, const char *json, char why[CLUSTER_LOG_WHY_BYTES]);
};

/// Opens the log of a map. It returns at once: the first connect is retried for ever, and on_state reports it.
/// The login's texts stay in place; map and node are copied. Its files are read at each connect.
/// @param why   receives a line of text on failure, without any secret
/// @return NULL: bad URLs, an unreadable file, no memory, or wend was built without libnats
cluster_log *cluster_log_open(const cluster_log_def *def, char why[CLUSTER_LOG_WHY_BYTES]);

#endif
