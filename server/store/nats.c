/* SPDX-License-Identifier: MIT */
/* Connects to NATS and judges its answers. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/log_nats.h"

/* ---- texts and JSON ---- */

void cluster_nats_add_reason(char why[CLUSTER_LOG_WHY_BYTES], const char *format, ...) {
    const size_t used = strlen(why);
    va_list arguments;
    if (used + 3 >= CLUSTER_LOG_WHY_BYTES) return;
    const int part = used > 0 ? snprintf(why + used, CLUSTER_LOG_WHY_BYTES - used, "; ") : 0;
    va_start(arguments, format);
    vsnprintf(why + used + part, CLUSTER_LOG_WHY_BYTES - used - (size_t)part, format, arguments);
    va_end(arguments);
}

json_t *cluster_nats_parse(const natsMsg *message) {
    return json_loadb(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message), JSON_DISABLE_EOF_CHECK, NULL);
}

char *cluster_nats_decode(const char *text, size_t size, size_t *out_size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = malloc(size / 4 * 3 + 4);
    uint32_t bits = 0, count = 0;
    *out_size = 0;
    for (size_t i = 0; out && i < size; i++) {
        const char *digit = text[i] != '\0' ? strchr(digits, text[i]) : NULL;
        if (!digit) break; /* '=' */
        bits = bits << 6 | (uint32_t)(digit - digits);
        if ((count += 6) < 8) continue;
        count -= 8;
        out[(*out_size)++] = (char)(bits >> count & 0xff);
    }
    if (out) out[*out_size] = '\0';
    return out;
}

int64_t cluster_nats_number(const json_t *object, const char *name) {
    return json_integer_value(json_object_get(object, name));
}

const char *cluster_nats_text(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

/* ---- connecting ---- */

enum { MOST_SERVERS = 32, MOST_URLS = 4096, WORD = 1024 };

/* Fills `copy` and the list, which points into it. @return how many; 0: they do not fit */
static int split_urls(const char *urls, char copy[MOST_URLS], const char *list[MOST_SERVERS]) {
    char *rest = NULL;
    int count = 0;
    if (snprintf(copy, MOST_URLS, "%s", urls) >= MOST_URLS) return 0;
    for (char *url = strtok_r(copy, ",", &rest); url; url = strtok_r(NULL, ",", &rest)) {
        if (count == MOST_SERVERS) return 0;
        list[count++] = url;
    }
    return count;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

bool cluster_nats_check_urls(const char *urls, char why[CLUSTER_LOG_WHY_BYTES]) {
    const char *list[MOST_SERVERS];
    char copy[MOST_URLS];
    const int count = split_urls(urls, copy, list);
    for (int i = 0; i < count; i++) {
        const char *wrong = strchr(list[i], '@') ? "a URL has no user and no password: use --nats-auth FILE"
                            : !begins(list[i], "nats://") && !begins(list[i], "tls://")
                                ? "a cluster is nats://HOST:PORT or tls://HOST:PORT, several parted by commas"
                                : NULL;
        if (wrong) snprintf(why, CLUSTER_LOG_WHY_BYTES, "%s", wrong);
        if (wrong) return false;
    }
    if (count == 0) snprintf(why, CLUSTER_LOG_WHY_BYTES, "1 to %d URLs of servers are needed", MOST_SERVERS);
    return count > 0;
}

bool cluster_nats_check_files(const cluster_log_login *login, char why[CLUSTER_LOG_WHY_BYTES]) {
    const char *const files[] = {login->auth_file, login->creds,       login->nkey,
                                 login->ca,        login->certificate, login->key};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] && access(files[i], R_OK) != 0) {
            snprintf(why, CLUSTER_LOG_WHY_BYTES, "%s: %s", files[i], strerror(errno));
            return false;
        }
    return true;
}

/* Reads the words of a file: user and password, or one token; of an nkey's file the public key, which begins with U. */
static int read_words(const char *path, char words[2][WORD]) {
    FILE *file = fopen(path, "r");
    int count = 0;
    if (!file) return -1;
    while (count < 2 && fscanf(file, "%1023s", words[count]) == 1) count++;
    fclose(file);
    return count;
}

static natsStatus set_user(natsOptions *options, const cluster_log_login *login, char words[2][WORD]) {
    const char *user = getenv("WEND_NATS_USER"), *password = getenv("WEND_NATS_PASSWORD");
    if (login->auth_file) {
        const int count = read_words(login->auth_file, words);
        if (count < 1) return NATS_INVALID_ARG;
        return count == 1 ? natsOptions_SetToken(options, words[0])
                          : natsOptions_SetUserInfo(options, words[0], words[1]);
    }
    if (login->creds) return natsOptions_SetUserCredentialsFromFiles(options, login->creds, NULL);
    if (login->nkey) {
        if (read_words(login->nkey, words) < 1) return NATS_INVALID_ARG;
        return natsOptions_SetNKeyFromSeed(options, words[words[0][0] == 'U' ? 0 : 1], login->nkey);
    }
    return user && password ? natsOptions_SetUserInfo(options, user, password) : NATS_OK;
}

static natsStatus set_tls(natsOptions *options, const cluster_log_login *login) {
    if (!strstr(login->urls, "tls://") && !login->ca) return NATS_OK;
    natsStatus status = natsOptions_SetSecure(options, true);
    if (status == NATS_OK && login->ca) status = natsOptions_LoadCATrustedCertificates(options, login->ca);
    if (status == NATS_OK && login->certificate)
        status = natsOptions_LoadCertificatesChain(options, login->certificate, login->key);
    return status;
}

/* A connection never reconnects by itself: the watcher makes another, and checks all again. */
static natsStatus set_options(natsOptions *options, nats_log *log) {
    const cluster_log_login *login = &log->def.login;
    enum { CONNECT_MS = 2000, WRITE_MS = 2000, PING_MS = 500, PINGS = 2 };
    const char *list[MOST_SERVERS];
    char copy[MOST_URLS], words[2][WORD] = {"", ""};
    natsStatus status = natsOptions_SetServers(options, list, split_urls(login->urls, copy, list));
    if (status == NATS_OK) status = natsOptions_SetName(options, log->inbox);
    if (status == NATS_OK) status = natsOptions_SetAllowReconnect(options, false);
    if (status == NATS_OK) status = natsOptions_SetIgnoreDiscoveredServers(options, true);
    if (status == NATS_OK) status = natsOptions_SetTimeout(options, CONNECT_MS);
    if (status == NATS_OK) status = natsOptions_SetWriteDeadline(options, WRITE_MS);
    if (status == NATS_OK) status = natsOptions_SetPingInterval(options, PING_MS);
    if (status == NATS_OK) status = natsOptions_SetMaxPingsOut(options, PINGS);
    if (status == NATS_OK) status = natsOptions_SetNoEcho(options, true);
    if (status == NATS_OK) status = natsOptions_SetSendAsap(options, true);
    if (status == NATS_OK) status = natsOptions_SetErrorHandler(options, log->on_error, log);
    if (status == NATS_OK) status = natsOptions_SetClosedCB(options, log->on_closed, log);
    if (status == NATS_OK) status = set_tls(options, login);
    if (status == NATS_OK) status = set_user(options, login, words);
    explicit_bzero(words, sizeof words);
    return status;
}

bool cluster_nats_dial(natsConnection **out, nats_log *log, char why[CLUSTER_LOG_WHY_BYTES]) {
    natsOptions *options = NULL;
    *out = NULL;
    natsStatus status = natsOptions_Create(&options);
    if (status == NATS_OK) status = set_options(options, log);
    if (status == NATS_OK) status = natsConnection_Connect(out, options);
    natsOptions_Destroy(options);
    if (status != NATS_OK)
        snprintf(why, CLUSTER_LOG_WHY_BYTES, "%s: %s", log->def.login.urls, natsStatus_GetText(status));
    return status == NATS_OK;
}

/* ---- versions and rights ---- */

bool cluster_nats_version_fits(const char *version, int replicas) {
    static const int lines[][3] = {{2, 12, 15}, {2, 14, 5}, {2, 15, 1}}; /* fit for replicas, and later ones */
    int major = 0, minor = 0, patch = 0;
    if (sscanf(version, "%d.%d.%d", &major, &minor, &patch) != 3) return false;
    if (replicas <= 1) return major > 2 || (major == 2 && (minor > 10 || (minor == 10 && patch >= 27)));
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (major == lines[i][0] && minor == lines[i][1]) return patch >= lines[i][2];
    return major > 2 || (major == 2 && minor > 15);
}

/* Subjects are words separated by dots; in a pattern, * is any word and > at the end is any words. */
static bool subject_matches(const char *pattern, const char *subject) {
    for (;;) {
        const size_t asked = strcspn(pattern, "."), given = strcspn(subject, ".");
        if (asked == 1 && *pattern == '>') return given > 0;
        const bool any = asked == 1 && *pattern == '*';
        if (!any && (asked != given || memcmp(pattern, subject, given) != 0)) return false;
        if (pattern[asked] == '\0' || subject[given] == '\0') return pattern[asked] == subject[given];
        pattern += asked + 1;
        subject += given + 1;
    }
}

static bool any_matches(const json_t *patterns, const char *subject) {
    bool matches = false;
    for (size_t i = 0; !matches && i < json_array_size(patterns); i++) {
        const char *pattern = json_string_value(json_array_get(patterns, i));
        matches = pattern && subject_matches(pattern, subject);
    }
    return matches;
}

bool cluster_nats_may_publish(const json_t *user, const char *subject) {
    const json_t *rights = json_object_get(json_object_get(user, "permissions"), "publish");
    const json_t *allowed = json_object_get(rights, "allow");
    if (any_matches(json_object_get(rights, "deny"), subject)) return false;
    return json_array_size(allowed) == 0 || any_matches(allowed, subject);
}

/* ---- streams ---- */

static bool is_there(const json_t *config, const char *name) {
    const json_t *value = json_object_get(config, name);
    return value && !json_is_null(value) && !(json_is_array(value) && json_array_size(value) == 0);
}

void cluster_nats_check_stream(const json_t *info, const char *stream, const char *subject,
                               char why[CLUSTER_LOG_WHY_BYTES]) {
    static const struct {
        const char *name, *value;
    } texts[] = {{"storage", "file"}, {"retention", "limits"}, {"discard", "new"}};
    static const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"max_age", 0}, {"max_msgs", -1}, {"max_msgs_per_subject", -1}};
    static const char *const never[] = {
        "sealed",  "no_ack",    "deny_purge",        "allow_rollup_hdrs", "allow_msg_ttl",      "mirror",
        "sources", "republish", "subject_transform", "allow_msg_counter", "allow_msg_schedules"};
    const json_t *config = json_object_get(info, "config"), *subjects = json_object_get(config, "subjects");
    const int64_t replicas = cluster_nats_number(config, "num_replicas"),
                  most = cluster_nats_number(config, "max_msg_size");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(cluster_nats_text(config, texts[i].name), texts[i].value) != 0)
            cluster_nats_add_reason(why, "stream %s: %s is %s, not %s", stream, texts[i].name,
                                    cluster_nats_text(config, texts[i].name), texts[i].value);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (cluster_nats_number(config, numbers[i].name) != numbers[i].value)
            cluster_nats_add_reason(why, "stream %s: %s is not %d", stream, numbers[i].name, (int)numbers[i].value);
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        if (is_there(config, never[i]) && !json_is_false(json_object_get(config, never[i])))
            cluster_nats_add_reason(why, "stream %s: it has %s", stream, never[i]);
    if (strcmp(cluster_nats_text(config, "persist_mode"), "async") == 0)
        cluster_nats_add_reason(why, "stream %s: persist_mode is async", stream);
    if (!json_is_true(json_object_get(config, "deny_delete")))
        cluster_nats_add_reason(why, "stream %s: deny_delete is not set", stream);
    if (json_array_size(subjects) != 1 || strcmp(json_string_value(json_array_get(subjects, 0)), subject) != 0)
        cluster_nats_add_reason(why, "stream %s: its one subject is not %s", stream, subject);
    if (replicas != 1 && replicas != 3 && replicas != 5)
        cluster_nats_add_reason(why, "stream %s: replicas are %d, not 1, 3 or 5", stream, (int)replicas);
    if (most > 0 && most < CLUSTER_LOG_LEAST_ENTRY_BYTES + (4 << 10))
        cluster_nats_add_reason(why, "stream %s: max_msg_size is below 68 KiB", stream);
}
