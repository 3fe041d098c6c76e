/* SPDX-License-Identifier: MIT */
/* The file of a journal: its creation, appending with a sync, and its replacement in one step. */
#ifndef WEND_SERVER_JOURNAL_JOURNAL_FILE_H
#define WEND_SERVER_JOURNAL_JOURNAL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "journal/journal_read.h"

typedef struct serve_journal_file {
    int descriptor;
    char *name;
    char *head; ///< sealed lines before the first record
    size_t head_bytes;
    uint64_t head_hash;
    uint64_t bytes; ///< synced bytes
    uint64_t hash;  ///< their hash, when the file was opened
} serve_journal_file;

/// Opens the file, or creates it with the past's head. Bytes after its last seal are cut off. No other process can open
/// it. @return CLI_DONE, or the exit status after a message
int serve_journal_file_open(serve_journal_file *file, const char *name, const serve_journal_past *past);

/// The outcome of a write.
typedef struct serve_journal_outcome {
    int error;   ///< 0, or an errno: the file is unchanged
    bool broken; ///< the state of the file is unknown: the sync failed, or the file could not be cut
} serve_journal_outcome;

/// Appends bytes and syncs them.
serve_journal_outcome serve_journal_file_append(serve_journal_file *file, const char *bytes, size_t size);
/// Replaces the file, in one step, by one with the head and these bytes.
serve_journal_outcome serve_journal_file_replace(serve_journal_file *file, const char *bytes, size_t size);

/// A file next to a journal, and the lines that begin the journal that needs it.
typedef struct serve_journal_save {
    const char *path, *lines; ///< each line with its end
    const uint8_t *bytes;
    size_t size;
} serve_journal_save;
/// Writes and syncs it. An existing file of that name is removed before.
serve_journal_outcome serve_journal_file_save(const serve_journal_save *save);

void serve_journal_file_close(serve_journal_file *file);

#endif
