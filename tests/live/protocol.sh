#!/bin/sh
# SPDX-License-Identifier: MIT
# The protocol of `wend serve`, by clients in Python.
. "${WEND_SRCDIR:-.}/tests/live/lib.sh"
exec python3 "$srcdir/tests/live/protocol.py" "$@"
