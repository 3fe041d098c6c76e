/* SPDX-License-Identifier: MIT */
/* The parts of a log in NATS.
 *
 *   log_nats.c    appending, snapshots, opening
 *   log_link.c    requests and their answers, and the entries as they come
 *   log_watch.c   the watcher: connecting, checking, beginning again
 *   nats.c        one connection, and checks of servers, rights and streams
 *
 * All waits go by a clock that is never set: so requests and the ordered consumer are made of core messages, as the
 * library's own wait by the real time. */
#ifndef WEND_SERVER_STORE_LOG_NATS_H
#define WEND_SERVER_STORE_LOG_NATS_H

#include <jansson.h>
#include <nats/nats.h>
#include <uv.h>

#include "store/log.h"

enum {
    CLUSTER_SUBJECT_BYTES = 256,
    LOG_ASKS = 16,          ///< requests under way
    LOG_NAME_BYTES = 64,    ///< bytes of a map's or a node's name, with a zero
    LOG_SUBSCRIPTIONS = 64, ///< subscriptions of a connection, including ended ones; then it is made again
    LOG_SILENT_MS = 15000   ///< silence after which the consumer is made again; its heartbeats come each third of that
};
#define LOG_SECOND_NS UINT64_C(1000000000)

/// Errors of JetStream's answers; 503: no server answers.
enum {
    LOG_ERROR_INSUFFICIENT = 10023,
    LOG_ERROR_NO_MESSAGE = 10037,
    LOG_ERROR_OFF = 10039,
    LOG_ERROR_ACCOUNT_FULL = 10047,
    LOG_ERROR_TOO_LARGE = 10054,
    LOG_ERROR_NO_STREAM = 10059,
    LOG_ERROR_OTHER_STREAM = 10060,
    LOG_ERROR_LAST_SEQUENCE = 10071,
    LOG_ERROR_LAST_SEQUENCE_CONSTANT = 10164
};

/// A request that waits for its answer.
typedef struct ask_slot {
    uint64_t number; ///< 0: the slot is free
    natsMsg *answer;
} ask_slot;

typedef struct nats_log {
    cluster_log calls;
    cluster_log_def def;
    natsErrHandler on_error; ///< errors of the server, such as "Permissions Violation"
    natsConnectionHandler on_closed;
    char map[LOG_NAME_BYTES], node[LOG_NAME_BYTES], stream[LOG_NAME_BYTES + 8], snaps[LOG_NAME_BYTES + 8];
    char inbox[2 * LOG_NAME_BYTES];
    uv_rwlock_t swap; ///< guards `connection`: users hold it for reading
    natsConnection *connection;
    /* The watcher's, as the next ones. libnats before 3.6 reads a subscription that another thread frees, so all
     * are kept until their connection has ended. */
    natsSubscription *subscriptions[LOG_SUBSCRIPTIONS];
    size_t subscribed;
    uint64_t checked_ns, consumers;
    bool said_rights;
    uv_thread_t watcher;
    uv_mutex_t mutex; ///< guards all below
    uv_cond_t changed;
    ask_slot asks[LOG_ASKS];
    uint64_t ask_number;
    size_t running; ///< subscriptions that may still call back
    bool open;      ///< a connection is open, or ends: there is one at most
    bool ends, lost, unanswered, check_now;
    cluster_log_state state;
    size_t most_entry_bytes;
    uint64_t said_ns;           ///< when the last error of the server was printed
    bool follows, broken;       ///< entries are requested; their consumer is to be made again
    uint64_t at;                ///< the last entry that was delivered
    natsSubscription *consumer; ///< messages of other consumers are ignored
    uint64_t next, heard_ns;    ///< number of the consumer's next message; time of the last one
    bool delivers;              ///< a callback runs
} nats_log;

/* log_link.c */

/// Publishes a message whose answer comes to the inbox.
/// @param stream     for the fence, with the last expected sequence; NULL: no fence
/// @param sent       receives false if nothing left this process
/// @return NULL: no answer
natsMsg *nats_log_ask(nats_log *log, const char *subject, const char *stream, uint64_t expected, const char *bytes,
                      size_t size, bool *sent);
/// Returns an answer in JSON.
/// @param error   receives the number of an error; 503; 0: there was no answer
/// @param why     receives the reason if NULL is returned; CLUSTER_LOG_WHY_BYTES
json_t *nats_log_ask_json(nats_log *log, const char *subject, const char *bytes, int64_t *error, char *why);
/// Subscribes to answers and messages, on a new connection. The watcher's, as the next two.
void nats_log_listen(nats_log *log);
/// Makes the consumer again, from behind the last delivered entry.
void nats_log_consume(nats_log *log);
void nats_log_drop_consumer(nats_log *log);
/// For the connection: errors of the server, such as "Permissions Violation", and its end.
void nats_log_on_error(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *context);
void nats_log_on_closed(natsConnection *connection, void *context);

/* log_watch.c */

/// The thread.
void nats_log_watch(void *log);
/// Closes the connection, with its subscriptions.
void nats_log_disconnect(nats_log *log);

/* nats.c */

/// Connects to one of the servers, once, and never again by itself. Waits two seconds for each.
/// @param why   receives a line without any secret on failure
bool cluster_nats_dial(natsConnection **out, nats_log *log, char why[CLUSTER_LOG_WHY_BYTES]);
/// Refuses URLs that NATS does not have, and those with a user or a password.
bool cluster_nats_check_urls(const char *urls, char why[CLUSTER_LOG_WHY_BYTES]);

/// Refuses files of the login that cannot be read.
bool cluster_nats_check_files(const cluster_log_login *login, char why[CLUSTER_LOG_WHY_BYTES]);

/// Adds a reason to others, separated by "; ".
void cluster_nats_add_reason(char why[CLUSTER_LOG_WHY_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Returns whether a version of nats-server is fit for a stream with this many replicas.
bool cluster_nats_version_fits(const char *version, int replicas);
/// Adds the reasons why a stream cannot be used, by the answer to STREAM.INFO.
void cluster_nats_check_stream(const json_t *info, const char *stream, const char *subject,
                               char why[CLUSTER_LOG_WHY_BYTES]);
/// Returns whether the permissions of an answer to USER.INFO let the user publish there.
bool cluster_nats_may_publish(const json_t *user, const char *subject);

/// Decodes base64. @return the bytes with a zero behind them, to be freed; NULL: no memory
char *cluster_nats_decode(const char *text, size_t size, size_t *out_size);
json_t *cluster_nats_parse(const natsMsg *message);
/// Return members of objects; 0, "" and NULL if they are missing.
int64_t cluster_nats_number(const json_t *object, const char *name);
const char *cluster_nats_text(const json_t *object, const char *name);

#endif
