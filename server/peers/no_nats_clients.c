/* SPDX-License-Identifier: MIT */
/* Where libnats is not installed. */
#include "peers/nats_clients.h"

nats_clients *nats_clients_open(const nats_clients_def *def) {
    (void)def;
    return NULL;
}

void nats_clients_serve(nats_clients *clients, bool serves) {
    (void)clients, (void)serves;
}

void nats_clients_end_quiet(nats_clients *clients) {
    (void)clients;
}

void nats_clients_close(nats_clients *clients) {
    (void)clients;
}
