/* SPDX-License-Identifier: MIT */
#include "io/installed.h"

#include <string.h>
#include <unistd.h>

bool pby_installed_self(char self[PBY_INSTALLED_SIZE])
{
    const ssize_t size = readlink("/proc/self/exe", self, PATH_MAX);
    if (size <= 0)
        return false;
    self[size] = '\0';
    return true;
}

static bool drop_parts(char *path, int parts)
{
    for (int i = 0; i < parts; i++) {
        char *slash = strrchr(path, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
    }
    return true;
}

bool pby_installed_find(char path[PBY_INSTALLED_SIZE], const pby_installed_place *places, size_t count,
                        const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (!pby_installed_self(path) || !drop_parts(path, places[i].parts))
            continue;
        if (strlen(path) + strlen(places[i].below) + strlen(name) >= PBY_INSTALLED_SIZE)
            continue;
        strcat(path, places[i].below);
        strcat(path, name);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}
