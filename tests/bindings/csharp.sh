#!/bin/sh
# SPDX-License-Identifier: MIT
# The binding for C#, under mono.
. "${WEND_SRCDIR:-.}/tests/bindings/lib.sh"
need mcs mono
need_made
from=$srcdir/bindings/csharp
mcs -target:library -out:"$work/Wend.dll" "$from/Native.cs" "$from/Wend.cs" || bad=$((bad + 1))
for name in Hello Gate Village Test; do
    mcs -r:"$work/Wend.dll" -out:"$work/$name.exe" "$from/$name.cs" || bad=$((bad + 1))
done
expect "$hello" mono "$work/Hello.exe"
expect "$village" mono "$work/Village.exe"
expect "$gate" mono "$work/Gate.exe"
make_town
printf '%s\n' 'using System;' 'using Wend;' 'static class Readme {' 'static void Main() {' "$(code_block "$from/README.md" csharp 1)" '}' '}' \
    >"$work/Readme.cs"
mcs -r:"$work/Wend.dll" -out:"$work/Readme.exe" "$work/Readme.cs" || bad=$((bad + 1))
expect found env -C "$work" mono Readme.exe
{
    echo 'using System; using Wend; static class Walk { static void Main() {'
    code_block "$from/README.md" csharp 2
    echo '} }'
} >"$work/Walk.cs"
mcs -r:"$work/Wend.dll" -out:"$work/Walk.exe" "$work/Walk.cs" || bad=$((bad + 1))
expect "$walk" mono "$work/Walk.exe"
passes mono "$work/Test.exe" "$map" "$misuse"
if make_calls; then
    mcs -r:"$work/Wend.dll" -out:"$work/Calls.exe" "$calls/Calls.cs" || bad=$((bad + 1))
    passes_calls mono "$work/Calls.exe" "$srcdir/bindings/api/layouts.c"
fi
most_lines 15 "$from/Hello.cs"
most_lines 120 "$from/Village.cs"
finish
