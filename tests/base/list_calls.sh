#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes LIFE_CALLS of test_life_calls.c: each public function whose first parameter is an object of libwend, with its kind.
# Arguments: the public headers.
kinds='arena|map|edit|search|service|crowd|field|figures|scen'
echo '/* Made by tests/base/list_calls.sh. */'
echo '#define LIFE_CALLS(X) \'
cat "$@" | tr '\n' ' ' | grep -oE 'WEND_API [^;(]*\([^;,()]*' | grep -E "\((const )?wend_($kinds) \*[a-z_]+$" |
    sed -E 's/.*[ *](wend_[a-z0-9_]+)\((const )?wend_([a-z]+) .*/    X(\3, \1) \\/' | grep -v ' wend_tiled_' | sort -u
echo '    LIFE_CALLS_END'
echo '#define LIFE_CALLS_END'
