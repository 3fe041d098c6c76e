/* SPDX-License-Identifier: MIT */
/* Pictures and Tiled maps in a build without libwend-extra: they are refused. */
#include <stdio.h>
#include <string.h>

#include <wend/extra.h>

static const char missing[] = "this program was built without pictures and Tiled maps";

static wend_error refuse(wend_file_error *error) {
    if (error) snprintf(error->text, sizeof error->text, "%s", missing);
    return WEND_UNSUPPORTED;
}

void wend_picture_init(wend_picture *picture, size_t bytes) {
    memset(picture, 0, bytes);
}

wend_error wend_picture_write(const wend_picture *picture, wend_write_fn *write, void *context) {
    (void)picture, (void)write, (void)context;
    return WEND_UNSUPPORTED;
}

const char *wend_picture_refusal(const wend_picture *picture) {
    (void)picture;
    return missing;
}

void wend_tiled_def_init(wend_tiled_def *def, size_t bytes) {
    memset(def, 0, bytes);
}

wend_error wend_tiled_parse(const void *bytes, size_t size, const char *folder, const wend_tiled_def *how,
                            const wend_map_def *def, wend_map **out, wend_tiled **beside, wend_file_error *error) {
    (void)bytes, (void)size, (void)folder, (void)how, (void)def, (void)out, (void)beside;
    return refuse(error);
}

void wend_tiled_free(wend_tiled *beside) {
    (void)beside;
}

wend_error wend_tiled_save(const wend_map *map, const char *path, const wend_tiled *beside, wend_file_error *error) {
    (void)map, (void)path, (void)beside;
    return refuse(error);
}
