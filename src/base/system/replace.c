/* SPDX-License-Identifier: MIT */
/* Replaces a file by one that is written aside: whatever happens, the old file or the new one is there whole. */
#define _GNU_SOURCE
#include "base/system/replace.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const char ending[] = ".new";

const char *wend__errno_text(int number) {
    if (number == EAGAIN) return "another process writes it";
    return number ? strerror(number) : "the system gives no reason";
}

static int reason_or(int otherwise) {
    return errno ? errno : otherwise;
}

static bool set_names(wend__replacement *file, const char *path) {
    const size_t length = strlen(path);
    *file = (wend__replacement){.descriptor = -1};
    if (length + sizeof ending > sizeof file->path) return false;
    memcpy(file->path, path, length + 1);
    return true;
}

static void name_aside(wend__replacement *file) {
    const size_t length = strlen(file->path);
    memcpy(file->aside, file->path, length);
    memcpy(file->aside + length, ending, sizeof ending);
}

/* 0; or the reason, which is EIO where an earlier write failed: the C library keeps no reason. */
static int flush(FILE *stream) {
    errno = 0;
    return fflush(stream) != 0 || ferror(stream) ? reason_or(EIO) : 0;
}

/* Systems without flock() and links of their own. */
#if defined(_WIN32) || defined(__wasm__)

#if defined(_WIN32)
#include <windows.h>

static int move(const char *from, const char *to) {
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : EACCES;
}
#else
static int move(const char *from, const char *to) {
    return rename(from, to) == 0 ? 0 : reason_or(EIO);
}
#endif

int wend__replace_begin(wend__replacement *file, const char *path) {
    if (!set_names(file, path)) return ENAMETOOLONG;
    name_aside(file);
    errno = 0;
    file->stream = fopen(file->aside, "wb");
    return file->stream ? 0 : reason_or(EIO);
}

int wend__replace_end(wend__replacement *file, int error) {
    if (!error) error = flush(file->stream);
    errno = 0;
    if (fclose(file->stream) != 0 && !error) error = reason_or(EIO);
    file->stream = NULL;
    if (!error) error = move(file->aside, file->path);
    if (error) remove(file->aside);
    return error;
}

#else

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---- */

/* Returns where the folder of a name ends in it; 0: the name has none. */
static size_t folder_bytes(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* A descriptor has to be written itself: its file may have had other bytes from it. */
static bool names_descriptor(const char *path) {
    return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* Follows the links that the name itself is; the last one may lead to no file. */
static int follow_links(char path[WEND__PATH_BYTES]) {
    enum { MOST_LINKS = 40 };
    char to[WEND__PATH_BYTES];
    for (int i = 0; i < MOST_LINKS && !names_descriptor(path); i++) {
        const ssize_t length = readlink(path, to, sizeof to);
        if (length < 0) return 0; /* no link */
        const size_t folder = to[0] == '/' ? 0 : folder_bytes(path);
        if (folder + (size_t)length + sizeof ending > WEND__PATH_BYTES) return ENAMETOOLONG;
        memcpy(path + folder, to, (size_t)length);
        path[folder + (size_t)length] = '\0';
    }
    return names_descriptor(path) ? 0 : ELOOP;
}

/* ---- the file aside ---- */

static bool is_named(int file, const char *path) {
    struct stat opened, named;
    return fstat(file, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* A file system without locks has nobody to wait for. */
static bool is_locked_elsewhere(int file) {
    return flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* Removes what a killed process left aside: only with its lock, as a living process writes under that lock until its
 * file has another name. */
static int remove_left_over(const char *aside) {
    const int left = open(aside, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (left < 0 && errno != ELOOP) return errno == ENOENT ? 0 : errno;
    int error = left >= 0 && (is_locked_elsewhere(left) || !is_named(left, aside)) ? EAGAIN : 0;
    if (!error && unlink(aside) != 0) error = errno;
    if (left >= 0) close(left);
    return error;
}

/* Where the owner cannot stay, nobody gets this one's rights by running the file. */
static void keep_rights(int file, const struct stat *old) {
    const bool same_owner = fchown(file, old->st_uid, old->st_gid) == 0;
    (void)fchmod(file, old->st_mode & (same_owner ? 07777 : 0777));
}

static int open_aside(wend__replacement *file, const struct stat *old) {
    int error = remove_left_over(file->aside);
    if (error) return error;
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int made = open(file->aside, flags, old ? 0600 : 0666); /* nobody reads more than keep_rights() lets */
    if (made < 0) return errno == EEXIST ? EAGAIN : errno;
    if (is_locked_elsewhere(made)) return close(made), EAGAIN;
    if (old) keep_rights(made, old);
    errno = 0;
    file->stream = fdopen(made, "wb");
    file->descriptor = made;
    if (file->stream) return 0;
    error = reason_or(ENOMEM);
    unlink(file->aside);
    close(made);
    return error;
}

int wend__replace_begin(wend__replacement *file, const char *path) {
    struct stat old;
    if (!set_names(file, path)) return ENAMETOOLONG;
    if (!path[0]) return ENOENT;
    const bool exists = stat(path, &old) == 0;
    int error = follow_links(file->path);
    if (error) return error;
    if ((exists && !S_ISREG(old.st_mode)) || names_descriptor(file->path)) {
        errno = 0;
        file->stream = fopen(path, "wb");
        return file->stream ? 0 : reason_or(EIO);
    }
    if (exists && access(path, W_OK) != 0) return errno;
    name_aside(file);
    return open_aside(file, exists ? &old : NULL);
}

/* ---- its end ---- */

/* A file system that cannot sync has nothing that is not on its disk. */
static int sync_descriptor(int descriptor) {
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}

static int open_folder(const char *path) {
    char folder[WEND__PATH_BYTES] = ".";
    const size_t bytes = folder_bytes(path);
    if (bytes > 0) memcpy(folder, path, bytes), folder[bytes] = '\0';
    return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A new name in a folder is on disk only when the folder is synced. One that may not be read cannot be synced. */
static int move(wend__replacement *file) {
    const int folder = open_folder(file->path);
    if (folder < 0 && errno != EACCES) return errno;
    int error = rename(file->aside, file->path) == 0 ? 0 : errno;
    if (!error) file->aside[0] = '\0';
    if (!error && folder >= 0) error = sync_descriptor(folder);
    if (folder >= 0) close(folder);
    return error;
}

static int close_in_place(wend__replacement *file, int error) {
    if (!error) error = flush(file->stream);
    errno = 0;
    if (fclose(file->stream) != 0 && !error) error = reason_or(EIO);
    file->stream = NULL;
    return error;
}

/* A byte more finds the reason of a write that failed earlier; the file is dropped. */
static int flush_aside(const wend__replacement *file) {
    const int error = flush(file->stream);
    return error == EIO && write(file->descriptor, "", 1) < 0 ? errno : error;
}

int wend__replace_end(wend__replacement *file, int error) {
    if (!file->aside[0]) return close_in_place(file, error);
    if (!error) error = flush_aside(file);
    if (!error) error = sync_descriptor(file->descriptor);
    if (!error) error = move(file);
    if (file->aside[0]) unlink(file->aside);
    fclose(file->stream); /* all is on the disk; with it the lock ends */
    file->stream = NULL;
    return error;
}

#endif
