#!/bin/sh
# SPDX-License-Identifier: MIT
# Nodes of several maps, clients over NATS where that is installed, and balance.
. "${WEND_SRCDIR:-.}/tests/server/live/lib.sh"
exec python3 "$srcdir/tests/server/cluster/maps.py"
