/* SPDX-License-Identifier: MIT */
/* Reads options by a table for each command, anywhere on the line. It is not getopt_long(), which accepts shortened
   names, and names neither the command nor the range in its messages. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "orders/orders.h"

enum { NAME_COLUMN = 28, PAGE_WIDTH = 80 };

void cli_print_wrapped(FILE *out, int column, int indent, const char *text) {
    bool begins = true;
    for (; *text != '\0'; begins = false) {
        const int length = (int)strcspn(text, " ");
        const bool breaks = !begins && column + 1 + length > PAGE_WIDTH;
        if (breaks) column = fprintf(out, "\n%*s", indent, "") - 1;
        column += fprintf(out, "%s%.*s", begins || breaks ? "" : " ", length, text);
        text += length + (text[length] == ' ');
    }
    fprintf(out, "\n");
}

/* Writes the default and the range of a number behind `text`. */
static void add_range(char *text, size_t room, const cli_option *option) {
    const bool number = option->kind == CLI_NUMBER || option->kind == CLI_GIVEN;
    const bool standard = number && option->standard != CLI_NONE;
    size_t at = strlen(text);
    if (standard) at += (size_t)snprintf(text + at, room - at, "; default %" PRIu64, option->standard);
    if (number && option->max != UINT64_MAX)
        snprintf(text + at, room - at, " (%" PRIu64 " to %" PRIu64 ")", option->min, option->max);
    if (number && option->max == UINT64_MAX && option->min > 0)
        snprintf(text + at, room - at, " (from %" PRIu64 ")", option->min);
    if (option->kind != CLI_DECIMAL_MILLI) return;
    if (option->standard > 0)
        at += (size_t)snprintf(text + at, room - at, "; default %g", (double)option->standard / 1000);
    snprintf(text + at, room - at, " (%g to %g)", (double)option->min / 1000, (double)option->max / 1000);
}

static void print_option(const cli_option *option) {
    enum { MOST_RANGE = 128 };
    char text[512 + MOST_RANGE];
    int width = printf("  --%s", option->name);
    if (option->kind != CLI_FLAG) width += printf(" %s", option->choices);
    if (width >= NAME_COLUMN) width = printf("\n") - 1;
    printf("%*s", NAME_COLUMN - width, "");
    snprintf(text, sizeof text - MOST_RANGE, "%s", option->help);
    add_range(text, sizeof text, option);
    cli_print_wrapped(stdout, NAME_COLUMN, NAME_COLUMN, text);
}

static int print_help(const cli_command *command, const cli_option *options, size_t option_count) {
    const int width = printf("Usage: wend %s ", command->name);
    cli_print_wrapped(stdout, width, 4, command->usage);
    printf("%s\n\nOptions:\n", command->summary);
    for (size_t i = 0; i < option_count; i++) print_option(&options[i]);
    printf("  --help, -h\n  --version\n");
    if (command->details) printf("\n%s\n", command->details);
    return CLI_ENDED;
}

static const cli_option *find(const cli_option *options, size_t option_count, const char *name, size_t length) {
    for (size_t i = 0; i < option_count; i++) {
        if (strlen(options[i].name) == length && memcmp(options[i].name, name, length) == 0) return &options[i];
    }
    return NULL;
}

/* "1.25" as 1250. Digits after the third are cut off, but count when `more` is asked for: a weight is a promise, and
   100.0001 is above 100. */
static bool read_milli(const char *text, uint64_t *out, bool *more) {
    const size_t whole = strspn(text, "0123456789"), point = text[whole] == '.' ? 1 : 0;
    const char *part = text + whole + point;
    const size_t parts = point ? strspn(part, "0123456789") : 0;
    *out = strtoull(text, NULL, 10);
    for (size_t i = 0; i < 3; i++) *out = *out * 10 + (i < parts ? (uint64_t)(part[i] - '0') : 0);
    *more = parts > 3 && part[3 + strspn(part + 3, "0")] != '\0';
    return whole + parts > 0 && whole <= 15 && part[parts] == '\0';
}

static int set_number(const cli_option *option, const char *value) {
    errno = 0;
    const uint64_t number = strtoull(value, NULL, 10);
    const bool whole = *value != '\0' && value[strspn(value, "0123456789")] == '\0' && errno == 0;
    if (whole && number >= option->min && number <= option->max) {
        *(uint64_t *)option->target = number;
        return CLI_DONE;
    }
    if (option->max == UINT64_MAX)
        return cli_fail("--%s is a whole number from %" PRIu64 ", not '%s'", option->name, option->min, value);
    return cli_fail("--%s is a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'", option->name, option->min,
                    option->max, value);
}

static int set_milli(const cli_option *option, const char *value) {
    uint64_t number;
    bool more;
    if (read_milli(value, &number, &more) && number >= option->min && number + (more ? 1 : 0) <= option->max) {
        *(int32_t *)option->target = (int32_t)number;
        return CLI_DONE;
    }
    return cli_fail("--%s is a number from %g to %g, not '%s'", option->name, (double)option->min / 1000,
                    (double)option->max / 1000, value);
}

static int set_choice(const cli_option *option, const char *value) {
    const char *word = option->choices;
    for (int32_t index = 0; *value != '\0'; index++) {
        const size_t length = strcspn(word, "|");
        if (strlen(value) == length && memcmp(word, value, length) == 0) {
            *(int32_t *)option->target = index;
            return CLI_DONE;
        }
        if (word[length] == '\0') break;
        word += length + 1;
    }
    return cli_fail("--%s is one of %s, not '%s'", option->name, option->choices, value);
}

static int set_list(const cli_option *option, const char *value) {
    cli_list *list = option->target;
    size_t capacity = sizeof list->items / sizeof list->items[0];
    if (list->count == capacity) return cli_fail("--%s is given more than %zu times", option->name, capacity);
    list->items[list->count++] = value;
    return CLI_DONE;
}

static int set(const cli_option *option, const char *value) {
    switch (option->kind) {
    case CLI_FLAG: *(bool *)option->target = true; return CLI_DONE;
    case CLI_TEXT: *(const char **)option->target = value; return CLI_DONE;
    case CLI_NUMBER:
    case CLI_GIVEN: return set_number(option, value);
    case CLI_DECIMAL_MILLI: return set_milli(option, value);
    case CLI_CHOICE: return set_choice(option, value);
    case CLI_LIST: return set_list(option, value);
    }
    return cli_fail("--%s is of no known kind", option->name);
}

static int refuse_option(const cli_command *command, const cli_option *options, size_t option_count, const char *name,
                         size_t length) {
    size_t at = 0;
    while (at < option_count && !wend__is_near(name, length, options[at].name)) at++;
    return cli_fail("%s has no option --%.*s%s%s (see wend %s --help)", command->name, (int)length, name,
                    at < option_count ? "; did you mean --" : "", at < option_count ? options[at].name : "",
                    command->name);
}

void cli_print_version(const char *package) {
    printf("wend %s%s%s\n", wend_version(), package ? ", " : "", package ? package : "");
}

/* Reads one option; *at moves to its value where that is the next word. */
static int read_option(const cli_command *command, const cli_option *options, size_t option_count, int argc,
                       char **argv, int *at) {
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    if (strcmp(name, "help") == 0) return print_help(command, options, option_count);
    if (strcmp(name, "version") == 0) {
        cli_print_version(command->package);
        return CLI_ENDED;
    }
    const cli_option *option = find(options, option_count, name, length);
    if (!option) return refuse_option(command, options, option_count, name, length);
    if (option->kind == CLI_FLAG) {
        if (equals) return cli_fail("--%s takes no value", option->name);
        return set(option, NULL);
    }
    if (equals) return set(option, equals + 1);
    if (*at + 1 >= argc) return cli_fail("--%s needs a value: %s", option->name, option->choices);
    return set(option, argv[++*at]);
}

int cli_parse(const cli_command *command, const cli_option *options, size_t option_count, int argc, char **argv,
              const char **words, size_t word_capacity, size_t *word_count) {
    bool only_words = false;
    *word_count = 0;
    for (size_t i = 0; i < option_count; i++) {
        if (options[i].kind == CLI_NUMBER) *(uint64_t *)options[i].target = options[i].standard;
        if (options[i].kind == CLI_DECIMAL_MILLI && options[i].standard > 0)
            *(int32_t *)options[i].target = (int32_t)options[i].standard;
    }
    static char output[] = "--output"; /* -o is short for it, in all commands that have it */
    for (int at = 1; at < argc; at++) {
        if (!only_words && strcmp(argv[at], "-o") == 0 && find(options, option_count, "output", 6)) argv[at] = output;
        const char *word = argv[at];
        bool is_option = !only_words && word[0] == '-' && word[1] != '\0';
        if (is_option && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (is_option && word[1] == '-') {
            int status = read_option(command, options, option_count, argc, argv, &at);
            if (status) return status;
        } else if (is_option && strcmp(word, "-h") == 0) {
            return print_help(command, options, option_count);
        } else if (is_option) {
            return cli_fail("%s has no option %s (see wend %s --help)", command->name, word, command->name);
        } else if (*word_count == word_capacity) {
            return cli_fail("%s: a word too many: '%s' (see wend %s --help)", command->name, word, command->name);
        } else {
            words[(*word_count)++] = word;
        }
    }
    return CLI_DONE;
}
