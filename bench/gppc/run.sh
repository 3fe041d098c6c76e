#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the entry in the kit of the competition's dynamic track, and prints a line of CSV a scenario.
#   sh bench/gppc/run.sh KIT BUILD [OTHER.so]
# KIT: a clone of the kit, built (its program `run`); BUILD: wend's build folder; OTHER.so: another entry, for ratios.
