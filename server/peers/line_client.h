/* SPDX-License-Identifier: MIT */
/* A client of a server's lines: to another node, to another map's process, or to the server itself.
 *
 * Threads: the loop's. */
#ifndef WEND_SERVER_PEERS_LINE_CLIENT_H
#define WEND_SERVER_PEERS_LINE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include <uv.h>

typedef struct line_client line_client;

typedef struct line_client_def {
    uv_loop_t *loop;
    const char *token; ///< for hello; NULL: none
    /// A line came, without its line feed; a zero stands behind it. NULL: not any more.
    void (*on_line)(void *context, char *line, size_t size);
    /// The connection is gone, and freed once this returns. Not called for an address that cannot be read.
    void (*on_gone)(void *context);
    void *context;
} line_client_def;

/// Connect to ADDRESS:PORT, with a numeric address, or to the path of a Unix socket, and say hello. What is sent
/// before it is connected waits in the socket.
/// @return NULL: no memory, or no address
line_client *line_client_open(const line_client_def *def, const char *address);
/// The same for a socket that is connected already; it is closed where this fails.
line_client *line_client_adopt(const line_client_def *def, int socket);

/// Send a line.
/// @param line   with its line feed; copied
/// @return false: no memory, or it is closing
bool line_client_send(line_client *client, const char *line, size_t size);
/// Close it; on_gone comes in a later turn of the loop.
void line_client_close(line_client *client);

#endif
