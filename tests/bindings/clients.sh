#!/bin/sh
# SPDX-License-Identifier: MIT
# The clients of wend serve, as a clone has them. Their orders are made from the catalogue.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
need python3
python3 "$srcdir/bindings/clients/make.py" --check || exit 1
./wend serve --help 2>/dev/null | grep -q -e --lines || skip 'wend serve is not built here'
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' || skip 'python3 is older than 3.9'
from=$srcdir/bindings/clients
echo 'grid 32 32' >"$work/town.wend"
printf '%s\n' 'grid 128 64 streamed' 'load 0,0 open' >"$work/land.wend"
begin() { # world, lines at...
    : >"$work/said" # what the server before this one has said is no answer
    ./wend serve "$work/$1.wend" --listen 127.0.0.1:0 --hz 50 --lines "$2" >"$work/said" 2>&1 &
    server=$!
    for _ in $(seq 12000); do grep -q 'lines at' "$work/said" && return; sleep 0.05; done
    cat "$work/said"
}
port() { sed -n 's/.*lines at .*:\([0-9]*\)$/\1/p' "$work/said"; }
begin town 127.0.0.1:0
first=$server at=$(port)
begin town "$work/lines"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$from/python
export PYTHONDONTWRITEBYTECODE PYTHONPATH
passes timeout 1200 python3 "$from/python/test_client.py" "$at" "$work/lines" town
if command -v node >/dev/null; then passes timeout 1200 node "$from/js/test.js" "$at" town; fi
kill "$first" "$server"
# Every order through both clients, each to a server of its own.
rows=$srcdir/tests/bindings/every_reply.json
replies=
./wend orders >"$work/orders.md"
if command -v node >/dev/null; then
    begin land 127.0.0.1:0
    replies=$work/replies
    timeout 1200 node "${rows%json}mjs" "$from/js/client.js" "$rows" "$(port)" >"$replies"
    kill "$server"
fi
begin land 127.0.0.1:0
passes timeout 1200 python3 "${rows%json}py" "$rows" "$work/orders.md" "$srcdir/server/live/message/message.c" \
    "$(port)" "$replies"
kill "$server"
# The programs of the README, with this port; what comes unasked would go on for ever.
begin town 127.0.0.1:0
page=$(sed -n 's,.*at http://127.0.0.1:\([0-9]*\)/$,\1,p' "$work/said")
{
    printf '%s\n' 'import asyncio' 'async def main():'
    code_block "$from/README.md" python 1 | sed "s/7781/$(port)/; s/^/    /; s/print.*/&; break/"
    echo 'asyncio.run(main())'
} >"$work/readme.py"
expect '[30, 12]' sh -c "timeout 100 python3 '$work/readme.py' | sed -n \"s/.*'bob', 'event': 'arrived', 'cell': \(.*\)}/\1/p\""
if node --experimental-websocket -e 0 2>/dev/null; then
    cp "$from"/js/*.js "$from/js/package.json" "$work" || exit 99
    { code_block "$from/README.md" js 1 | sed "s/7780/$page/" && echo 'console.log(status, cells.length), town.close();'; } >"$work/readme.js"
    expect 'found 30' timeout 100 node --experimental-websocket --no-warnings "$work/readme.js"
fi
kill "$server"
wait
finish
