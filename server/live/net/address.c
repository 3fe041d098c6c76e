/* SPDX-License-Identifier: MIT */
/* Addresses, Host and Origin. */
#define _GNU_SOURCE

#include "live/net/address.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool parse_port(const char *text, int *out) {
    char *end;
    const long port = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || port > 65535) return false;
    *out = (int)port;
    return true;
}

/* Numeric addresses only: a name could lead elsewhere tomorrow. */
static bool classify(live_address *out) {
    struct in_addr four;
    struct in6_addr six;
    if (strcmp(out->host, "localhost") == 0 || out->host[0] == '\0') strcpy(out->host, "127.0.0.1");
    if (inet_pton(AF_INET, out->host, &four) == 1) {
        out->loopback = ntohl(four.s_addr) >> 24 == 127;
        out->any = four.s_addr == 0;
        return true;
    }
    if (inet_pton(AF_INET6, out->host, &six) != 1) return false;
    out->v6 = true;
    out->loopback = IN6_IS_ADDR_LOOPBACK(&six);
    out->any = IN6_IS_ADDR_UNSPECIFIED(&six);
    return true;
}

bool live_address_parse(const char *text, bool may_be_path, live_address *out) {
    *out = (live_address){0};
    if (strchr(text, '/')) {
        out->path = out->loopback = may_be_path;
        return may_be_path;
    }
    const char *colon = strrchr(text, ':');
    if (!colon || !parse_port(colon + 1, &out->port)) return false;
    size_t length = (size_t)(colon - text);
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') text++, length -= 2;
    if (length >= sizeof out->host) return false;
    memcpy(out->host, text, length);
    out->host[length] = '\0';
    return classify(out);
}

static bool is_number(const char *host) {
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

bool live_host_allowed(const live_address *address, const char *name, const char *host, size_t length) {
    char bare[256];
    if (length == 0 || length >= sizeof bare) return false;
    memcpy(bare, host, length);
    bare[length] = '\0';
    char *start = bare, *end;
    if (bare[0] == '[') {
        start++;
        end = strchr(start, ']');
        if (!end || (end[1] != '\0' && end[1] != ':')) return false;
    } else {
        end = strchr(start, ':');
    }
    if (end) *end = '\0';
    if (strcasecmp(start, "localhost") == 0 || strcasecmp(start, address->host) == 0) return true;
    if (name && strcasecmp(start, name) == 0) return true;
    return address->any && is_number(start); /* a foreign name cannot lead here, a number is no name */
}

bool live_origin_allowed(const char *origin, const char *host) {
    const char *authority = strstr(origin, "://");
    if (!authority) return false;
    const size_t scheme = (size_t)(authority - origin);
    if (!(scheme == 4 && strncasecmp(origin, "http", 4) == 0) && !(scheme == 5 && strncasecmp(origin, "https", 5) == 0))
        return false;
    return strcasecmp(authority + 3, host) == 0;
}
