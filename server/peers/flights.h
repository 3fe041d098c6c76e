/* SPDX-License-Identifier: MIT */
/* Ids of messages that were passed on and wait: for their answer, or, of a request, for its completion. */
#ifndef WEND_SERVER_PEERS_FLIGHTS_H
#define WEND_SERVER_PEERS_FLIGHTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct flight {
    char *id; ///< as JSON
    bool request, answered;
    void *owner; ///< the caller's
} flight;

typedef struct flights {
    flight *items;
    size_t count, capacity;
} flights;

/// @return false: no memory
bool flights_add(flights *all, const char *id, const char *op, void *owner);
/// Find the id that a line of a server answers or completes.
/// @param ends   receives whether nothing more comes of it
/// @return NULL: it is no such line; valid until the next id comes or goes
flight *flights_find(flights *all, const char *line, bool *ends);
/// Returns whether a request of that id has its answer and waits for its completion.
bool flights_awaits(const flights *all, const char *id);
void flights_end(flights *all, flight *f);
void flights_free(flights *all);

enum { FLIGHT_END_BYTES = 1024 };
/// Writes the end of an id: `lost` if its request was answered, else an error.
/// @return the bytes
size_t flight_write_end(const flight *f, const char *error, const char *why, char out[FLIGHT_END_BYTES]);

#endif
