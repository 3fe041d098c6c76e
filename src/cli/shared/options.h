/* SPDX-License-Identifier: MIT */
/* Commands, and the tables of options by which they read the command line. */
#ifndef WEND_SRC_CLI_SHARED_OPTIONS_H
#define WEND_SRC_CLI_SHARED_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/output/messages.h"
#include "cli/world/world.h"

#define CLI_NONE UINT64_MAX

typedef enum cli_kind {
    CLI_FLAG,          ///< bool *
    CLI_TEXT,          ///< const char **
    CLI_NUMBER,        ///< uint64_t *, whole, between min and max; `standard` if it is not given
    CLI_GIVEN,         ///< the same, but unchanged if it is not given; `standard` or the help describes the effect
    CLI_DECIMAL_MILLI, ///< int32_t *: a decimal such as 1.25, times 1,000, as are min, max and `standard` (0: none)
    CLI_CHOICE,        ///< int32_t *: index of the word among `choices` ("never|one|always")
    CLI_LIST           ///< cli_list *: each use adds one
} cli_kind;

typedef struct cli_option {
    const char *name; ///< without the dashes
    cli_kind kind;
    void *target;
    const char *choices; ///< CLI_CHOICE: words with | between them; else the value's name in --help (N, FILE, …)
    uint64_t min, max;   ///< range of numbers; `standard`, which --help shows; CLI_NONE: there is none
    uint64_t standard;
    const char *help;
} cli_option;

typedef struct cli_command {
    const char *name;
    const char *usage;                 ///< "MAP [--from CELL] …": the words after the name
    const char *summary;               ///< one line
    const char *details;               ///< --help prints them below the options; may be NULL
    int (*run)(int argc, char **argv); ///< argv[0] is the command's name
    const char *package;               ///< name and version of the package that it comes from; NULL: libwend's own
} cli_command;

/// The options of all commands that read map files.
#define CLI_READING_OPTIONS                                                                                            \
    {"strict", CLI_FLAG, &cli_reading.strict, NULL, 0, 0, 0, "refuse a map file where there would be a warning"},      \
        {"anywhere",                                                                                                   \
         CLI_FLAG,                                                                                                     \
         &cli_reading.anywhere,                                                                                        \
         NULL,                                                                                                         \
         0,                                                                                                            \
         0,                                                                                                            \
         0,                                                                                                            \
         "read tilesets and templates of a Tiled map outside its folder, too"},                                        \
        {"letters",                                                                                                    \
         CLI_TEXT,                                                                                                     \
         &cli_reading.letters,                                                                                         \
         "E=.,S=.",                                                                                                    \
         0,                                                                                                            \
         0,                                                                                                            \
         0,                                                                                                            \
         "read a letter of a MovingAI map as another: one of . G @ O T S W"},                                          \
    {                                                                                                                  \
        "blocked", CLI_LIST, &cli_reading.blocked, "NAME", 0, 0, 0,                                                    \
            "a property, layer or class of a Tiled map that blocks, in place of the common names; !NAME: a "           \
            "property that blocks where it is false"                                                                   \
    }

/// An option for cli_print_log(). int32_t *
#define CLI_VERBOSE_OPTION(level)                                                                                      \
    {                                                                                                                  \
        "verbose", CLI_CHOICE, level, "none|error|warning|info", 0, 0, 0,                                              \
            "print what the library logs, up to that level, on stderr; default none"                                   \
    }

extern const cli_command cli_solve, cli_explain, cli_scen, cli_run, cli_diff, cli_stress, cli_plan, cli_serve,
    cli_cluster, cli_generate, cli_convert, cli_bake, cli_ground, cli_info, cli_orders;

/// Prints words that begin at `column`, in lines of at most 80 columns; further lines begin at `indent`.
void cli_print_wrapped(FILE *out, int column, int indent, const char *text);

/// Prints the version of libwend, and that of a package.
void cli_print_version(const char *package);

/// Reads a command line. Options may be anywhere; --name=value works. `words` receives the other words, in order.
/// Handles --help and --version. @return CLI_DONE, or the exit status
int cli_parse(const cli_command *command, const cli_option *options, size_t option_count, int argc, char **argv,
              const char **words, size_t word_capacity, size_t *word_count);

#endif
