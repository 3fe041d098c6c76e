/* SPDX-License-Identifier: MIT */
/* Keeps a node's own copy of the log in a file. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/array.h"
#include "base/system/replace.h"
#include "cli/output/messages.h"
#include "cli/world/world.h"
#include "cluster/copy.h"

static uint64_t bytes_of(const cluster_copy *copy) {
    return copy->last > 0 ? copy->entries[copy->last - copy->first].end : 0;
}

static bool add(cluster_copy *copy, uint64_t number, uint64_t hash, size_t size) {
    const uint64_t end = bytes_of(copy) + size, first = copy->last > 0 ? copy->first : number;
    if (!WEND__ARRAY_ROOM(copy->entries, copy->capacity, (size_t)(number - first) + 1)) return false;
    copy->first = first;
    copy->last = number;
    copy->entries[number - first] = (struct copied){hash, end};
    return true;
}

/* ---- reading ---- */

/* @return CLI_DONE, with the bytes of whole entries */
static int read_entries(cluster_copy *copy, const char *text, size_t size, const char *map, size_t *whole) {
    uint64_t after = 0;
    for (size_t bytes; *whole < size; *whole += bytes) {
        const char *at = text + *whole;
        cluster_entry entry;
        const cluster_reading reading = cluster_entry_next(at, size - *whole, &bytes, &entry);
        if (reading == CLUSTER_READ_DAMAGED && *whole + bytes == size) return CLI_DONE;
        if (reading != CLUSTER_READ || (copy->last > 0 && (entry.number != copy->last + 1 || entry.after != after)))
            return cli_fail("%s: what is behind entry %" PRIu64 " is damaged", copy->file, copy->last);
        if (strcmp(entry.map, map) != 0) return cli_fail("%s: it is a journal of map %s", copy->file, entry.map);
        after = cluster_entry_hash(at, bytes);
        if (!add(copy, entry.number, after, bytes)) return cli_fail("out of memory");
    }
    return CLI_DONE;
}

int cluster_copy_open(cluster_copy *copy, const char *file, const char *map) {
    size_t size, whole = 0;
    copy->file = file;
    copy->first = 1;
    copy->descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (copy->descriptor < 0) return cli_fail("%s: %s", file, strerror(errno));
    if (flock(copy->descriptor, LOCK_EX | LOCK_NB) != 0) return cli_fail("%s: another process has it", file);
    char *text = cli_read_file(file, 0, &size);
    if (!text) return CLI_BAD_INPUT;
    const int status = read_entries(copy, text, strlen(text), map, &whole); /* a lost write leaves zeros */
    free(text);
    if (status || whole == size) return status;
    cli_note_at(file, "%zu bytes of an entry that was cut short are dropped", size - whole);
    return ftruncate(copy->descriptor, (off_t)whole) == 0 ? CLI_DONE : cli_fail("%s: %s", file, strerror(errno));
}

/* ---- writing ---- */

/* Once an entry is missing, later ones are not written either: a restart compares, and goes on. */
static void fail(cluster_copy *copy) {
    snprintf(copy->why, sizeof copy->why, "the journal cannot be written: %s", strerror(errno));
    cli_note_at(copy->file, "%s", copy->why);
}

static bool write_all(int descriptor, const char *bytes, size_t size, uint64_t at) {
    while (size > 0) {
        const ssize_t written = pwrite(descriptor, bytes, size, (off_t)at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written, size -= (size_t)written, at += (uint64_t)written;
    }
    return true;
}

static bool copy_from(const cluster_copy *copy, uint64_t begin, int made) {
    char bytes[1 << 16];
    for (uint64_t at = begin, end = bytes_of(copy); at < end;) {
        const ssize_t got = pread(copy->descriptor, bytes, sizeof bytes, (off_t)at);
        if (got <= 0 || !write_all(made, bytes, (size_t)got, at - begin)) return false;
        at += (uint64_t)got;
    }
    return true;
}

/* Keeps the file as FILE.before, too. */
static bool keep_before(const cluster_copy *copy) {
    char before[4096];
    snprintf(before, sizeof before, "%s.before", copy->file);
    return (unlink(before) == 0 || errno == ENOENT) && link(copy->file, before) == 0;
}

/* A file with the bytes from `begin` on replaces this one. Its folder need not be synced: after a loss of power the old
 * file is as good.
 * @param keeps   this one stays as FILE.before */
static bool replace(cluster_copy *copy, uint64_t begin, bool keeps) {
    wend__replacement file;
    int error = wend__replace_begin(&file, copy->file);
    if (error != 0) return errno = error, false;
    errno = 0;
    const int made = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0); /* has the lock, too */
    const bool good = made >= 0 && copy_from(copy, begin, made) && (!keeps || keep_before(copy));
    error = wend__replace_end(&file, good ? 0 : errno != 0 ? errno : EIO);
    const bool replaced = !file.aside[0];
    const int other = replaced ? copy->descriptor : made;
    if (replaced) copy->descriptor = made;
    if (other >= 0) close(other);
    errno = error;
    return replaced;
}

static void append(cluster_copy *copy, uint64_t number, const char *bytes, size_t size, bool syncs) {
    if (copy->last > 0 && number > copy->last + 1) {
        if (!replace(copy, bytes_of(copy), true)) return fail(copy);
        copy->last = 0;
    }
    const uint64_t at = bytes_of(copy);
    if (write_all(copy->descriptor, bytes, size, at) && (!syncs || fdatasync(copy->descriptor) == 0) &&
        add(copy, number, cluster_entry_hash(bytes, size), size))
        return;
    fail(copy);
    if (ftruncate(copy->descriptor, (off_t)at) != 0) cli_note_at(copy->file, "its last entry is cut short");
}

bool cluster_copy_take(cluster_copy *copy, uint64_t number, const char *bytes, size_t size, bool syncs) {
    bool same = true;
    if (!copy->file) return true;
    uv_mutex_lock(&copy->mutex);
    if (number >= copy->first && number <= copy->last)
        same = copy->entries[number - copy->first].hash == cluster_entry_hash(bytes, size);
    else if (number > copy->last && copy->why[0] == '\0')
        append(copy, number, bytes, size, syncs);
    uv_mutex_unlock(&copy->mutex);
    return same;
}

void cluster_copy_sync(cluster_copy *copy) {
    if (!copy->file) return;
    uv_mutex_lock(&copy->mutex);
    if (copy->why[0] == '\0' && fdatasync(copy->descriptor) != 0) fail(copy);
    uv_mutex_unlock(&copy->mutex);
}

static void cut(cluster_copy *copy, uint64_t first) {
    const size_t gone = (size_t)(first - copy->first), left = (size_t)(copy->last - first) + 1;
    const uint64_t begin = copy->entries[gone - 1].end;
    if (!replace(copy, begin, false)) return;
    memmove(copy->entries, copy->entries + gone, left * sizeof *copy->entries);
    for (size_t i = 0; i < left; i++) copy->entries[i].end -= begin;
    copy->first = first;
}

void cluster_copy_cut(cluster_copy *copy, uint64_t first) {
    if (!copy->file) return;
    uv_mutex_lock(&copy->mutex);
    if (copy->why[0] == '\0' && first > copy->first && first <= copy->last) cut(copy, first);
    uv_mutex_unlock(&copy->mutex);
}

void cluster_copy_close(cluster_copy *copy) {
    if (copy->file) close(copy->descriptor);
    free(copy->entries);
}
