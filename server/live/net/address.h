/* SPDX-License-Identifier: MIT */
/* Addresses to listen on, and the server's names for browsers. */
#ifndef WEND_SERVER_LIVE_NET_ADDRESS_H
#define WEND_SERVER_LIVE_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct live_address {
    char host[64]; ///< numeric, without brackets
    int port;
    bool path; ///< a Unix socket
    bool v6, loopback, any;
} live_address;

/// Parses "ADDRESS:PORT", "[V6]:PORT" or ":PORT" (loopback), or if `may_be_path` a text with a slash.
bool live_address_parse(const char *text, bool may_be_path, live_address *out);

/// Returns whether a client may use the Host header's name for the server. Any port is accepted, as tunnels change it.
/// @param name   a further name; may be NULL
bool live_host_allowed(const live_address *address, const char *name, const char *host, size_t length);

/// Returns whether this server sent the page at `origin`, requested from `host`.
bool live_origin_allowed(const char *origin, const char *host);

#endif
