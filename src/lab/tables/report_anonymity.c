/* SPDX-License-Identifier: MIT */
/* Prints the sizes of the classes of records that look alike. */
#include "probity/experimental/anonymity.h"
#include "probity/experimental/reports.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "io/file.h"
#include "report/sheet.h"

static void print_number(pby_sheet *s, const char *name, uint64_t n)
{
    if (n == 0)
        pby_sheet_line(s, name, "none");
    else
        pby_sheet_number(s, name, NULL, n);
}

static void print_sizes(pby_sheet *s, const pby_anonymity *a)
{
    uint64_t records, classes;
    json_t *list = json_array();
    char name[32];
    for (size_t i = 0; pby_anonymity_size_at(&records, &classes, a, i); i++) {
        snprintf(name, sizeof name, "  of %-7" PRIu64, records);
        pby_sheet_number(s, name, NULL, classes);
        list = pby_json_append(
            list, json_pack("{s:I, s:I}", "records", (json_int_t)records, "classes", (json_int_t)classes));
    }
    pby_sheet_member(s, "sizes", list);
}

static json_t *columns_json(const pby_anonymity *a)
{
    json_t *list = json_array();
    for (size_t i = 0; i < pby_anonymity_columns(a); i++)
        list = pby_json_append(list, json_string(pby_anonymity_column(a, i)));
    return list;
}

static void print_anonymity(pby_sheet *s, const pby_anonymity *a)
{
    const uint64_t least = pby_anonymity_least(a), records = pby_anonymity_records(a),
                   classes = pby_anonymity_classes(a);
    pby_sheet_text(s, NULL, "statistic", "anonymity");
    pby_sheet_member(s, "quasi", columns_json(a));
    print_number(s, "anonymity", least);
    pby_sheet_member(s, "value", least == 0 ? json_null() : json_integer((json_int_t)least));
    print_number(s, "records", records);
    pby_sheet_member(s, "records", json_integer((json_int_t)records));
    print_number(s, "classes", classes);
    pby_sheet_member(s, "classes", json_integer((json_int_t)classes));
    print_sizes(s, a);
    pby_sheet_line(s, "private",
                   "no: these numbers describe the records, and k-anonymity is no privacy guarantee");
    pby_sheet_member(s, "private", json_false());
}

pby_status pby_report_anonymity(char **text, uint64_t *least, const char *path, const char *quasi,
                                pby_report_form form, pby_error *err)
{
    pby_anonymity *a;
    pby_sheet s;
    *least = 0;
    pby_sheet_begin(&s, form);
    const pby_status status = pby_anonymity_csv(&a, pby_path_named(path), quasi, err);
    if (status == PBY_OK) {
        *least = pby_anonymity_least(a);
        print_anonymity(&s, a);
    }
    pby_anonymity_free(a);
    return pby_sheet_end(text, &s, status, err);
}
