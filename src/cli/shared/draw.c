/* SPDX-License-Identifier: MIT */
/* Pictures from --draw and --output, and files that are written beside them. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/shared/draw.h"
#include "cli/shared/messages.h"

wend_error cli_write_to_file(void *file, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, file) == size ? WEND_OK : WEND_IO;
}

int cli_close_output(FILE *file, const char *name) {
    bool failed = ferror(file) != 0; /* long ago: the reason is forgotten */
    errno = 0;
    if (fclose(file) == 0 && !failed) return -1;
    return cli_fail_at(name, 0, 0, "cannot be written: %s", errno != 0 ? strerror(errno) : "not all of it went out");
}

/* Half a file helps nobody; but what is no file (a device, a pipe) stays. */
static void remove_file(const char *path) {
    struct stat what;
    if (lstat(path, &what) == 0 && S_ISREG(what.st_mode)) unlink(path);
}

static int explain(const wend_picture *picture, wend_error error, int32_t draw) {
    static const char *const names[] = {"ansi", "svg", "png"};
    const char *refusal = error == WEND_UNSUPPORTED ? wend_picture_refusal(picture) : NULL;
    return cli_fail("--draw %s: %s", names[draw], refusal != NULL ? refusal : wend_error_text(error));
}

/* Says that the picture is not refused; WEND_EMPTY is an error that drawing itself never has. */
static wend_error stop_at_once(void *context, const void *bytes, size_t size) {
    (void)context, (void)bytes, (void)size;
    return WEND_EMPTY;
}

static int draw_to_file(wend_picture *picture, int32_t draw, const char *output) {
    wend_error error = wend_picture_write(picture, stop_at_once, NULL);
    if (error != WEND_EMPTY) return explain(picture, error, draw); /* before the file that stands there is lost */
    FILE *file = fopen(output, "wb");
    if (file == NULL) return cli_fail_at(output, 0, 0, "%s", strerror(errno));
    picture->colours = draw == CLI_DRAW_ANSI && isatty(fileno(file)) == 1;
    errno = 0;
    error = wend_picture_write(picture, cli_write_to_file, file);
    int reason = errno;
    if (fclose(file) != 0 && error == WEND_OK) reason = errno, error = WEND_IO;
    if (error == WEND_OK) return -1;
    remove_file(output);
    return error == WEND_IO ? cli_fail_at(output, 0, 0, "cannot be written: %s", strerror(reason))
                            : explain(picture, error, draw);
}

int cli_draw(wend_picture *picture, int32_t draw, const char *output) {
    picture->format = draw + 1; /* WEND_PICTURE_ANSI, _SVG, _PNG */
    if (output != NULL) return draw_to_file(picture, draw, output);
    if (draw == CLI_DRAW_PNG && isatty(STDOUT_FILENO) == 1)
        return cli_fail("a PNG is nothing for a terminal: name a file with --output");
    picture->colours = draw == CLI_DRAW_ANSI && isatty(STDOUT_FILENO) == 1;
    wend_error error = wend_picture_write(picture, cli_write_to_file, stdout);
    return error == WEND_OK ? -1 : explain(picture, error, draw);
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

int cli_draw_settle(int32_t *draw, const char *output, bool json) {
    static const char *const endings[] = {".ansi", ".svg", ".png"}; /* as CLI_DRAW_… */
    if (*draw != CLI_DRAW_NONE && output == NULL && json)
        return cli_fail("--draw and --json both write to standard output: name a file with --output");
    if (*draw != CLI_DRAW_NONE || output == NULL) return -1;
    for (int32_t i = 0; i < 3 && *draw == CLI_DRAW_NONE; i++)
        if (ends_with(output, endings[i])) *draw = i;
    if (*draw != CLI_DRAW_NONE) return -1;
    return cli_fail("--output %s: which picture? Say --draw ansi|svg|png, or name it .ansi, .svg or .png", output);
}
