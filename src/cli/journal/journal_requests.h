/* SPDX-License-Identifier: MIT */
/* The requests that a server has accepted and not answered, as comments of a journal of their own. */
#ifndef WEND_SRC_CLI_JOURNAL_JOURNAL_REQUESTS_H
#define WEND_SRC_CLI_JOURNAL_JOURNAL_REQUESTS_H

#include "cli/journal/journal_read.h"

/* A line is one of
 *   # request NUMBER SECRET SESSION MESSAGE
 *   # change NUMBER MESSAGE
 *   # done NUMBER
 * Numbers rise. SESSION is a name with bytes as %XX, MESSAGE is the client's, without the blanks around its values. */

/// A request that is not over.
typedef struct kept_request {
    struct kept_request *previous, *next;
    uint64_t number;
    char *lines; ///< of the file: the request, then its changes, each with its line end; a zero behind them
    size_t bytes;
    uint32_t waits; ///< changes on their way to the disk
    bool over;      ///< it is not in the list any more
} kept_request;

/// All of them, by their numbers.
typedef struct kept_requests {
    kept_request *first, *last;
    uint64_t count, last_number;
    uint64_t bytes; ///< of their lines
} kept_requests;

/// Add a request behind all others. @return NULL: no memory
kept_request *kept_requests_add(kept_requests *all, const char *session, const char *secret, const char *message,
                                size_t bytes);
/// Add a change of it. @return its line, to be freed; NULL: no memory
char *kept_requests_change(kept_requests *all, kept_request *request, const char *message, size_t bytes);
/// Take a change back.
void kept_requests_unchange(kept_requests *all, kept_request *request, const char *line);
/// It is over. It is freed when no change of it is on its way.
void kept_requests_remove(kept_requests *all, kept_request *request);
/// A change is no more on its way.
void kept_requests_release(kept_request *request);
void kept_requests_free(kept_requests *all);

/// Read those that are not over. @return −1 to go on, else the exit status, after a message
int kept_requests_read(kept_requests *all, const char *file, const serve_journal_past *past);

/// A message of a request: itself, then its changes.
typedef struct kept_message {
    size_t at;         ///< where the next one begins; 0 at first
    char session[200]; ///< its name
    char secret[40];
    const char *text; ///< not ended by a zero
    size_t bytes;
} kept_message;

/// Get the next one. @return false: there is none
bool kept_requests_message(const kept_request *request, kept_message *message);

#endif
