/* SPDX-License-Identifier: MIT */
/* The laboratory's own version: its commands, options and reports may change where libwend's interface stays. */
#ifndef WEND_LAB_LAB_VERSION_H
#define WEND_LAB_LAB_VERSION_H

#define LAB_VERSION "lab 0.9.0"

#endif
