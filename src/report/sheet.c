#include "report/sheet.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "number/exact.h"
#include "number/json.h"

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

void pby_sheet_enclosure(pby_sheet *s, const char *name, const char *key, const pby_enclosure *x,
                         unsigned digits, const char *note)
{
    if (s->object != NULL && key != NULL)
        pby_sheet_member(s, key, pby_json_enclosure(x, digits));
    if (s->lines == NULL || name == NULL)
        return;
    char lo[PBY_DECIMAL_SIZE], hi[PBY_DECIMAL_SIZE];
    pby_decimal(lo, x->lo, digits, true);
    pby_decimal(hi, x->hi, digits, false);
    const char *gap = note == NULL ? "" : "  ";
    note = note == NULL ? "" : note;
    if (strcmp(lo, hi) == 0)
        pby_sheet_line(s, name, "%s%s%s", lo, gap, note);
    else
        pby_sheet_line(s, name, "[%s, %s]%s%s", lo, hi, gap, note);
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
