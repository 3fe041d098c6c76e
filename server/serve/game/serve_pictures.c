/* SPDX-License-Identifier: MIT */
/* Tiled's drawing of the world's map, for the page: /tiled.json has layers and tilesets, /tiled/N the map's image N.
 *
 * The map may come from a stranger, and so may the names of images in it. So all are read once, when the server begins:
 * only regular files in the map's folder or below (or that of --pictures), wherever symbolic links lead, of a known
 * image format, and up to a size. A client can name no other files. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/game/serve.h"
#include "cli/output/messages.h"

enum { MOST_IMAGES = 1024, MOST_NOTES = 4, PATH_BYTES = 32 };
#define MOST_BYTES (UINT64_C(1) << 24)     ///< most bytes of an image
#define MOST_ALL_BYTES (UINT64_C(1) << 26) ///< most bytes of all together

typedef struct reading {
    serve *server;
    char *folder; ///< folder of the map
    char *root;   ///< the folder that images must be in, without symbolic links
    uint64_t bytes;
    size_t refused;
} reading;

/* Returns the content type that an image's first bytes show; NULL: browsers cannot show it. SVG is excluded, as it can
 * hold scripts. */
static const char *type_of(const unsigned char *bytes, size_t count) {
    static const struct {
        size_t at, count;
        const char *bytes, *type;
    } known[] = {{0, 8, "\x89PNG\r\n\x1a\n", "image/png"},
                 {0, 3, "\xff\xd8\xff", "image/jpeg"},
                 {0, 4, "GIF8", "image/gif"},
                 {8, 4, "WEBP", "image/webp"},
                 {0, 2, "BM", "image/bmp"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (count >= 16 && memcmp(bytes + known[i].at, known[i].bytes, known[i].count) == 0) return known[i].type;
    return NULL;
}

/* Returns whether a path without symbolic links is below a folder without them. */
static bool is_below(const char *folder, const char *path) {
    const size_t length = strlen(folder);
    return strcmp(folder, "/") == 0 || (strncmp(folder, path, length) == 0 && path[length] == '/');
}

/* Reads an open file to its end, at most `most` bytes. @return NULL: *why has the reason */
static unsigned char *read_open(int file, uint64_t most, size_t *count, const char **why) {
    struct stat about;
    *why = "it is no regular file";
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) return NULL;
    *why = "it is larger than 16 MiB, or all images are larger than 64 MiB";
    if ((uint64_t)about.st_size > most) return NULL;
    unsigned char *bytes = malloc((size_t)about.st_size + 1);
    *why = "no memory";
    if (!bytes) return NULL;
    *count = 0;
    for (ssize_t got = 1; got > 0 && *count<(size_t)about.st_size; *count += got> 0 ? (size_t)got : 0)
        got = read(file, bytes + *count, (size_t)about.st_size - *count);
    return bytes;
}

/* @param path   without symbolic links */
static unsigned char *read_image(const reading *r, const char *path, size_t *count, const char **why) {
    *why = r->server->options->pictures ? "it is not in the folder of --pictures"
                                        : "it is not in the map's folder (--pictures DIR)";
    if (!is_below(r->root, path)) return NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    *why = "it cannot be opened";
    if (file < 0) return NULL;
    const uint64_t left = MOST_ALL_BYTES - r->bytes;
    unsigned char *bytes = read_open(file, left < MOST_BYTES ? left : MOST_BYTES, count, why);
    close(file);
    if (!bytes || type_of(bytes, *count)) return bytes;
    free(bytes);
    *why = "it is no PNG, JPEG, GIF, WebP or BMP";
    return NULL;
}

/* Adds a file that owns its path and bytes. @return false: no memory */
static bool add_file(serve *server, const char *path, const char *type, void *bytes, size_t count) {
    wend_live_file *file = &server->pictures.files[server->pictures.count];
    *file = (wend_live_file){strdup(path), type, bytes, count};
    if (!file->path) return false;
    server->pictures.count++;
    return true;
}

/* @return whether clients can get the file */
static bool add_image(reading *r, size_t number) {
    const char *name = r->server->original.tiled->images[number], *why = "there is no such file";
    char *joined = NULL, path[PATH_BYTES];
    if (asprintf(&joined, "%s%s%s", name[0] == '/' ? "" : r->folder, name[0] == '/' ? "" : "/", name) < 0) return false;
    char *real = realpath(joined, NULL);
    size_t count = 0;
    unsigned char *bytes = real ? read_image(r, real, &count, &why) : NULL;
    free(real);
    free(joined);
    snprintf(path, sizeof path, "/tiled/%zu", number);
    if (bytes && add_file(r->server, path, type_of(bytes, count), bytes, count)) {
        r->bytes += count;
        return true;
    }
    free(bytes);
    if (r->refused++ < MOST_NOTES) cli_note("picture '%s' is not shown: %s", name, why);
    return false;
}

/* Adds the images, and the scene with a list of their paths. @return false: no memory, or no folder */
static bool add_all(reading *r, const wend_tiled *tiled) {
    serve *server = r->server;
    const size_t count = tiled->image_count < MOST_IMAGES ? tiled->image_count : MOST_IMAGES;
    char *text = NULL;
    size_t bytes = 0;
    server->pictures.files = calloc(count + 1, sizeof *server->pictures.files);
    FILE *out = r->root && server->pictures.files ? open_memstream(&text, &bytes) : NULL;
    if (!out) return false;
    fputs("{\"files\":[", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, add_image(r, i) ? "%s\"/tiled/%zu\"" : "%snull", i > 0 ? "," : "", i);
    fprintf(out, "],%s", tiled->scene + 1); /* the other members of the object */
    const bool good = fclose(out) == 0;
    const bool any = server->pictures.count > 0; /* without an image there is nothing to draw */
    if (!good || !any || !add_file(server, "/tiled.json", "application/json", text, bytes)) free(text);
    r->refused += tiled->image_count - count;
    return good;
}

void serve_pictures_open(serve *server) {
    const wend_tiled *tiled = server->original.tiled;
    if (!tiled || !tiled->scene || tiled->image_count == 0) return;
    char *folder = server->original.tiled_folder;
    const char *root = server->options->pictures ? server->options->pictures : folder;
    reading r = {.server = server, .folder = folder, .root = realpath(root, NULL)};
    if (!add_all(&r, tiled)) cli_note("the map's pictures are not shown: no memory, or '%s' is no folder", root);
    if (r.refused > MOST_NOTES) cli_note("%zu more pictures are not shown", r.refused - MOST_NOTES);
    free(r.root);
}

void serve_pictures_close(serve *server) {
    for (size_t i = 0; i < server->pictures.count; i++) {
        free((void *)(uintptr_t)server->pictures.files[i].path);
        free((void *)(uintptr_t)server->pictures.files[i].bytes);
    }
    free(server->pictures.files);
    server->pictures.files = NULL;
    server->pictures.count = 0;
}
