/* SPDX-License-Identifier: MIT */
/* Texts of other nodes, by whichever store: leases, notes, heads of entries, places, addresses. Each is read, or is
 * none; what was read is within its limits, and can stand in lines and JSON as it is. */
#define _GNU_SOURCE
#include "fuzz_bytes.h"

#include "cluster/member.h"

static volatile uint64_t sum; /* so that all that a place points to is read */

/* A text that ends, and has no character that would end it elsewhere. */
static void check_word(const char *word, size_t most) {
    const size_t length = strnlen(word, most + 1);
    FUZZ_CHECK(length > 0 && length <= most);
    for (size_t i = 0; i < length; i++) FUZZ_CHECK(word[i] > ' ' && word[i] < 127 && word[i] != '"' && word[i] != '\\');
}

static void read_lease(const char *text) {
    cluster_holder holder;
    if (!cluster_holder_read(text, &holder)) return;
    check_word(holder.node, CLUSTER_NODE_BYTES), check_word(holder.heir, CLUSTER_NODE_BYTES);
    check_word(holder.lines, CLUSTER_ADDRESS_BYTES), check_word(holder.page, CLUSTER_ADDRESS_BYTES);
}

static void read_note(const char *text) {
    cluster_note note;
    if (!cluster_note_read(text, &note)) return;
    check_word(note.page, CLUSTER_ADDRESS_BYTES), check_word(note.lines, CLUSTER_ADDRESS_BYTES);
}

static void read_head(const char *text) {
    cluster_head head;
    if (!cluster_head_read(text, &head)) return;
    FUZZ_CHECK(cluster_is_name(head.map));
    FUZZ_CHECK(head.heir[0] == '\0' || cluster_is_name(head.heir));
}

static void read_places(const char *text, size_t size) {
    const char *at = text, *end = text + size, *before = at;
    for (cluster_place place; cluster_place_read(&at, end, &place); before = at) {
        FUZZ_CHECK(at > before && at <= end && place.name >= before && place.name_bytes <= (size_t)(end - place.name));
        for (size_t i = 0; i < place.name_bytes; i++) sum += (unsigned char)place.name[i];
    }
    FUZZ_CHECK(at == before);
}

static void read_address(const char *text) {
    struct sockaddr_storage address = {0};
    char again[64];
    if (!cluster_address_read(text, &address)) return;
    FUZZ_CHECK(address.ss_family == AF_INET || address.ss_family == AF_INET6);
    FUZZ_CHECK(uv_ip_name((const struct sockaddr *)&address, again, sizeof again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char first[] = "# a journal of wend serve\n# map ";
    char *text = malloc(size + 1), *head = malloc(size + sizeof first);
    FUZZ_CHECK(text && head);
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    memcpy(head, first, sizeof first - 1);
    memcpy(head + sizeof first - 1, text, size + 1);
    read_lease(text);
    read_note(text);
    read_head(text), read_head(head);
    read_places(text, size);
    read_address(text);
    free(text), free(head);
    return 0;
}
