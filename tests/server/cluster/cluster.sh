#!/bin/sh
# SPDX-License-Identifier: MIT
# Nodes of a cluster over NATS. With arguments, tests/server/cluster/faults.py.
. "${WEND_SRCDIR:-.}/tests/server/live/lib.sh"
[ $# -gt 0 ] && exec python3 "$srcdir/tests/server/cluster/faults.py" "$@"
exec python3 "$srcdir/tests/server/cluster/nodes.py"
