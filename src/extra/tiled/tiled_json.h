/* SPDX-License-Identifier: MIT */
/* The JSON of a Tiled file: its values by key, and errors that name the layer, tile or object. */
#ifndef WEND_SRC_EXTRA_TILED_JSON_H
#define WEND_SRC_EXTRA_TILED_JSON_H

#include "extra/tiled/tiled.h"

/// Room for a name in quotes.
#define WEND__NAME_BYTES 112

/// Has the caller's error a size that the library can fill? NULL has.
bool wend__tiled_error_fits(const wend_file_error *error);

/// Write the error's text, where the caller wants one. @return code
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
wend_error
wend__tiled_fail(const wend__tiled *t, int32_t code, const char *format, ...);

/// Parse JSON. @param file   the name of the file in errors; NULL: the map's own file
wend_error wend__tiled_json(const wend__tiled *t, const void *bytes, size_t size, const char *file, json_t **out);
/// Read a whole file into memory for free(). `what` begins the text of an error ("tileset 'x': "), or is empty.
wend_error wend__tiled_file(const wend__tiled *t, const char *path, const char *what, char **bytes, size_t *size);

/// Quote a text, printable and short; "(no name)" where it is NULL or empty.
void wend__tiled_quote(const char *text, char out[WEND__NAME_BYTES]);
/// The string under a key, or NULL.
const char *wend__tiled_string(const json_t *object, const char *key);
/// A whole number under a key. `what` begins the error's text.
wend_error wend__tiled_whole(const wend__tiled *t, const json_t *object, const char *what, const char *key, int64_t min,
                             int64_t max, int64_t *out);
/// The value of a custom property; NULL where the object has none of this name.
wend_error wend__tiled_property(const wend__tiled *t, const json_t *object, const char *what, const char *name,
                                json_t **out);

#endif
