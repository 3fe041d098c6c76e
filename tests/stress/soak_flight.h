/* SPDX-License-Identifier: MIT */
/* Searches kept in flight over a thousand versions. */
#ifndef WEND_TESTS_SOAK_FLIGHT_H
#define WEND_TESTS_SOAK_FLIGHT_H

/// On a map of each kind, for several limits of versions: memory stays within them. Prints a line for each map.
void soak_flights(void);

#endif
