/* SPDX-License-Identifier: MIT */
/* The file of a journal: its creation, appending with a sync, and its replacement in one step. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/system/replace.h"
#include "journal/journal_file.h"
#include "cli/output/messages.h"

/* 0, or an errno. */
static int write_all(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes += written;
        size -= (size_t)written;
    }
    return 0;
}

/* Locks for appending: a second server must not write between. */
static int open_locked(const char *name, int flags, int *out) {
    const int descriptor = open(name, O_RDWR | O_APPEND | O_CLOEXEC | flags, 0600);
    if (descriptor < 0) return errno;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        close(descriptor);
        return error;
    }
    *out = descriptor;
    return 0;
}

/* Writes the head and the bytes. @param out   receives a descriptor that appends, with the lock of the file aside */
static int write_fresh(const serve_journal_file *file, const wend__replacement *fresh, const char *bytes, size_t size,
                       int *out) {
    *out = fcntl(fresh->descriptor, F_DUPFD_CLOEXEC, 0);
    if (*out < 0 || fcntl(*out, F_SETFL, O_APPEND) != 0) return errno;
    const int error = write_all(*out, file->head, file->head_bytes);
    return error != 0 ? error : write_all(*out, bytes, size);
}

serve_journal_outcome serve_journal_file_replace(serve_journal_file *file, const char *bytes, size_t size) {
    wend__replacement fresh;
    int descriptor = -1, error = wend__replace_begin(&fresh, file->name);
    if (error != 0) return (serve_journal_outcome){error, false};
    error = wend__replace_end(&fresh, write_fresh(file, &fresh, bytes, size, &descriptor));
    if (fresh.aside[0]) { /* the old one is there */
        if (descriptor >= 0) close(descriptor);
        return (serve_journal_outcome){error, false};
    }
    if (file->descriptor >= 0) close(file->descriptor);
    file->descriptor = descriptor;
    file->bytes = file->head_bytes + size;
    return (serve_journal_outcome){error, error != 0};
}

/* The folder is synced later, with the name of the journal that needs it. */
serve_journal_outcome serve_journal_file_save(const serve_journal_save *save) {
    if (unlink(save->path) != 0 && errno != ENOENT) return (serve_journal_outcome){errno, false};
    const int descriptor = open(save->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0) return (serve_journal_outcome){errno, false};
    int error = write_all(descriptor, (const char *)save->bytes, save->size);
    if (error == 0 && fsync(descriptor) != 0) error = errno;
    if (close(descriptor) != 0 && error == 0) error = errno;
    if (error != 0) unlink(save->path);
    return (serve_journal_outcome){error, false};
}

serve_journal_outcome serve_journal_file_append(serve_journal_file *file, const char *bytes, size_t size) {
    if (size == 0) return (serve_journal_outcome){0, false};
    serve_journal_outcome outcome = {.error = write_all(file->descriptor, bytes, size)};
    if (outcome.error == 0 && fdatasync(file->descriptor) != 0)
        outcome = (serve_journal_outcome){errno, true}; /* dropped pages: a later sync would prove nothing */
    if (outcome.error == 0)
        file->bytes += size;
    else if (ftruncate(file->descriptor, (off_t)file->bytes) != 0)
        outcome.broken = true;
    return outcome;
}

/* The head: the past's line, sealed. */
static bool make_head(serve_journal_file *file, const serve_journal_past *past) {
    char seal[SERVE_JOURNAL_SEAL_BYTES + 1];
    const int length =
        asprintf(&file->head, "%s%s\n%*s", SERVE_JOURNAL_FIRST_LINE, past->head, SERVE_JOURNAL_SEAL_BYTES, "");
    if (length < 0) return false;
    file->head_bytes = (size_t)length;
    const size_t lines = file->head_bytes - SERVE_JOURNAL_SEAL_BYTES;
    serve_journal_seal(wend__hash_bytes(WEND__HASH_START, file->head, lines), seal);
    memcpy(file->head + lines, seal, SERVE_JOURNAL_SEAL_BYTES);
    file->head_hash = wend__hash_bytes(WEND__HASH_START, file->head, file->head_bytes);
    return true;
}

/* 0, or an errno. */
static int open_file(serve_journal_file *file, const serve_journal_past *past) {
    if (past->size == 0) {
        int error = open_locked(file->name, O_CREAT, &file->descriptor); /* another server may be creating it */
        if (error == 0) error = serve_journal_file_replace(file, NULL, 0).error;
        file->hash = file->head_hash;
        return error;
    }
    int error = open_locked(file->name, 0, &file->descriptor);
    if (error == 0 && lseek(file->descriptor, 0, SEEK_END) != (off_t)past->file_bytes) error = EBUSY;
    if (error == 0 && ftruncate(file->descriptor, (off_t)past->size) != 0) error = errno;
    if (error == 0 && fsync(file->descriptor) != 0) error = errno;
    file->bytes = past->size;
    file->hash = past->hash;
    return error;
}

int serve_journal_file_open(serve_journal_file *file, const char *name, const serve_journal_past *past) {
    *file = (serve_journal_file){.descriptor = -1, .name = strdup(name)};
    int error = !file->name || !make_head(file, past) ? ENOMEM : open_file(file, past);
    if (error == 0) return CLI_DONE;
    serve_journal_file_close(file);
    if (error == EWOULDBLOCK || error == EBUSY) return cli_fail_at(name, 0, 0, "another server writes this journal");
    return cli_fail_at(name, 0, 0, "the journal cannot be written: %s", strerror(error));
}

void serve_journal_file_close(serve_journal_file *file) {
    if (file->descriptor >= 0) close(file->descriptor);
    free(file->name);
    free(file->head);
    *file = (serve_journal_file){.descriptor = -1};
}
