/* SPDX-License-Identifier: MIT */
/* The journal of a server: a script that only grows. What is in it is on disk before the server answers `ok`.
 *
 * A record is the lines of one message. A seal ends it: a comment with a hash of all bytes above it. So a reader
 * detects a record that is not whole or was changed. The lines before the first seal name the world. */
#ifndef WEND_SERVER_JOURNAL_JOURNAL_H
#define WEND_SERVER_JOURNAL_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "journal/journal_file.h"

typedef struct serve_journal serve_journal;

/// Called when a record is on disk, or was refused.
/// @param error   0, or an errno: the record is not in the file, and never will be. Records that gathered behind a
///                commit that failed are refused with it, as they may have been judged by those before them; but not
///                where they are to begin a new file
typedef void serve_journal_fn(void *context, int error);

/// Open a journal for appending, or create it. What follows its last seal is cut off.
/// @param past   what serve_journal_read() found in the file
/// @return CLI_DONE, or the exit status after a message: the file cannot be written, or another server has it
/// Threads: the loop's. Cost: a few writes and syncs, which it waits for.
int serve_journal_open(uv_loop_t *loop, const char *file, const serve_journal_past *past, serve_journal **out);

/// Where records go that have no file here: each commit is an entry, with lines of its own before the records.
typedef struct serve_journal_sink {
    /// Write the lines that begin an entry, on the loop's thread. @return their bytes
    /// @param words   "fresh" where the world begins again, the pointer given to serve_journal_insert(), or ""
    size_t (*head)(void *context, const char *words, char *out, size_t capacity);
    /// Keep an entry, on a thread of the loop's pool.
    serve_journal_outcome (*append)(void *context, const char *bytes, size_t size);
    size_t (*most_bytes)(void *context); ///< of an entry
    void *context;
} serve_journal_sink;
/// Opens a journal with a sink for its records. They are numbered from 1 in each entry.
/// @return NULL: no memory
serve_journal *serve_journal_open_sink(uv_loop_t *loop, const serve_journal_sink *sink);

/// Add a script line to the record that is being made. The line needs no line end.
void serve_journal_line(serve_journal *journal, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Add a part of a line; the next serve_journal_line() ends it. `journal` is a serve_journal.
void serve_journal_put(void *journal, const char *bytes, size_t size);

/// End the record. Nothing is written before the next commit.
/// @param done   called on the loop's thread; NULL: no one waits for it
/// @return 0; EFBIG (the journal has the most bytes that a script may have), ENOBUFS (too much waits for the disk),
///         ENOMEM, or the error that broke the journal: the record is discarded, and `done` is not called
int serve_journal_end_record(serve_journal *journal, serve_journal_fn *done, void *context);

/// Begins the journal again: a new file replaces it, with only the world and later records.
/// The lines since the last record are discarded.
/// @param done   as of serve_journal_end_record()
int serve_journal_restart(serve_journal *journal, serve_journal_fn *done, void *context);
/// The same with a file of its own, written and synced before: a save that the lines go on from.
/// @param save   the caller's until `done` is called; NULL: there is none
int serve_journal_restart_from(serve_journal *journal, const serve_journal_save *save, serve_journal_fn *done,
                               void *context);

/// Write and sync all records, on a thread of the loop's pool. Nothing happens while the commit before it is under way,
/// or where there is no record. A record may end with no line: then its waiter is called in its turn.
void serve_journal_commit(serve_journal *journal);

/// Write lines as an entry of their own, before the records that gathered. Only with a sink, while no commit is under
/// way.
/// @param words   for the entry's head; the caller's until `done` is called
/// @return false: no memory, and `done` is not called
bool serve_journal_insert(serve_journal *journal, const char *words, const char *lines, size_t size,
                          serve_journal_fn *done, void *context);

/// Call a function whenever a commit has ended, after those who waited for it.
void serve_journal_on_idle(serve_journal *journal, void (*idle)(void *context), void *context);

/// Returns whether a commit is under way.
bool serve_journal_is_writing(const serve_journal *journal);
/// Records that wait for a commit or are in one.
size_t serve_journal_waiting(const serve_journal *journal);
/// Records that were written since it was opened.
uint64_t serve_journal_records(const serve_journal *journal);
/// Bytes of the file that are synced.
uint64_t serve_journal_bytes(const serve_journal *journal);

/// Write and sync what waits, call every `done`, and close the file.
/// Threads: the loop's; the loop runs until the commit under way has ended. Cost: waits for the disk.
void serve_journal_close(serve_journal *journal);

#endif
