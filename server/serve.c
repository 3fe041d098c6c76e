/* SPDX-License-Identifier: MIT */
/* wend serve: the options of the server. */
#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/login.h"
#include "cluster/term.h"
#include "serve/serve_log.h"
#include "script/script.h"
#include "cli/output/messages.h"
#include "cli/shared/options.h"
#include "server_version.h"

static const char details[] = "Opens a page at the address it prints, and takes messages in JSON over WebSocket\n"
                              "(/ws) and, with --lines, one a line over TCP or a Unix socket. /metrics is for\n"
                              "Prometheus, /healthz for monitors. WORLD is any map, a world file or a script of\n"
                              "wend run. Limits are obeyed; options win over them. A script is served as it is\n"
                              "before its first frame, with its agents and their orders. Requests and all lines\n"
                              "from the first frame on are left out, and counted on stderr.\n"
                              "Any address but loopback needs --token or --token-file. SIGTERM and SIGINT\n"
                              "answer what is pending, and end it.\n"
                              "Exit status: 0 ended by a signal; 2 bad usage or input, or an address that\n"
                              "cannot be listened on.";

#define WEND_X(name, standard, least, most, text) +1
enum { LIMITS = 0 WEND_LIVE_LIMITS(WEND_X), NAME_BYTES = 40 };
#undef WEND_X
enum { OWN_OPTIONS = 45 }; ///< options, and the end of the list

/* --max-message-bytes for the limit message_bytes. */
static void name_limit(const char *field, char out[NAME_BYTES]) {
    snprintf(out, NAME_BYTES, "max-%s", field);
    for (char *at = out; *at != '\0'; at++)
        if (*at == '_') *at = '-';
}

static size_t add_limits(wend_live_limits *limits, cli_option *options, char names[][NAME_BYTES]) {
    size_t count = 0;
#define WEND_X(name, standard, least, most, text)                                                                      \
    name_limit(#name, names[count]);                                                                                   \
    options[count] = (cli_option){names[count], CLI_NUMBER, &limits->name, "N", least, most, standard, text};          \
    count++;
    WEND_LIVE_LIMITS(WEND_X)
#undef WEND_X
    return count;
}

/* Reads the one line of a file as a token, to be freed. @return CLI_DONE, or the exit status */
static int read_token(const char *option, const char *file, const char **token, char **out) {
    size_t size;
    *out = NULL;
    if (!file) return CLI_DONE;
    if (*token) return cli_fail("serve: --%s and --%s-file: one of them will do", option, option);
    char *text = cli_read_file(file, 1 << 16, &size);
    if (!text) return CLI_BAD_INPUT;
    *out = text;
    *token = text;
    if (size > 0 && text[size - 1] == '\n') text[--size] = '\0';
    if (size > 0 && text[size - 1] == '\r') text[--size] = '\0';
    bool good = size >= 1 && size <= WEND_LIVE_TOKEN_BYTES;
    for (size_t i = 0; i < size; i++) good = good && (unsigned char)text[i] >= ' ' && text[i] != 0x7f;
    return good ? CLI_DONE : cli_fail_at(file, 1, 1, "a token is one line of 1 to %d bytes", WEND_LIVE_TOKEN_BYTES);
}

/* Checks which options go together. @return CLI_DONE, or the exit status */
static int check_together(const serve_options *given) {
    if ((!given->certificate) != (!given->key)) return cli_fail("serve: --tls-certificate and --tls-key go together");
    if (given->stream && given->journal)
        return cli_fail("serve: --stream and --journal do not go together: chunks are kept in their files");
    if (!given->cluster != !given->node) return cli_fail("serve: --cluster and --node go together");
    if (given->cluster && (given->stream || given->record || given->wander))
        return cli_fail("serve: --cluster goes without --stream, --record and --wander");
    if (!given->cluster && (given->map || given->advertise))
        return cli_fail("serve: --map and --advertise go with --cluster");
    if (given->advertise && !serve_is_address(given->advertise))
        return cli_fail("serve: --advertise '%s' is no address HOST:PORT", given->advertise);
    return CLI_DONE;
}

static int serve_from_open_to_close(serve *server) {
    int status = serve_marks_open(server);
    if (!status) status = serve_world_open(server);
    if (!status) serve_pictures_open(server);
    if (!status) status = serve_run(server);
    serve_pictures_close(server);
    serve_history_free(server);
    const int closed = serve_world_close(server);
    serve_marks_close(server);
    return status ? status : closed;
}

static int run(int argc, char **argv) {
    const char *token_file = NULL, *owner_file = NULL;
    char *token = NULL, *owner_token = NULL;
    serve_options given = {.listen = "127.0.0.1:7780", .budget = WEND_NO_LIMIT};
    int32_t verbose = 0;
    wend_service_def def;
    wend_service_tuning tuning;
    wend_service_def_init(&def, sizeof def);
    wend_service_tuning_init(&tuning, sizeof tuning);
    cli_option options[OWN_OPTIONS + LIMITS + 1] = {
        {"listen", CLI_TEXT, &given.listen, "ADDR:PORT", 0, 0, 0,
         "address of the page; port 0: any free one; default 127.0.0.1:7780"},
        {"lines", CLI_TEXT, &given.lines, "ADDR:PORT|PATH", 0, 0, 0,
         "messages as lines there, too; a PATH has a slash, and at most 107 bytes"},
        {"hz", CLI_NUMBER, &given.hz, "N", 1, 1000, 20, "frames a second"},
        {"budget", CLI_GIVEN, &given.budget, "N", 0, UINT64_MAX - 1, CLI_NONE,
         "expansions of a frame; default: a quarter of its time"},
        {"budget-us", CLI_GIVEN, &given.budget_us, "N", 1, 1000000, CLI_NONE, "microseconds of a frame instead"},
        {"workers", CLI_NUMBER, &given.workers, "N", 0, 64, 0, "threads that search with the ticking one"},
        {"lanes", CLI_GIVEN, &given.lanes, "N", 1, 64, tuning.lanes,
         "searches that take turns in a round, where the world does not say"},
        {"queue", CLI_GIVEN, &given.queue, "N", 1, 1 << 24, def.queue,
         "requests pending, of all clients, where the world does not say"},
        {"agents", CLI_NUMBER, &given.agents, "N", 0, WEND_MAX_AGENTS, 0,
         "agents at random places, named a1, a2 and so on"},
        {"wander", CLI_FLAG, &given.wander, NULL, 0, 0, 0,
         "agents without a goal go to random places, again and again; no journal has these goals"},
        {"seed", CLI_NUMBER, &given.seed, "N", 0, UINT64_MAX, 1, "of the places of agents, and of where they wander"},
        {"max-agents", CLI_NUMBER, &given.most_agents, "N", 1, WEND_MAX_AGENTS, 32768, "agents at a time"},
        {"history", CLI_NUMBER, &given.history, "N", 0, 3600, 0,
         "keep a checkpoint for each of the last seconds, so many, to go back to"},
        {"max-checkpoints", CLI_NUMBER, &given.checkpoints, "N", 0, 65536, 16, "checkpoints that clients name"},
        {"max-checkpoint-bytes", CLI_NUMBER, &given.checkpoint_bytes, "N", 0, INT64_MAX, 256 << 20,
         "bytes of all checkpoints: the oldest automatic ones make room"},
        {"host", CLI_TEXT, &given.host, "NAME", 0, 0, 0, "a further name by which browsers may ask for the page"},
        {"token", CLI_TEXT, &given.token, "TEXT", 0, 0, 0,
         "clients must say hello with it: 1 to 256 bytes; other users of this machine can see it"},
        {"token-file", CLI_TEXT, &token_file, "FILE", 0, 0, 0, "the same: the one line of a file"},
        {"owner-token", CLI_TEXT, &given.owner_token, "TEXT", 0, 0, 0,
         "only who gives it may pause, reset, and order agents of others"},
        {"owner-token-file", CLI_TEXT, &owner_file, "FILE", 0, 0, 0, "the same: the one line of a file"},
        {"read-only", CLI_FLAG, &given.read_only, NULL, 0, 0, 0,
         "clients may ask for paths and watch, nothing else; a node of a cluster never owns the map"},
        {"journal", CLI_TEXT, &given.journal, "FILE", 0, 0, 0,
         "keep edits, units, agents and routes there; a restart has them again; in a cluster, a copy of the log"},
        {"journal-bytes", CLI_NUMBER, &given.journal_bytes, "N", 0, CLI_MAX_SCRIPT_BYTES, 64 << 20,
         "above so many the journal begins again, from a save of the world; 0: never"},
        {"stream", CLI_TEXT, &given.stream, "DIR", 0, 0, 0,
         "chunks of a streamed grid are files there, loaded near agents and their goals; not with --journal"},
        {"pictures", CLI_TEXT, &given.pictures, "DIR", 0, 0, 0,
         "images of a Tiled map may be there or below, and be read by clients; default: the map's folder"},
        {"cluster", CLI_TEXT, &given.cluster, "URL", 0, 0, 0,
         "be a node of the cluster at nats://HOST:PORT[,URL...], or tls://; with --node"},
        {"node", CLI_TEXT, &given.node, "NAME", 0, 0, 0, "the node's name: 1 to 63 letters, digits, '_' and '-'"},
        {"map", CLI_TEXT, &given.map, "NAME", 0, 0, 0, "the map's name in the cluster; default: its file's"},
        {"advertise", CLI_TEXT, &given.advertise, "HOST:PORT", 0, 0, 0,
         "address for lines to which other nodes of the cluster send clients; else that of --lines"},
        {"lease", CLI_NUMBER, &given.lease_ms, "MS", CLUSTER_LEAST_LEASE_MS, CLUSTER_MOST_LEASE_MS, CLUSTER_LEASE_MS,
         "milliseconds after which others may own the map of a node that is silent"},
        {"snapshot-entries", CLI_NUMBER, &given.snapshot_entries, "N", 1, 1000000000, 10000,
         "entries after which a map of a cluster gets a snapshot, and its log is cut behind it"},
        CLUSTER_LOGIN_ROWS(given.login),
        {"record", CLI_TEXT, &given.record, "FILE", 0, 0, 0, "record the service as a script for wend run"},
        {"tls-certificate", CLI_TEXT, &given.certificate, "FILE", 0, 0, 0, "serve https, with this certificate (PEM)"},
        {"tls-key", CLI_TEXT, &given.key, "FILE", 0, 0, 0, "and this key"},
        CLI_VERBOSE_OPTION(&verbose),
        CLI_READING_OPTIONS,
    };
    char names[LIMITS][NAME_BYTES];
    size_t count = 0, words;
    serve server = {.options = &given};
    while (options[count].name) count++;
    if (count != OWN_OPTIONS) return cli_fail("serve: %zu options, not %d", count, OWN_OPTIONS);
    wend_live_limits_init(&given.limits);
    count += add_limits(&given.limits, options + count, names);
    cli_reading.scene = true;
    int status = cli_parse(&cli_serve, options, count, argc, argv, &given.world, 1, &words);
    if (status) return status;
    cli_print_log(verbose);
    if (words == 0) return cli_fail("serve: which world? (usage: wend serve %s)", cli_serve.usage);
    status = check_together(&given);
    if (status) return status;
    if (given.agents > given.most_agents) given.most_agents = given.agents;
    status = read_token("token", token_file, &given.token, &token);
    if (!status) status = read_token("owner-token", owner_file, &given.owner_token, &owner_token);
    if (!status) status = serve_from_open_to_close(&server);
    free(token);
    free(owner_token);
    return status;
}

const cli_command cli_serve = {
    .name = "serve",
    .usage = "WORLD [OPTION]...",
    .summary = "a server with a page on a world",
    .details = details,
    .run = run,
    .package = SERVER_VERSION,
};
