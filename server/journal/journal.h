/* SPDX-License-Identifier: MIT */
/* The journal of a server: a script that only grows. Its records are on disk before the server answers `ok`.
 *
 * A record is the lines of one message. A seal ends it: a comment with a hash of all bytes above it. So a reader
 * detects a record that is incomplete or was changed. The lines before the first seal name the world. */
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
/// failed commit are refused with it, as they may depend on those before them; but not
/// if they are to begin a new file
typedef void serve_journal_fn(void *context, int error);

/// Opens a journal for appending, or creates it. Bytes after its last seal are cut off.
/// @param past   what serve_journal_read() found in the file
/// @return CLI_DONE, or the exit status after a message: the file cannot be written, or another server has it
/// Threads: the loop's. Cost: a few writes and syncs, which it waits for.
int serve_journal_open(uv_loop_t *loop, const char *file, const serve_journal_past *past, serve_journal **out);

/// The target of records without a file here: each commit is an entry, with lines of its own before the records.
typedef struct serve_journal_sink {
    /// Writes the lines that begin an entry, on the loop's thread. @return their bytes
    /// @param words   "fresh" if the world begins again, the pointer given to serve_journal_insert(), or ""
    size_t (*head)(void *context, const char *words, char *out, size_t capacity);
    /// Stores an entry, on a thread of the loop's pool.
    serve_journal_outcome (*append)(void *context, const char *bytes, size_t size);
    size_t (*most_bytes)(void *context); ///< most bytes of an entry
    void *context;
} serve_journal_sink;
/// Opens a journal with a sink for its records. They are numbered from 1 in each entry.
/// @return NULL: no memory
serve_journal *serve_journal_open_sink(uv_loop_t *loop, const serve_journal_sink *sink);

/// Adds a script line to the unfinished record. The line needs no line end.
void serve_journal_line(serve_journal *journal, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Adds a part of a line; the next serve_journal_line() ends it. `journal` is a serve_journal.
void serve_journal_put(void *journal, const char *bytes, size_t size);

/// Ends the record. Nothing is written before the next commit.
/// @param done   called on the loop's thread; NULL: no waiter
/// @return 0; EFBIG (the journal has the most bytes that a script may have), ENOBUFS (too much waits for the disk),
/// ENOMEM, or the error that broke the journal: the record is discarded, and `done` is not called
int serve_journal_end_record(serve_journal *journal, serve_journal_fn *done, void *context);

/// Begins the journal again: a new file replaces it, with only the world and later records.
/// The lines since the last record are discarded.
/// @param done   as in serve_journal_end_record()
int serve_journal_restart(serve_journal *journal, serve_journal_fn *done, void *context);
/// The same with a file of its own, written and synced before: a save from which the lines go on.
/// @param save   owned by the caller until `done` is called; NULL: there is none
int serve_journal_restart_from(serve_journal *journal, const serve_journal_save *save, serve_journal_fn *done,
                               void *context);

/// Writes and syncs all records, on a thread of the loop's pool. Nothing happens during another commit,
/// or without records. A record may end without lines: then its waiter is called in its turn.
void serve_journal_commit(serve_journal *journal);

/// Writes lines as an entry of their own, before the gathered records. Only with a sink, and between commits.
/// @param words   for the entry's head; owned by the caller until `done` is called
/// @return false: no memory, and `done` is not called
bool serve_journal_insert(serve_journal *journal, const char *words, const char *lines, size_t size,
                          serve_journal_fn *done, void *context);

/// Sets a function to call whenever a commit has ended, after its waiters.
void serve_journal_on_idle(serve_journal *journal, void (*idle)(void *context), void *context);

/// Returns whether a commit is under way.
bool serve_journal_is_writing(const serve_journal *journal);
/// Returns the number of records that wait for a commit or are in one.
size_t serve_journal_waiting(const serve_journal *journal);
/// Returns the number of records written since the journal was opened.
uint64_t serve_journal_records(const serve_journal *journal);
/// Returns the synced bytes of the file.
uint64_t serve_journal_bytes(const serve_journal *journal);

/// Writes and syncs waiting records, calls every `done`, and closes the file.
/// Threads: the loop's; the loop runs until the current commit has ended. Cost: waits for the disk.
void serve_journal_close(serve_journal *journal);

#endif
