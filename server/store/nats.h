/* SPDX-License-Identifier: MIT */
/* Connections to NATS, and what its answers say of servers, rights and streams. Only files of this folder include it:
 * they are built where libnats is. */
#ifndef WEND_SERVER_STORE_NATS_H
#define WEND_SERVER_STORE_NATS_H

#include <jansson.h>
#include <nats/nats.h>

#include "store/log.h"

enum { CLUSTER_SUBJECT_BYTES = 256 };

/// Callbacks of a connection.
typedef struct cluster_nats_hooks {
    const char *name;     ///< of the connection
    natsErrHandler error; ///< what the server refuses, such as "Permissions Violation"
    natsConnectionHandler closed;
    void *context;
} cluster_nats_hooks;

/// Connects to one of the servers, once, and never again by itself. Waits two seconds for each.
/// @param why   receives a line without any secret where it fails
bool cluster_nats_dial(natsConnection **out, const cluster_log_login *login, const cluster_nats_hooks *hooks,
                       char why[CLUSTER_LOG_WHY_BYTES]);
/// Refuses URLs that NATS does not have, and those with a user or a password.
bool cluster_nats_check_urls(const char *urls, char why[CLUSTER_LOG_WHY_BYTES]);

/// Refuses files of the login that cannot be read.
bool cluster_nats_check_files(const cluster_log_login *login, char why[CLUSTER_LOG_WHY_BYTES]);

/// Adds a reason to others, parted by "; ".
void cluster_nats_add_reason(char why[CLUSTER_LOG_WHY_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Returns whether a version of nats-server is fit for a stream with so many replicas.
bool cluster_nats_version_fits(const char *version, int replicas);
/// Adds the reasons why a stream cannot be used, by the answer to STREAM.INFO.
void cluster_nats_check_stream(const json_t *info, const char *stream, const char *subject,
                               char why[CLUSTER_LOG_WHY_BYTES]);
/// Returns whether the permissions of an answer to USER.INFO let the user publish there.
bool cluster_nats_may_publish(const json_t *user, const char *subject);

json_t *cluster_nats_parse(const natsMsg *message);
/// Members of objects; 0, "" and NULL where they are not there.
int64_t cluster_nats_number(const json_t *object, const char *name);
const char *cluster_nats_text(const json_t *object, const char *name);

#endif
