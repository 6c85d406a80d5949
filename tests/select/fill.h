/* SPDX-License-Identifier: MIT */
/* Texts with a number in them. */
#ifndef PBY_TESTS_SELECT_FILL_H
#define PBY_TESTS_SELECT_FILL_H

enum { TEXT_SIZE = 256 };

/* The pattern with its # replaced by a number. */
void fill(char text[TEXT_SIZE], const char *pattern, unsigned long i);

#endif
