#!/bin/sh
# SPDX-License-Identifier: MIT
# Nodes of a cluster in a folder: what passes between them, and takeovers. With arguments, tests/cluster/faults.py.
. "${WEND_SRCDIR:-.}/tests/live/lib.sh"
[ $# -gt 0 ] && exec python3 "$srcdir/tests/cluster/faults.py" "$@"
exec python3 "$srcdir/tests/cluster/nodes.py"
