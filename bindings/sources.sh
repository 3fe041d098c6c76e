#!/bin/sh
# SPDX-License-Identifier: MIT
# The sources of libwend, a line each, for builds beside autotools.
set -eu
cd "$(dirname "$0")/.."
find src/base src/mark src/map src/io src/search src/service src/fast src/field src/motion src/agents src/recording src/save -name '*.c' ! -name 'no_*.c' | LC_ALL=C sort
echo src/orders/names.c
sed -n '/^orders_table =/,/write_text/p' src/orders/Makefile.inc | grep -o 'src/orders/[a-z_]*\.c'
