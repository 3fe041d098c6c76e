/* SPDX-License-Identifier: MIT */
/* Reads the files of Tiled, of any version: the map's own, and those that it names. Completes objects that are made
 * from templates, which are files, too. */
#define _XOPEN_SOURCE 700
#include "base/system/replace.h"
#include "tiled/tiled.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* XML may be of 16 bits, and then begins with a mark of its own. */
static bool looks_xml(const char *text, size_t size) {
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) return true;
    size_t at = 0;
    while (at < size && is_blank(text[at])) at++;
    return at < size && text[at] == '<';
}

/* ---- what versions of Tiled before 1.2 wrote ---- */

static bool add_property(json_t *list, const char *name, json_t *value) {
    json_t *property = json_object();
    bool good = property && json_object_set_new(property, "name", json_string(name)) == 0;
    good = good && json_object_set(property, "value", value) == 0;
    if (good) return json_array_append_new(list, property) == 0;
    json_decref(property);
    return false;
}

/// Adds the members of an object to a list of properties. @return false: no memory
static bool add_properties(json_t *list, json_t *members) {
    const char *name;
    json_t *value;
    json_object_foreach(members, name, value) {
        if (!add_property(list, name, value)) return false;
    }
    return true;
}

/// `properties` as an object become a list. @return false: no memory
static bool list_properties(json_t *owner) {
    json_t *members = json_object_get(owner, "properties"), *list = json_array();
    if (list && add_properties(list, members)) return json_object_set_new(owner, "properties", list) == 0;
    json_decref(list);
    return false;
}

/// Returns the tile under a key, which is added where it is missing; NULL: no memory.
static json_t *tile_under(json_t *tiles, const char *key) {
    json_t *tile = json_object_get(tiles, key);
    if (json_is_object(tile)) return tile;
    if (json_object_set_new(tiles, key, json_object()) != 0) return NULL;
    return json_object_get(tiles, key);
}

/// Copies the tiles of a tileset, by their ids as texts. @return NULL: no memory
static json_t *tiles_by_id(const json_t *tiles) {
    json_t *all = json_is_object(tiles) ? json_copy((json_t *)(uintptr_t)tiles) : json_object();
    for (size_t i = 0; all && i < json_array_size(tiles); i++) {
        json_t *tile = json_array_get(tiles, i);
        char key[32];
        snprintf(key, sizeof key, "%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(tile, "id")));
        if (json_object_set(all, key, tile) == 0) continue;
        json_decref(all);
        all = NULL;
    }
    return all;
}

static bool merge_properties(json_t *tiles, json_t *by_tile) {
    const char *key;
    json_t *members;
    json_object_foreach(by_tile, key, members) {
        json_t *tile = tile_under(tiles, key), *list = json_array();
        if (tile && list && add_properties(list, members) && json_object_set(tile, "properties", list) == 0) {
            json_decref(list);
            continue;
        }
        json_decref(list);
        return false;
    }
    return true;
}

static bool append_tile(json_t *list, const char *key, json_t *tile) {
    char *end;
    const long long id = strtoll(key, &end, 10);
    const bool number = *key >= '0' && *key <= '9' && !*end;
    if (!json_is_object(tile)) return true;
    if (json_object_set_new(tile, "id", number ? json_integer(id) : json_string(key)) != 0) return false;
    return json_array_append(list, tile) == 0;
}

/// Makes the list of tiles from the forms of before. @return false: no memory
static bool list_tiles(json_t *set) {
    json_t *tiles = tiles_by_id(json_object_get(set, "tiles")), *list = json_array(), *tile;
    const char *key;
    bool good = tiles && list && merge_properties(tiles, json_object_get(set, "tileproperties"));
    json_object_foreach(tiles, key, tile) good = good && append_tile(list, key, tile);
    json_decref(tiles);
    if (good) return json_object_set_new(set, "tiles", list) == 0 && (json_object_del(set, "tileproperties"), true);
    json_decref(list);
    return false;
}

/// Gives an object, and all in it, the form of today. @return false: no memory
static bool renew(const wend__tiled *t, json_t *json) {
    const char *key;
    json_t *value;
    const bool tiles = json_object_get(json, "tileproperties") || json_is_object(json_object_get(json, "tiles"));
    const bool properties = json_is_object(json_object_get(json, "properties"));
    if (tiles || properties) wend__tiled_note(t, WEND__NOTE_OLD, "properties are as a Tiled before 1.2 wrote them");
    if ((tiles && !list_tiles(json)) || (properties && !list_properties(json))) return false;
    json_object_foreach(json, key, value) {
        const bool bulk = strcmp(key, "data") == 0 || strcmp(key, "value") == 0;
        if (!bulk && json_is_object(value) && !renew(t, value)) return false;
        for (size_t i = 0; !bulk && i < json_array_size(value); i++)
            if (json_is_object(json_array_get(value, i)) && !renew(t, json_array_get(value, i))) return false;
    }
    return true;
}

wend_error wend__tiled_tree(const wend__tiled *t, const void *bytes, size_t size, const char *file, json_t **out) {
    static const char mark[3] = "\xEF\xBB\xBF";
    const char *text = bytes;
    if (size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0) text += sizeof mark, size -= sizeof mark;
    wend_error error =
        looks_xml(text, size) ? wend__tiled_xml(t, text, size, file, out) : wend__tiled_json(t, text, size, file, out);
    if (!error && !renew(t, *out)) error = wend__tiled_no_memory(t);
    if (!error) return WEND_OK;
    json_decref(*out);
    *out = NULL;
    return error;
}

/* ---- files ---- */

/// Makes room for more of a file. @return false: there is none
static bool grow(char **data, size_t *capacity) {
    size_t more = *capacity ? 2 * *capacity : 65536;
    if (more > WEND_MAX_TILED_BYTES) more = (size_t)WEND_MAX_TILED_BYTES + 1;
    char *grown = more > *capacity ? realloc(*data, more) : NULL;
    if (!grown) return false;
    *data = grown, *capacity = more;
    return true;
}

/// Returns whether a file is known to be too large, and is read no further. A pipe's size is not known.
static bool is_too_large(FILE *stream) {
    const long here = ftell(stream);
    if (here < 0 || fseek(stream, 0, SEEK_END) != 0) return false;
    const long size = ftell(stream);
    return fseek(stream, here, SEEK_SET) != 0 || (size > 0 && (unsigned long)size > WEND_MAX_TILED_BYTES);
}

static wend_error read_stream(const wend__tiled *t, FILE *stream, const char *what, char **data, size_t *size) {
    size_t used = 0, capacity = 0;
    while (!feof(stream)) {
        const bool full = used == capacity;
        if (used > WEND_MAX_TILED_BYTES || (full && used > 0 && is_too_large(stream)))
            return wend__tiled_fail(t, WEND_UNSUPPORTED, "%slarger than %llu bytes, the most that is read", what,
                                    (unsigned long long)WEND_MAX_TILED_BYTES);
        if (full && !grow(data, &capacity)) return wend__tiled_no_memory(t);
        used += fread(*data + used, 1, capacity - used, stream);
        if (ferror(stream)) return wend__tiled_fail(t, WEND_IO, "%scannot be read: %s", what, wend__errno_text(errno));
    }
    *size = used;
    return WEND_OK;
}

static wend_error read_open(const wend__tiled *t, FILE *stream, const char *what, char **bytes, size_t *size) {
    char *data = NULL;
    wend_error error = read_stream(t, stream, what, &data, size);
    fclose(stream);
    if (error)
        free(data);
    else
        *bytes = data;
    return error;
}

wend_error wend__tiled_file(const wend__tiled *t, const char *path, const char *what, char **bytes, size_t *size) {
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) return wend__tiled_fail(t, WEND_IO, "%scannot be opened: %s", what, wend__errno_text(errno));
    return read_open(t, stream, what, bytes, size);
}

/// Joins folder and source; an absolute source stays as it is. Tiled of Windows wrote backslashes.
static char *join(const char *folder, const char *source) {
    bool alone = source[0] == '/' || source[0] == '\\' || !*folder;
    size_t bytes = strlen(folder) + strlen(source) + 2;
    char *path = malloc(bytes);
    if (!path) return NULL;
    int before = snprintf(path, bytes, "%s%s", alone ? "" : folder, alone ? "" : "/");
    snprintf(path + before, bytes - (size_t)before, "%s", source);
    for (char *at = path + before; *at; at++)
        if (*at == '\\') *at = '/';
    return path;
}

/// Returns whether a path is below a folder, both without symbolic links.
static bool is_below(const char *folder, const char *path) {
    const size_t length = strlen(folder);
    return strcmp(folder, "/") == 0 || (strncmp(folder, path, length) == 0 && path[length] == '/');
}

/// Returns whether the map may name a file, by its path without symbolic links.
static wend_error check_place(const wend__tiled *t, const char *real, const char *what) {
    if (t->how.anywhere) return WEND_OK;
    char *folder = realpath(*t->folder ? t->folder : ".", NULL);
    if (!folder) return errno == ENOMEM ? wend__tiled_no_memory(t) : WEND_OK; // gone since the file was found
    const bool below = is_below(folder, real);
    free(folder);
    if (below) return WEND_OK;
    return wend__tiled_fail(t, WEND_IO, "%sis not below the map's folder (--anywhere reads it)", what);
}

/// Opens a plain file without waiting: a pipe or a device is refused. @return NULL: *why is an errno, or 0
static FILE *open_plain(const char *real, int *why) {
    const int file = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    struct stat about = {.st_mode = 0};
    FILE *stream = NULL;
    const bool known = file >= 0 && fstat(file, &about) == 0, plain = known && S_ISREG(about.st_mode);
    if (plain) stream = fdopen(file, "rb");
    *why = known && !plain ? 0 : errno;
    if (file >= 0 && !stream) close(file);
    return stream;
}

/// Opens a file by its path without symbolic links.
static wend_error open_named(const wend__tiled *t, const char *real, const char *what, FILE **out) {
    int why;
    const wend_error error = check_place(t, real, what);
    if (error) return error;
    *out = open_plain(real, &why);
    if (*out) return WEND_OK;
    if (!why) return wend__tiled_fail(t, WEND_IO, "%sis no plain file", what);
    return wend__tiled_fail(t, WEND_IO, "%scannot be opened: %s", what, wend__errno_text(why));
}

/* A map may come from a stranger, and so may the names of files in it. */
wend_error wend__tiled_beside(const wend__tiled *t, const char *source, const char *what, json_t **out) {
    char *path = t->folder ? join(t->folder, source) : NULL, *bytes = NULL, before[WEND__NAME_BYTES + 64];
    size_t size = 0;
    FILE *stream = NULL;
    *out = NULL;
    if (!t->folder) return WEND_OK;
    if (!path) return wend__tiled_no_memory(t);
    errno = 0;
    char *real = realpath(path, NULL);
    const int why = errno;
    free(path);
    snprintf(before, sizeof before, "%s ", what);
    if (!real && (why == ENOENT || why == ENOTDIR)) return WEND_OK;
    if (!real) return wend__tiled_fail(t, WEND_IO, "%scannot be opened: %s", before, wend__errno_text(why));
    wend_error error = open_named(t, real, before, &stream);
    free(real);
    if (!error) error = read_open(t, stream, before, &bytes, &size);
    if (!error) error = wend__tiled_tree(t, bytes, size, what, out);
    free(bytes);
    return error;
}

/* ---- templates ---- */

/// A template may have MAX_PROPERTIES, as each of its objects gets a copy of them.
enum { MAX_DEPTH = 64, MAX_PROPERTIES = 256 };

/// Reads a template once. @param out   borrowed; NULL: the file is missing
static wend_error find_template(wend__tiled *t, const char *source, const char *what, json_t **out) {
    if (!t->templates) t->templates = json_object();
    if (!t->templates) return wend__tiled_no_memory(t);
    *out = json_object_get(t->templates, source);
    if (*out) return WEND_OK;
    json_t *tree;
    wend_error error = wend__tiled_beside(t, source, what, &tree);
    if (error) return error;
    if (json_object_set_new(t->templates, source, tree ? tree : json_null()) != 0) return wend__tiled_no_memory(t);
    *out = json_object_get(t->templates, source);
    return WEND_OK;
}

/// Returns whether a list has a property of this name.
static bool has_property(const json_t *list, const char *name) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *its = wend__tiled_string(json_array_get(list, i), "name");
        if (its && name && strcmp(its, name) == 0) return true;
    }
    return false;
}

/// Adds the template's properties that the object has not. @return false: no memory
static bool complete_properties(json_t *object, const json_t *from) {
    const json_t *theirs = json_object_get(from, "properties"), *own = json_object_get(object, "properties");
    if (!own || !json_is_array(theirs)) return true;
    json_t *list = json_copy((json_t *)(uintptr_t)own);
    bool good = list != NULL;
    for (size_t i = 0; good && i < json_array_size(theirs); i++) {
        json_t *property = json_array_get(theirs, i);
        if (!has_property(own, wend__tiled_string(property, "name"))) good = json_array_append(list, property) == 0;
    }
    if (good) return json_object_set_new(object, "properties", list) == 0;
    json_decref(list);
    return false;
}

/* A number of a tile means one in the template's own tileset, so that it is no number of the map's. */
static bool merge_tile(json_t *object, json_t *template) {
    json_t *gid = json_object_get(json_object_get(template, "object"), "gid");
    json_t *set = json_object_get(template, "tileset");
    if (!gid || json_object_get(object, "gid")) return true;
    return json_object_set(object, "gid", gid) == 0 &&
           json_object_set_new(
               object, "gid_of",
               json_string(wend__tiled_string(set, "source") ? wend__tiled_string(set, "source") : "")) == 0;
}

static bool merge(json_t *object, json_t *template) {
    const json_t *from = json_object_get(template, "object");
    if (!merge_tile(object, template) || !complete_properties(object, from)) return false;
    return json_object_update_missing(object, (json_t *)(uintptr_t)from) == 0;
}

/// Complete one object. @param keep   receives false where its template is missing
static wend_error complete(wend__tiled *t, json_t *object, bool *keep) {
    const char *source = wend__tiled_string(object, "template");
    char quote[WEND__NAME_BYTES], what[WEND__NAME_BYTES + 16];
    json_t *template = NULL;
    *keep = true;
    if (!source) return WEND_OK;
    wend__tiled_quote(source, quote);
    snprintf(what, sizeof what, "template %s", quote);
    wend_error error = find_template(t, source, what, &template);
    if (error) return error;
    if (json_is_null(template)) {
        wend__tiled_note(t, WEND__NOTE_TEMPLATE, "object %" JSON_INTEGER_FORMAT " left out: its %s is missing",
                         json_integer_value(json_object_get(object, "id")), what);
        *keep = false;
        return WEND_OK;
    }
    if (!json_is_object(json_object_get(template, "object")))
        return wend__tiled_fail(t, WEND_BAD_FORMAT, "%s: no Tiled template: it has no object", what);
    if (json_array_size(json_object_get(json_object_get(template, "object"), "properties")) > MAX_PROPERTIES)
        return wend__tiled_fail(t, WEND_UNSUPPORTED, "%s: more than %d properties", what, MAX_PROPERTIES);
    return merge(object, template) ? WEND_OK : wend__tiled_no_memory(t);
}

/// Replaces the list of a layer by that of the objects that are kept.
static wend_error complete_layer(wend__tiled *t, json_t *layer) {
    json_t *list = json_object_get(layer, "objects"), *kept = json_array();
    wend_error error = kept ? WEND_OK : wend__tiled_no_memory(t);
    for (size_t i = 0; i < json_array_size(list) && !error; i++) {
        json_t *object = json_array_get(list, i);
        bool keep = true;
        if (json_is_object(object)) error = complete(t, object, &keep);
        if (!error && keep && json_array_append(kept, object) != 0) error = wend__tiled_no_memory(t);
    }
    if (!error && json_object_set(layer, "objects", kept) != 0) error = wend__tiled_no_memory(t);
    json_decref(kept);
    return error;
}

/* Groups that are nested too deep are refused where layers are visited. */
static wend_error walk(wend__tiled *t, json_t *owner, int32_t depth) {
    json_t *list = json_object_get(owner, "layers");
    wend_error error = WEND_OK;
    for (size_t i = 0; i < json_array_size(list) && depth < MAX_DEPTH && !error; i++) {
        json_t *layer = json_array_get(list, i);
        if (json_is_array(json_object_get(layer, "objects"))) error = complete_layer(t, layer);
        if (!error) error = walk(t, layer, depth + 1);
    }
    return error;
}

wend_error wend__tiled_templates(wend__tiled *t) {
    return walk(t, t->root, 0);
}
