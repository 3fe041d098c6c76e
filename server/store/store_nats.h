/* SPDX-License-Identifier: MIT */
/* Connections to NATS, for the store and for clients that come by it. */
#ifndef WEND_SERVER_STORE_STORE_NATS_H
#define WEND_SERVER_STORE_STORE_NATS_H

#include <nats/nats.h>

#include "store/store.h"

/// Connect to a server. The connection comes back by itself, whenever its servers do; what is published meanwhile
/// fails.
natsStatus cluster_nats_connect(natsConnection **out, const char *url);

#endif
