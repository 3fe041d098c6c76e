/* SPDX-License-Identifier: MIT */
/* Reading a journal when the server starts: whether it is complete, and its lines. */
#ifndef WEND_SERVER_JOURNAL_JOURNAL_READ_H
#define WEND_SERVER_JOURNAL_JOURNAL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "world/world.h"

/// The contents of a journal.
typedef struct serve_journal_past {
    char *text;          ///< text up to the last seal, with a zero behind it
    size_t size;         ///< 0: there was no file, or one without a complete head
    uint64_t hash;       ///< hash of the text
    uint64_t file_bytes; ///< size of the file when it was read
    char *head;          ///< the line that names the world, without its line end
} serve_journal_past;

/* Functions that return int: CLI_DONE, or the exit status after a message. */

/// Reads a journal. Bytes after the last seal were never acknowledged and are dropped, with a note. Any damage above
/// it, and of that seal, is an error.
/// @param file         it need not exist
/// @param world_path   the MAP argument; a journal of another world is an error
int serve_journal_read(const char *file, const char *world_path, serve_journal_past *out);
/// Reads an entry of a log, a complete small journal.
/// @param text   with a zero behind it; owned by the past, for serve_journal_forget()
int serve_journal_read_entry(const char *name, char *text, size_t size, serve_journal_past *out);
/// Frees it. It is unused after serve_journal_open().
void serve_journal_forget(serve_journal_past *past);

/// A line of a record, or a comment in it.
typedef struct serve_journal_line_at {
    const char *text; ///< not ended by a zero
    size_t length;
    int line;
    uint64_t record; ///< number of its record, from 1
    size_t next;     ///< start of the search for the next one; 0 at first
} serve_journal_line_at;

/// Finds the next line, except lines of the head and seals. @return false at the end
bool serve_journal_next(const serve_journal_past *past, serve_journal_line_at *at);

/// The line that begins a journal.
#define SERVE_JOURNAL_FIRST_LINE "# a journal of wend serve\n"
/// Writes the seal of a hash (wend__hash_bytes() over all lines before it): a comment line with its end and a zero.
enum { SERVE_JOURNAL_SEAL_BYTES = 26 };
void serve_journal_seal(uint64_t hash, char out[SERVE_JOURNAL_SEAL_BYTES + 1]);

/// The most bytes of a journal, and of a script.
#define SERVE_JOURNAL_MOST_BYTES CLI_MAX_SCRIPT_BYTES

#endif
