/* SPDX-License-Identifier: MIT */
/* The program: finds and runs the command that the first word names. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output/messages.h"
#include "cli/shared/options.h"

static const cli_command *const commands[] = {&cli_solve,   &cli_explain, &cli_scen,   &cli_run,     &cli_diff,
                                              &cli_stress,  &cli_plan,    &cli_serve,  &cli_cluster, &cli_generate,
                                              &cli_convert, &cli_bake,    &cli_ground, &cli_info};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *out) {
    fprintf(out, "Usage: wend COMMAND …\nPaths for many agents inside a game server's frame budget.\n\nCommands:\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out, "\nwend help COMMAND, or wend COMMAND --help, tells more; wend --version prints the\n"
                 "version. Exit status: 0 done and found; 1 done, and the answer is no; 2 bad\n"
                 "usage or input.\n");
}

static const cli_command *find(const char *name) {
    if (strcmp(name, cli_orders.name) == 0) return &cli_orders; /* not in the list of commands */
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i]->name) == 0) return commands[i];
    }
    return NULL;
}

static int refuse_command(const char *name) {
    size_t at = 0;
    while (at < COMMAND_COUNT && !cli_is_near(name, strlen(name), commands[at]->name)) at++;
    return cli_fail("there is no command '%s'%s%s (see wend --help)", name, at < COMMAND_COUNT ? "; did you mean " : "",
                    at < COMMAND_COUNT ? commands[at]->name : "");
}

/* The command gets the words without the program's name, its own name first. */
static int run_command(const cli_command *command, int argc, char **argv, int at) {
    char *name = argv[at];
    for (int i = at; i > 1; i--) argv[i] = argv[i - 1];
    argv[1] = name;
    return command->run(argc - 1, argv + 1);
}

/* wend help [COMMAND] prints the same as --help, for the program or for a command. */
static int help(int count, char **words) {
    static char option[] = "--help";
    if (count == 0) {
        print_usage(stdout);
        return CLI_DONE;
    }
    const cli_command *command = find(words[0]);
    if (!command) return refuse_command(words[0]);
    if (count > 1) return cli_fail("help: a word too many: '%s' (see wend help)", words[1]);
    return command->run(2, (char *[]){words[0], option, NULL});
}

static void print_versions(void) {
    cli_print_version(NULL);
    if (cli_run.package) printf("%s\n", cli_run.package);
    if (cli_scen.package) printf("%s\n", cli_scen.package);
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return CLI_BAD_INPUT;
    }
    if (strcmp(argv[1], "help") == 0) return help(argc - 2, argv + 2);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return help(0, NULL);
    if (strcmp(argv[1], "--version") == 0) {
        print_versions();
        return CLI_DONE;
    }
    /* Options may be anywhere, before the command too: then the first word that names a command is it. */
    int last = argv[1][0] == '-' ? argc - 1 : 1;
    for (int at = 1; at <= last; at++) {
        const cli_command *command = find(argv[at]);
        if (command) return run_command(command, argc, argv, at);
    }
    return refuse_command(argv[1]);
}

/* If standard output or error is closed, the next file opened would get its number and its output. A placeholder
   takes the number; it is opened for the other direction, so writing to it fails as before. */
static void hold_closed_streams(void) {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int main(int argc, char **argv) {
    signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error of a write, as a full disk is */
    hold_closed_streams();
    int status = run(argc, argv);
    cli_progress_end();
    if (fflush(stdout) != 0 || ferror(stdout)) return cli_fail("standard output: %s", strerror(errno));
    return status == CLI_ENDED ? CLI_DONE : status;
}
