/* SPDX-License-Identifier: MIT */
/* The server's own version: its commands, options and messages may change where libwend's interface stays. */
#ifndef WEND_SERVER_SERVER_VERSION_H
#define WEND_SERVER_SERVER_VERSION_H

#define SERVER_VERSION "server 0.9.0"

#endif
