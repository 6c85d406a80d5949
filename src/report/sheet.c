/* SPDX-License-Identifier: MIT */
#include "report/sheet.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "number/exact.h"
#include "number/number_json.h"

enum { NAME_WIDTH = 12 };

void pby_sheet_begin(pby_sheet *s, pby_report_form form)
{
    *s = (pby_sheet){.lines = NULL};
    if (form == PBY_REPORT_JSON)
        s->object = json_object();
    else
        s->lines = open_memstream(&s->text, &s->size);
    s->short_of_memory = s->object == NULL && s->lines == NULL;
}

pby_status pby_sheet_end(char **text, pby_sheet *s, pby_status status, pby_error *err)
{
    *text = NULL;
    if (s->lines != NULL) {
        s->short_of_memory |= ferror(s->lines) != 0;
        s->short_of_memory |= fclose(s->lines) != 0;
    } else if (s->object != NULL) {
        char *object = pby_json_text(s->object, JSON_PRESERVE_ORDER);
        if (object == NULL || asprintf(&s->text, "%s\n", object) < 0)
            s->text = NULL;
        free(object);
    }
    if (status == PBY_OK && (s->short_of_memory || s->text == NULL))
        status = pby_no_memory(err);
    if (status == PBY_OK)
        *text = s->text;
    else
        free(s->text);
    return status;
}

void pby_sheet_line(pby_sheet *s, const char *name, const char *format, ...)
{
    if (s->lines == NULL || name == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(s->lines, "%-*s", NAME_WIDTH, name);
    vfprintf(s->lines, format, arguments);
    fputc('\n', s->lines);
    va_end(arguments);
}

void pby_sheet_member(pby_sheet *s, const char *key, json_t *value)
{
    if (s->object == NULL || key == NULL)
        json_decref(value);
    else if (json_object_set_new(s->object, key, value) != 0)
        s->short_of_memory = true;
}

void pby_sheet_text(pby_sheet *s, const char *name, const char *key, const char *text)
{
    pby_sheet_line(s, name, "%s", text);
    if (s->object != NULL && key != NULL)
        pby_sheet_member(s, key, json_string(text));
}

void pby_sheet_number(pby_sheet *s, const char *name, const char *key, uint64_t number)
{
    pby_sheet_line(s, name, "%" PRIu64, number);
    if (s->object != NULL && key != NULL)
        pby_sheet_member(s, key, json_integer((json_int_t)number));
}

void pby_sheet_break(pby_sheet *s)
{
    if (s->lines != NULL)
        fputc('\n', s->lines);
}

void pby_sheet_ends(pby_sheet *s, const char *name, const char *key, const char *lo, const char *hi,
                    const char *note)
{
    const char *gap = note == NULL ? "" : "  ";
    note = note == NULL ? "" : note;
    if (s->object != NULL && key != NULL)
        pby_sheet_member(s, key, json_pack("{s:s, s:s}", "lo", lo, "hi", hi));
    if (strcmp(lo, hi) == 0)
        pby_sheet_line(s, name, "%s%s%s", lo, gap, note);
    else
        pby_sheet_line(s, name, "[%s, %s]%s%s", lo, hi, gap, note);
}

void pby_sheet_enclosure(pby_sheet *s, const char *name, const char *key, const pby_enclosure *x,
                         unsigned digits, const char *note)
{
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    pby_decimal(lo, x->lo, digits, true);
    pby_decimal(hi, x->hi, digits, false);
    pby_sheet_ends(s, name, key, lo, hi, note);
}

pby_sheet pby_sheet_part(const pby_sheet *s)
{
    return (pby_sheet){.lines = s->lines, .object = s->object == NULL ? NULL : json_object()};
}

json_t *pby_sheet_part_end(pby_sheet *s, const pby_sheet *part)
{
    s->short_of_memory |= part->short_of_memory;
    return part->object;
}

void pby_sheet_exact(pby_sheet *s, const char *name, const char *key, mpq_srcptr x)
{
    if (s->object != NULL && key != NULL)
        pby_sheet_member(s, key, pby_exact_json(x));
    if (s->lines == NULL || name == NULL)
        return;
    char *text = pby_exact_text(x);
    if (text == NULL)
        s->short_of_memory = true;
    else
        pby_sheet_line(s, name, "%s", text);
    free(text);
}

void pby_sheet_distance(pby_sheet *s, const char *name, const char *key, const pby_distance *x)
{
    if (x->infinite)
        pby_sheet_text(s, name, key, "inf");
    else
        pby_sheet_exact(s, name, key, x->value);
}
