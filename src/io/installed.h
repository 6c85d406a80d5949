/* SPDX-License-Identifier: MIT */
/* Files that belong to the command: beside the installed program, or in the tree that it was built in. */
#ifndef PBY_IO_INSTALLED_H
#define PBY_IO_INSTALLED_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { PBY_INSTALLED_SIZE = PATH_MAX + 64 };

/* A folder, as the program's path without its last `parts`, and `below` behind it. */
typedef struct pby_installed_place {
    int parts;
    const char *below;
} pby_installed_place;

/* The path of this program. */
bool pby_installed_self(char self[PBY_INSTALLED_SIZE]);

/* Sets path to the first file of that name that can be read; false if no place has one. */
bool pby_installed_find(char path[PBY_INSTALLED_SIZE], const pby_installed_place *places, size_t count,
                        const char *name);

#endif
