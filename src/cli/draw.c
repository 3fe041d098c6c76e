/* SPDX-License-Identifier: MIT */
/* Pictures from --draw and --output. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

int32_t cli_write_to_file(void *file, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, file) == size ? WEND_OK : WEND_IO;
}

/* Half a file helps nobody; but what is no file (a device, a pipe) stays. */
static void remove_file(const char *path) {
    struct stat what;
    if (lstat(path, &what) == 0 && S_ISREG(what.st_mode)) unlink(path);
}

static int explain(int32_t error, int32_t draw) {
    static const char *const names[] = {"ansi", "svg", "png"};
    int side = draw == CLI_DRAW_PNG ? WEND_PICTURE_MAX_SIDE : WEND_PICTURE_MAX_TEXT_SIDE;
    if (error == WEND_UNSUPPORTED)
        return cli_fail("the map is too large for --draw %s: at most %d cells a side", names[draw], side);
    return cli_fail("--draw %s: %s", names[draw], wend_error_text(error));
}

int cli_draw(wend_picture *picture, int32_t draw, const char *output) {
    if (output == NULL && draw == CLI_DRAW_PNG && isatty(STDOUT_FILENO) == 1)
        return cli_fail("a PNG is nothing for a terminal: name a file with --output");
    FILE *file = output != NULL ? fopen(output, "wb") : stdout;
    if (file == NULL) return cli_fail_at(output, 0, 0, "%s", strerror(errno));
    picture->format = draw + 1; /* WEND_PICTURE_ANSI, _SVG, _PNG */
    picture->colours = draw == CLI_DRAW_ANSI && isatty(fileno(file)) == 1;
    int32_t error = wend_picture_write(picture, cli_write_to_file, file);
    if (output == NULL) return error == WEND_OK ? -1 : explain(error, draw);
    if (fclose(file) != 0 && error == WEND_OK) error = WEND_IO;
    if (error == WEND_OK) return -1;
    remove_file(output);
    return error == WEND_IO ? cli_fail_file(output, error, NULL) : explain(error, draw);
}
