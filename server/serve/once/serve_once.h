/* SPDX-License-Identifier: MIT */
/* Numbers of orders that are executed once: a session counts its orders, 1, 2 and so on, and may repeat one without
 * an answer. The table is a part of the world's state, so each node of a cluster, and a restart, has the same. */
#ifndef WEND_SERVER_SERVE_ONCE_SERVE_ONCE_H
#define WEND_SERVER_SERVE_ONCE_SERVE_ONCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Kept sessions, the least recently used dropped; numbers below the highest that are kept; bytes of a name.
enum { SERVE_ONCE_SESSIONS = 1024, SERVE_ONCE_BELOW = 64, SERVE_ONCE_NAME_BYTES = 64 };

typedef struct serve_once {
    struct serve_once_session {
        char name[SERVE_ONCE_NAME_BYTES + 1];
        uint64_t hash;           ///< hash of the name
        uint64_t highest, below; ///< bit i: order highest − 1 − i is done
        uint64_t used;
    } * sessions; ///< NULL: there is none
    size_t count;
    uint64_t uses;
} serve_once;

typedef enum serve_once_verdict { ONCE_NEW, ONCE_AGAIN, ONCE_TOO_OLD, ONCE_FORGOTTEN } serve_once_verdict;

/// Returns whether an order of that number is new. FORGOTTEN: the session is unknown, and it is not its first order.
serve_once_verdict serve_once_look(const serve_once *once, const char *session, uint64_t number);
/// Records an executed order. @return false: no memory
bool serve_once_note(serve_once *once, const char *session, uint64_t number);
/// Writes the line of an order for a journal, without its line end.
enum { SERVE_ONCE_LINE_BYTES = 2 * SERVE_ONCE_NAME_BYTES + 64 };
void serve_once_line(const char *session, uint64_t number, char out[SERVE_ONCE_LINE_BYTES]);
/// Records the orders and the tables whose lines are in a text. @return false: no memory
bool serve_once_take(serve_once *once, const char *text);
/// Writes the table as lines, the least recently used session first.
void serve_once_write(const serve_once *once, FILE *out);
/// Returns a hash of the table.
uint64_t serve_once_hash(const serve_once *once);
/// Clears the table.
void serve_once_clear(serve_once *once);

#endif
