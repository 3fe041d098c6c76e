/* SPDX-License-Identifier: MIT */
/* System calls for files that fail, are interrupted or do less than they were asked for, where a test wants it. For
 * plain programs of one file, as it defines open(), read() and so on; a FILE is a cookie over the same calls, as the C
 * library does not call its own names. FAULTS is 0 where that cannot be done. */
#ifndef TESTS_SERVER_RUN_FAULTS_H
#define TESTS_SERVER_RUN_FAULTS_H

#if !defined(__linux__) || !defined(__GLIBC__) || defined(__i386__)
#define FAULTS 0
#else
#define FAULTS 1

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The kinds of calls, as bits.
enum {
    FAULT_OPEN = 1,                                                    ///< open(), fopen()
    FAULT_READ = 2,                                                    ///< read(), pread(), and reads of a FILE
    FAULT_WRITE = 4,                                                   ///< write(), pwrite(), and writes of a FILE
    FAULT_SYNC = 8,                                                    ///< fsync(), fdatasync()
    FAULT_NAME = 16,                                                   ///< rename(), unlink()
    FAULT_CUT = 32,                                                    ///< ftruncate()
    FAULT_CLOSE = 64,                                                  ///< close(), fclose(): the file is still closed
    FAULT_SPACE = FAULT_OPEN | FAULT_WRITE | FAULT_SYNC | FAULT_CLOSE, ///< calls that a full disk refuses
    FAULT_ALL = 127
};

typedef struct fault {
    unsigned kinds;   ///< which calls count
    int error;        ///< an errno; 0: none fails
    uint64_t at;      ///< the call that fails, from 1; 0: none does
    bool for_good;    ///< all after it, too
    size_t most;      ///< bytes that a call reads or writes; 0: as many as requested
    uint64_t calls;   ///< counted so far
    unsigned hit;     ///< the kind of the first call that failed; 0: none did
    bool kills;       ///< the process ends in place of that call
    const char *from; ///< part of a name: calls count from the first open() of such a file on; NULL: all count
} fault;

enum { FAULT_KILLED = 137 }; ///< the exit status of a process that was ended

static fault faults;

static bool fault_fails(unsigned kind) {
    if (!(faults.kinds & kind) || faults.from) return false;
    const uint64_t call = ++faults.calls;
    if (faults.at == 0 || (faults.for_good ? call < faults.at : call != faults.at)) return false;
    if (faults.kills) syscall(SYS_exit_group, FAULT_KILLED);
    if (!faults.hit) faults.hit = kind;
    errno = faults.error;
    return true;
}

static size_t fault_bytes(size_t count) {
    return faults.most > 0 && count > faults.most ? faults.most : count;
}

#define FAULT_CALL __attribute__((visibility("default")))

/* ---- descriptors ---- */

FAULT_CALL int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    const int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    if (faults.from && strstr(path, faults.from)) faults.from = NULL;
    return fault_fails(FAULT_OPEN) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

FAULT_CALL int close(int file) {
    const bool fails = fault_fails(FAULT_CLOSE);
    const int error = errno, closed = (int)syscall(SYS_close, file);
    if (fails) errno = error;
    return fails ? -1 : closed;
}

FAULT_CALL ssize_t read(int file, void *to, size_t count) {
    return fault_fails(FAULT_READ) ? -1 : syscall(SYS_read, file, to, fault_bytes(count));
}

FAULT_CALL ssize_t pread(int file, void *to, size_t count, off_t at) {
    return fault_fails(FAULT_READ) ? -1 : syscall(SYS_pread64, file, to, fault_bytes(count), at);
}

FAULT_CALL ssize_t write(int file, const void *from, size_t count) {
    return fault_fails(FAULT_WRITE) ? -1 : syscall(SYS_write, file, from, fault_bytes(count));
}

FAULT_CALL ssize_t pwrite(int file, const void *from, size_t count, off_t at) {
    return fault_fails(FAULT_WRITE) ? -1 : syscall(SYS_pwrite64, file, from, fault_bytes(count), at);
}

/* No power is cut in a test, so nothing has to be on the disk. */
FAULT_CALL int fsync(int file) {
    (void)file;
    return fault_fails(FAULT_SYNC) ? -1 : 0;
}

FAULT_CALL int fdatasync(int file) {
    return fsync(file);
}

FAULT_CALL int ftruncate(int file, off_t size) {
    return fault_fails(FAULT_CUT) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}

FAULT_CALL int rename(const char *from, const char *to) {
    return fault_fails(FAULT_NAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

FAULT_CALL int unlink(const char *path) {
    return fault_fails(FAULT_NAME) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

/* ---- files of the C library ---- */

static ssize_t fault_cookie_read(void *cookie, char *to, size_t count) {
    return read((int)(intptr_t)cookie, to, count);
}

/* As the C library does with a file of its own: it writes the rest of a partial write. */
static ssize_t fault_cookie_write(void *cookie, const char *from, size_t count) {
    size_t done = 0;
    while (done < count) {
        const ssize_t written = write((int)(intptr_t)cookie, from + done, count - done);
        if (written <= 0) break;
        done += (size_t)written;
    }
    return (ssize_t)done;
}

static int fault_cookie_seek(void *cookie, off64_t *at, int from) {
    *at = lseek((int)(intptr_t)cookie, *at, from);
    return *at < 0 ? -1 : 0;
}

static int fault_cookie_close(void *cookie) {
    return close((int)(intptr_t)cookie);
}

FAULT_CALL FILE *fdopen(int file, const char *mode) {
    static const cookie_io_functions_t calls = {fault_cookie_read, fault_cookie_write, fault_cookie_seek,
                                                fault_cookie_close};
    return fopencookie((void *)(intptr_t)file, mode, calls);
}

FAULT_CALL FILE *fopen(const char *path, const char *mode) {
    const int flags = mode[0] == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    const int file = open(path, flags | O_CLOEXEC, 0666);
    return file < 0 ? NULL : fdopen(file, mode);
}

#endif
#endif
