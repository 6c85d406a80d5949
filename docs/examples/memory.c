/* SPDX-License-Identifier: MIT */
/* A histogram in memory, grouped by a public map and released by a spec; no file is read or written. This
 * file is C and C++.
 *
 *     cc -std=c11 $(pkg-config --cflags probity) memory.c $(pkg-config --libs probity) -o memory
 *
 * It prints:
 *     released by geometric:eps=1, pure at epsilon 1
 *     adults: within 60 of 66
 *     children: within 60 of 12
 *     as JSON: [{"key": "adults", "count": ...
 *     refused: counts: row 2: expected a count from 0 on (input)
 */
#include <probity.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Noise goes beyond 60 with a chance of exp(-61) at most, for each of two rows. */
static pby_status print_rows(pby_table *released, pby_error *err)
{
    static const int truth[] = {66, 12};
    bool found = true;
    pby_status status = PBY_OK;
    for (int i = 0; i < 2 && status == PBY_OK && found; i++) {
        status = pby_table_next(released, &found, err);
        if (status == PBY_OK && found && llabs((long long)pby_table_count(released) - truth[i]) <= 60)
            printf("%s: within 60 of %d\n", pby_table_key(released, NULL), truth[i]);
    }
    return status;
}

static pby_status print_json(pby_table *released, pby_error *err)
{
    char *text;
    const pby_status status = pby_table_write_memory(&text, NULL, released, PBY_FORMAT_JSON, err);
    if (status == PBY_OK)
        printf("as JSON: %.28s...\n", text);
    free(text);
    return status;
}

static pby_status release(pby_permission *permission, pby_table *table, pby_error *err)
{
    pby_table *released;
    const pby_status status = pby_release_table(&released, permission, table, NULL, err);
    if (status != PBY_OK)
        return status;
    pby_status printed = print_rows(released, err);
    if (printed == PBY_OK)
        printed = print_json(released, err);
    pby_table_free(released);
    return printed;
}

/* The map is public: which rows are released, and in which order, does not depend on the data. */
static pby_status grouped(pby_table **out, pby_error *err)
{
    static const char *const ages[] = {"0-17", "18-64", "65+"}, *const keys[] = {"18-64", "65+", "0-17"},
                             *const groups[] = {"adults", "adults", "children"};
    static const int64_t counts[] = {12, 45, 21};
    pby_table *table;
    pby_map map;
    memset(&map, 0, sizeof map);
    map.keys = keys;
    map.groups = groups;
    map.count = 3;
    pby_status status = pby_table_of(&table, ages, counts, 3, err);
    if (status != PBY_OK)
        return status;
    status = pby_table_map(out, table, &map, err);
    pby_table_free(table);
    return status;
}

static void refuse(void)
{
    static const char *const keys[] = {"a", "b"};
    static const int64_t counts[] = {1, -1};
    pby_error err = PBY_NO_ERROR;
    pby_table *table;
    if (pby_table_of(&table, keys, counts, 2, &err) == PBY_BAD)
        printf("refused: %s (%s)\n", err.text, pby_reason_text(err.reason));
}

int main(void)
{
    pby_error err = PBY_NO_ERROR;
    pby_permission_options from;
    pby_permission *permission = NULL;
    pby_table *table = NULL;
    memset(&from, 0, sizeof from);
    from.spec = "geometric:eps=1";
    pby_status status = pby_permission_open(&permission, &from, &err);
    if (status == PBY_OK)
        status = grouped(&table, &err);
    if (status == PBY_OK) {
        printf("released by %s, pure at epsilon 1\n", pby_spec_text(pby_permission_spec(permission)));
        status = release(permission, table, &err);
    }
    if (status != PBY_OK)
        fprintf(stderr, "memory: %s\n", err.text);
    refuse();
    pby_table_free(table);
    pby_permission_close(permission);
    return (int)status;
}
