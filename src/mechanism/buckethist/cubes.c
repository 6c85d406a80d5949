/* SPDX-License-Identifier: MIT */
#include "mechanism/buckethist/cubes.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

static void wipe(size_t *array, size_t n)
{
    if (array != NULL)
        sodium_memzero(array, n * sizeof *array);
    free(array);
}

void pby_cubes_clear(pby_cubes *cubes)
{
    wipe(cubes->point, cubes->room);
    wipe(cubes->place, cubes->count);
    *cubes = (pby_cubes){.points = 0};
}

static pby_status make_room(pby_cubes *cubes, pby_error *err)
{
    const size_t room = cubes->room == 0 ? FIRST_ROOM : 2 * cubes->room;
    size_t *point = calloc(room, sizeof *point);
    if (point == NULL)
        return pby_no_memory(err);
    if (cubes->points > 0)
        memcpy(point, cubes->point, cubes->points * sizeof *point);
    wipe(cubes->point, cubes->room);
    cubes->point = point;
    cubes->room = room;
    return PBY_OK;
}

pby_status pby_cubes_note(pby_cubes *cubes, size_t place, pby_error *err)
{
    const pby_status status = cubes->points < cubes->room ? PBY_OK : make_room(cubes, err);
    if (status == PBY_OK)
        cubes->point[cubes->points++] = place;
    return status;
}

/* Sorts by the bits from this one down: those without it come to the front, those with it to the back, then
 * each side by the bits below. In place, because qsort(3) may copy what it sorts to memory that nobody wipes;
 * and calls nest no deeper than there are bits. */
static void sort(size_t *place, size_t n, size_t bit)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t here = place[low];
        if ((here & bit) == 0) {
            low++;
        } else {
            place[low] = place[--high];
            place[high] = here;
        }
    }
    if (bit > 1 && low > 1)
        sort(place, low, bit >> 1);
    if (bit > 1 && n - low > 1)
        sort(place + low, n - low, bit >> 1);
}

static void sort_places(size_t *place, size_t n)
{
    size_t differ = 0, bit = 1;
    for (size_t i = 1; i < n; i++)
        differ |= place[i] ^ place[0];
    while (differ / 2 >= bit)
        bit *= 2;
    sort(place, n, bit);
}

/* A point's number takes the place of its place: the order of the points does not matter to what counts them.
 */
pby_status pby_cubes_number(pby_cubes *cubes, pby_error *err)
{
    size_t count = 0;
    if (cubes->points == 0)
        return PBY_OK;
    sort_places(cubes->point, cubes->points);
    for (size_t i = 0; i < cubes->points; i++)
        count += i == 0 || cubes->point[i] != cubes->point[i - 1];
    cubes->place = malloc(count * sizeof *cubes->place);
    if (cubes->place == NULL)
        return pby_no_memory(err);
    for (size_t i = 0; i < cubes->points; i++) {
        if (cubes->count == 0 || cubes->point[i] != cubes->place[cubes->count - 1])
            cubes->place[cubes->count++] = cubes->point[i];
        cubes->point[i] = cubes->count - 1;
    }
    return PBY_OK;
}
