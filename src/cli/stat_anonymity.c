#include <inttypes.h>
#include <stdio.h>

#include "cli/output.h"
#include "cli/stat.h"
#include "io/file.h"
#include "table/anonymity.h"

static void print_number(const char *name, uint64_t n)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, n);
    pby_print_line(name, n == 0 ? "none" : text);
}

static void print_lines(const pby_anonymity *a)
{
    uint64_t records, classes;
    char name[32], text[40];
    print_number("anonymity", pby_anonymity_least(a));
    print_number("records", pby_anonymity_records(a));
    print_number("classes", pby_anonymity_classes(a));
    for (size_t i = 0; pby_anonymity_size_at(&records, &classes, a, i); i++) {
        snprintf(name, sizeof name, "  of %-7" PRIu64, records);
        snprintf(text, sizeof text, "%" PRIu64, classes);
        pby_print_line(name, text);
    }
    pby_print_line("private",
                   "no: these numbers describe the records, and k-anonymity is no privacy guarantee");
}

static json_t *sizes_json(const pby_anonymity *a)
{
    uint64_t records, classes;
    json_t *list = json_array();
    for (size_t i = 0; pby_anonymity_size_at(&records, &classes, a, i); i++)
        list = pby_json_append(
            list, json_pack("{s:I, s:I}", "records", (json_int_t)records, "classes", (json_int_t)classes));
    return list;
}

static pby_status print_json(const pby_anonymity *a, pby_error *err)
{
    json_t *quasi = json_array();
    for (size_t i = 0; i < pby_anonymity_columns(a); i++)
        quasi = pby_json_append(quasi, json_string(pby_anonymity_column(a, i)));
    const uint64_t least = pby_anonymity_least(a);
    return pby_print_json(
        json_pack("{s:s, s:o, s:o, s:I, s:I, s:o, s:b}", "statistic", "anonymity", "quasi", quasi, "value",
                  least == 0 ? json_null() : json_integer((json_int_t)least), "records",
                  (json_int_t)pby_anonymity_records(a), "classes", (json_int_t)pby_anonymity_classes(a),
                  "sizes", sizes_json(a), "private", 0),
        err);
}

pby_status pby_stat_anonymity(const char *path, const char *quasi, unsigned long k, bool json, pby_error *err)
{
    pby_anonymity *a;
    pby_status status = pby_anonymity_read(&a, pby_path_named(path), quasi, "--quasi", err);
    if (status != PBY_OK)
        return status;
    const uint64_t least = pby_anonymity_least(a);
    if (json)
        status = print_json(a, err);
    else
        print_lines(a);
    pby_anonymity_free(a);
    if (status == PBY_OK && least > 0 && least < k)
        status = pby_fail(err, PBY_NO, "not %lu-anonymous", k);
    return status;
}
