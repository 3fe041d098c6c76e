/* SPDX-License-Identifier: MIT */
/* The options with which `wend serve` and `wend cluster` connect to NATS. */
#ifndef WEND_SERVER_CLUSTER_LOGIN_H
#define WEND_SERVER_CLUSTER_LOGIN_H

#include "cli/shared/options.h"
#include "store/log.h"

enum { CLUSTER_LOGIN_OPTIONS = 7 };

/// Rows of a table of options. @param login   a cluster_log_login
#define CLUSTER_LOGIN_ROWS(login)                                                                                      \
    {"nats-auth",                                                                                                      \
     CLI_TEXT,                                                                                                         \
     &(login).auth_file,                                                                                               \
     "FILE",                                                                                                           \
     0,                                                                                                                \
     0,                                                                                                                \
     0,                                                                                                                \
     "user and password, or a token; else WEND_NATS_USER and WEND_NATS_PASSWORD"},                                     \
        {"nats-creds", CLI_TEXT, &(login).creds, "FILE", 0, 0, 0, "credentials: a JWT and its seed"},                  \
        {"nats-nkey", CLI_TEXT, &(login).nkey, "FILE", 0, 0, 0, "an nkey: its public key and its seed"},               \
        {"nats-ca", CLI_TEXT, &(login).ca, "FILE", 0, 0, 0, "certificates that tls:// servers are checked by"},        \
        {"nats-certificate", CLI_TEXT, &(login).certificate, "FILE", 0, 0, 0, "this node's, for tls://"},              \
        {"nats-key", CLI_TEXT, &(login).key, "FILE", 0, 0, 0, "and its key"}, {                                        \
        "nats-any-version", CLI_FLAG, &(login).any_version, NULL, 0, 0, 0, "take servers of any version: for tests"    \
    }

#endif
