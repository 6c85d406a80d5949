/* SPDX-License-Identifier: MIT */
#include "table/row/csv_row.h"

#include <string.h>
#include <strings.h>

#include "kernel/scan.h"
#include "table/row/field_digits.h"

_Static_assert((int)PBY_ROW_KEY_MAX == (int)PBY_SCAN_MOST, "a key is as long as a field may be");

/* The texts that a refusal expects: after the key, as the count, and after the count. */
struct expectations {
    const char *comma, *count, *end;
};

/* Places are counted from the beginning of the row. */
typedef struct cursor {
    const uint8_t *bytes;
    size_t at, end;
    bool last;
    pby_csv_row *row;
    const struct expectations *expected;
} cursor;

typedef struct text {
    const uint8_t *begin;
    size_t size;
    size_t escapes;
} text;

static cursor cursor_of(pby_csv_row *row, const uint8_t *at, const uint8_t *end, bool last,
                        const struct expectations *expected)
{
    return (cursor){.bytes = at, .end = (size_t)(end - at), .last = last, .row = row, .expected = expected};
}

static uint8_t byte_at(const cursor *c)
{
    return c->bytes[c->at];
}

static pby_csv_row_result refuse(const cursor *c, unsigned column, const char *expected)
{
    c->row->column = column;
    c->row->expected = expected;
    return PBY_ROW_REFUSED;
}

static const struct expectations of_histogram = {PBY_ROW_COMMA, PBY_ROW_COUNT, PBY_ROW_END};
static const struct expectations of_release = {
    "a comma and a count after the key", "a whole number from -9223372036854775808 to 9223372036854775807",
    "the end of the line"};

static const char not_utf8[] = "valid UTF-8", too_long[] = "at most 1048576 bytes";

/* The mark that UTF-16 begins with; neither byte occurs in UTF-8. */
static bool is_utf16(const uint8_t *at, size_t size)
{
    return size >= 2 && at[0] + at[1] == 0xff + 0xfe && (at[0] == 0xff || at[0] == 0xfe);
}

static pby_csv_row_result read_text(cursor *c, unsigned column, text *t, uint64_t *newlines)
{
    static const char *const expected[] = {
        [PBY_SCAN_LONG] = too_long,
        [PBY_SCAN_OPEN] = "a closing quote within 1048576 bytes",
        [PBY_SCAN_NUL] = "no NUL byte",
        [PBY_SCAN_QUOTE] = "a quote only in a field that begins with one",
        [PBY_SCAN_RETURN] = "a carriage return only before a newline or in quotes",
        [PBY_SCAN_UTF8] = not_utf8,
    };
    pby_scan f;
    const int code = pby_scan_field(&f, c->bytes, c->at, c->end, c->last);
    *newlines += f.newlines;
    *t = (text){c->bytes + f.begin, f.stop - f.begin, f.escapes};
    c->at = f.next;
    if (code == PBY_SCAN_FOUND)
        return PBY_ROW_FOUND;
    if (code == PBY_SCAN_UTF8 && is_utf16(c->bytes + f.stop, c->end - f.stop))
        return refuse(c, column, PBY_ROW_UTF16);
    return code == PBY_SCAN_MORE ? PBY_ROW_MORE : refuse(c, column, expected[code]);
}

/* ---- what a field is instead ------------------------------------------------------------------- */

static bool is_digit(uint8_t c)
{
    return '0' <= c && c <= '9';
}

static size_t digits_at(const uint8_t *field, size_t size, size_t at)
{
    size_t n = 0;
    while (at + n < size && is_digit(field[at + n]))
        n++;
    return n;
}

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

/* Digits with a point, or a comma and not three digits behind it: 1.5, 1,50, .5. */
static bool is_decimal(const uint8_t *field, size_t size)
{
    const size_t whole = digits_at(field, size, 0);
    if (whole + 1 >= size || (field[whole] != '.' && (field[whole] != ',' || size - whole - 1 == 3)))
        return false;
    return digits_at(field, size, whole + 1) == size - whole - 1;
}

/* Groups of three digits behind the first: 1,234 and 1 234 and 1'234. */
static bool is_grouped(const uint8_t *field, size_t size)
{
    size_t at = digits_at(field, size, 0);
    if (at == 0 || at > 3 || at == size)
        return false;
    while (at < size) {
        if (strchr(", '_", field[at]) == NULL || digits_at(field, size, at + 1) != 3)
            return false;
        at += 4;
    }
    return true;
}

/* The words that stand for no number, with blanks behind them or not. */
static bool is_missing(const uint8_t *field, size_t size)
{
    static const char *const words[] = {"nan", "inf", "infinity", "na", "n/a", "null", "nil", "none"};
    while (size > 0 && field[size - 1] == ' ')
        size--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == size && strncasecmp(words[i], (const char *)field, size) == 0)
            return true;
    return false;
}

/* Digits, with a point or not, an e and digits, with a sign or not: 1e3, 1.5E+6. */
static bool has_exponent(const uint8_t *field, size_t size)
{
    size_t at = digits_at(field, size, 0);
    if (at > 0 && at < size && field[at] == '.')
        at += 1 + digits_at(field, size, at + 1);
    if (at == 0 || at >= size || (field[at] != 'e' && field[at] != 'E'))
        return false;
    at++;
    if (at < size && (field[at] == '+' || field[at] == '-'))
        at++;
    return at < size && digits_at(field, size, at) == size - at;
}

const char *pby_csv_row_count_expected(const uint8_t *field, size_t size, const pby_csv_row *key)
{
    if (size == 0 || is_missing(field, size))
        return PBY_ROW_MISSING;
    if (is_blank(field[0]) || is_blank(field[size - 1]))
        return PBY_ROW_BLANK;
    const size_t digits = digits_at(field, size, 0);
    if (field[0] == '-' && size > 1 && digits_at(field, size, 1) > 0)
        return PBY_ROW_NEGATIVE;
    if (is_grouped(field, size))
        return PBY_ROW_THOUSANDS;
    if (is_decimal(field, size))
        return PBY_ROW_DECIMAL;
    if (has_exponent(field, size))
        return PBY_ROW_EXPONENT;
    if ((digits > 0 && digits < size) || (digits == 0 && size > 1 && digits_at(field, size, 1) > 0))
        return PBY_ROW_UNIT;
    if (digits == 0 && key != NULL && key->key_size > 0 &&
        digits_at(key->key, key->key_size, 0) == key->key_size)
        return PBY_ROW_SWAPPED;
    return PBY_ROW_COUNT;
}

/* Returns the text that a refusal expects in the place of the comma, for a line without one. */
static const char *comma_expected(const cursor *c, const text *t)
{
    if (c->expected != &of_histogram)
        return c->expected->comma;
    return t->size > 0 && t->begin[0] == '{'         ? PBY_ROW_OBJECT
           : memchr(t->begin, ';', t->size) != NULL  ? PBY_ROW_SEMICOLON
           : memchr(t->begin, '\t', t->size) != NULL ? PBY_ROW_TAB
           : memchr(t->begin, '|', t->size) != NULL  ? PBY_ROW_PIPE
                                                     : PBY_ROW_COMMA;
}

/* Moves *next behind the end of the line; PBY_ROW_MORE if the line may go on in bytes that are still to come.
 */
static pby_csv_row_result read_line(cursor *c, const uint8_t **next)
{
    const int size = pby_scan_line_end(c->bytes, c->at, c->end, c->last);
    if (size < 0)
        return size == PBY_SCAN_LINE_CUT ? PBY_ROW_MORE : PBY_ROW_OTHER;
    *next = c->bytes + c->at + size;
    return PBY_ROW_FOUND;
}

/* Reads the key and the comma after it. */
static pby_csv_row_result read_key(cursor *c)
{
    text t;
    uint64_t newlines = 0;
    const pby_csv_row_result result = read_text(c, 1, &t, &newlines);
    if (result != PBY_ROW_FOUND)
        return result;
    if (byte_at(c) != ',') {
        const uint8_t *next;
        const pby_csv_row_result line = read_line(c, &next);
        if (line == PBY_ROW_MORE)
            return PBY_ROW_MORE;
        if (line == PBY_ROW_OTHER)
            return refuse(c, 1, "a comma after the closing quote");
        c->row->newlines = newlines;
        return refuse(c, 2, comma_expected(c, &t));
    }
    c->at++;
    c->row->key = t.begin;
    c->row->key_size = t.size;
    c->row->escapes = t.escapes;
    c->row->newlines = newlines;
    return PBY_ROW_FOUND;
}

/* Ends the row behind its second field. */
static pby_csv_row_result read_line_end(cursor *c, const char *expected)
{
    const pby_csv_row_result line = read_line(c, &c->row->end);
    if (line != PBY_ROW_OTHER)
        return line;
    return byte_at(c) == ',' ? refuse(c, 3, c->expected->end) : refuse(c, 2, expected);
}

/* Refuses a count by what its field looks like, as far as FIELD_SHOWN bytes tell: as many are awaited, so
 * that the refusal does not depend on where a window ends. */
static pby_csv_row_result refuse_count(cursor *c, size_t at)
{
    enum { FIELD_SHOWN = 32 };
    const bool quoted = at > 0 && c->bytes[at - 1] == '"';
    size_t size = 0;
    while (at + size < c->end && size < FIELD_SHOWN && c->bytes[at + size] != '\n' &&
           c->bytes[at + size] != '\r' && c->bytes[at + size] != (quoted ? '"' : ','))
        size++;
    if (at + size == c->end && !c->last)
        return PBY_ROW_MORE;
    return refuse(c, 2,
                  c->expected != &of_histogram ? c->expected->count
                  : size == FIELD_SHOWN        ? PBY_ROW_COUNT
                                               : pby_csv_row_count_expected(c->bytes + at, size, c->row));
}

/* 1,234 is two fields. */
static pby_csv_row_result refuse_more(const cursor *c)
{
    const size_t digits = digits_at(c->bytes, c->end, c->at + 1), next = c->at + 1 + digits;
    const bool grouped = digits == 3 && (next == c->end || strchr(",\r\n", c->bytes[next]) != NULL);
    return refuse(c, 3, grouped && c->expected == &of_histogram ? PBY_ROW_GROUPED_END : c->expected->end);
}

/* Ends the row behind its second field, a count. */
static pby_csv_row_result read_count_end(cursor *c, size_t field)
{
    const pby_csv_row_result line = read_line(c, &c->row->end);
    if (line != PBY_ROW_OTHER)
        return line;
    if (byte_at(c) != ',')
        return refuse_count(c, field);
    return c->end - c->at < 6 && !c->last ? PBY_ROW_MORE : refuse_more(c);
}

static pby_csv_row_result read_count(cursor *c, bool negative)
{
    const bool quoted = byte_at(c) == '"', minus = negative && c->bytes[c->at + quoted] == '-';
    const size_t digits = c->at + quoted + minus;
    uint64_t value;
    const size_t stop = pby_scan_digits(&value, c->bytes, digits, c->end);
    c->row->count_begin = c->bytes + digits - minus;
    c->row->count_end = c->bytes + stop;
    if (stop == c->end && !c->last)
        return PBY_ROW_MORE;
    if (stop == digits || value > (uint64_t)INT64_MAX + minus || (quoted && c->bytes[stop] != '"'))
        return refuse_count(c, c->at + quoted);
    const size_t field = c->at + quoted;
    c->row->count = minus ? (int64_t)-value : (int64_t)value;
    c->at = stop + quoted;
    return read_count_end(c, field);
}

pby_csv_row_result pby_csv_row_parse(pby_csv_row *row, const uint8_t *at, const uint8_t *end, bool last)
{
    cursor c = cursor_of(row, at, end, last, &of_histogram);
    row->newlines = 0;
    const pby_csv_row_result result = read_key(&c);
    return result == PBY_ROW_FOUND ? read_count(&c, false) : result;
}

pby_csv_row_result pby_csv_row_released(pby_csv_row *row, const uint8_t *at, const uint8_t *end)
{
    cursor c = cursor_of(row, at, end, true, &of_release);
    row->newlines = 0;
    const pby_csv_row_result result = read_key(&c);
    return result == PBY_ROW_FOUND ? read_count(&c, true) : result;
}

/* Expects a text that is not empty. Beyond ASCII there are letters, and also signs, blanks and currencies. */
static bool begins_a_name(const text *t)
{
    const uint8_t first = t->begin[0], small = first | 0x20;
    return first == '_' || ('a' <= small && small <= 'z') ||
           (first >= 0x80 && !pby_has_digit(t->begin, t->size));
}

static bool names_a_column(const text *t)
{
    return t->size > 0 && begins_a_name(t) && !is_missing(t->begin, t->size);
}

pby_csv_row_result pby_csv_row_header(pby_csv_row *row, const uint8_t *at, const uint8_t *end, bool last)
{
    cursor c = cursor_of(row, at, end, last, &of_histogram);
    row->newlines = 0;
    pby_csv_row_result result = read_key(&c);
    if (result != PBY_ROW_FOUND)
        return result == PBY_ROW_MORE ? result : PBY_ROW_OTHER;
    text t;
    uint64_t newlines = 0;
    result = read_text(&c, 2, &t, &newlines);
    if (result == PBY_ROW_FOUND && !names_a_column(&t))
        return PBY_ROW_OTHER;
    if (result == PBY_ROW_FOUND)
        result = read_line_end(&c, "a comma or the end of the line after the closing quote");
    if (result == PBY_ROW_FOUND) {
        row->newlines += newlines;
        row->count_begin = t.begin;
        row->count_end = t.begin + t.size;
    }
    return result;
}

bool pby_csv_row_names_columns(const char *line, size_t columns)
{
    pby_csv_row row;
    uint64_t newlines = 0;
    const uint8_t *const bytes = (const uint8_t *)line;
    cursor c = cursor_of(&row, bytes, bytes + strlen(line), true, &of_release);
    for (size_t column = 1; column <= columns; column++) {
        text t;
        if (read_text(&c, (unsigned)column, &t, &newlines) != PBY_ROW_FOUND || !names_a_column(&t))
            return false;
        if (column < columns && bytes[c.at++] != ',')
            return false;
    }
    return c.at == c.end;
}

/* The name in a column, and what must follow it. */
static pby_csv_row_result read_name(cursor *c, unsigned column, pby_csv_row *to, const char *expected)
{
    const bool quoted = byte_at(c) == '"';
    text t;
    uint64_t newlines = 0;
    const pby_csv_row_result result = read_text(c, column, &t, &newlines);
    if (result != PBY_ROW_FOUND)
        return result;
    if (t.size == 0 && !quoted)
        return refuse(c, column, expected);
    to->key = t.begin;
    to->key_size = t.size;
    to->escapes = t.escapes;
    c->row->newlines += newlines;
    return PBY_ROW_FOUND;
}

pby_csv_row_result pby_csv_row_names(pby_csv_row *row, pby_csv_row *group, const uint8_t *at,
                                     const uint8_t *end)
{
    cursor c = cursor_of(row, at, end, true, &of_release);
    row->newlines = 0;
    pby_csv_row_result result = read_name(&c, 1, row, "a key");
    if (result == PBY_ROW_FOUND && group != NULL) {
        if (byte_at(&c) != ',')
            return refuse(&c, 2, "a comma and a group after the key");
        c.at++;
        result = read_name(&c, 2, group, "a group");
    }
    if (result != PBY_ROW_FOUND)
        return result;
    if (byte_at(&c) == ',')
        return refuse(&c, group == NULL ? 2 : 3, "the end of the line");
    return read_line_end(&c, "the end of the line after the closing quote");
}

pby_csv_row_result pby_csv_row_field(pby_csv_row *field, unsigned column, const uint8_t *at,
                                     const uint8_t *end, bool *more)
{
    cursor c = cursor_of(field, at, end, true, &of_release);
    text t;
    uint64_t newlines = 0;
    const pby_csv_row_result result = read_text(&c, column, &t, &newlines);
    if (result != PBY_ROW_FOUND)
        return result;
    *more = byte_at(&c) == ',';
    if (*more)
        field->end = c.bytes + c.at + 1;
    else if (read_line(&c, &field->end) != PBY_ROW_FOUND)
        return refuse(&c, column, "a comma or the end of the line after the closing quote");
    field->key = t.begin;
    field->key_size = t.size;
    field->escapes = t.escapes;
    field->newlines = newlines;
    return PBY_ROW_FOUND;
}

const char *pby_csv_row_key_expected(const uint8_t *key, size_t size)
{
    if (pby_scan_utf8(key, size) < size)
        return not_utf8;
    return size > PBY_ROW_KEY_MAX ? too_long : NULL;
}

bool pby_csv_row_count(int64_t *count, const uint8_t *digits, size_t size)
{
    uint64_t value = 0;
    if (size == 0 || size > PBY_SCAN_DIGITS)
        return false;
    for (size_t i = 0; i < size; i++) {
        const uint8_t digit = (uint8_t)(digits[i] - '0');
        if (digit > 9)
            return false;
        value = 10 * value + digit;
    }
    *count = (int64_t)value;
    return value <= INT64_MAX;
}

const uint8_t pby_csv_row_mark_bytes[PBY_ROW_MARK] = {0xef, 0xbb, 0xbf};

size_t pby_csv_row_mark(const uint8_t *at, const uint8_t *end)
{
    return (size_t)(end - at) >= PBY_ROW_MARK && memcmp(at, pby_csv_row_mark_bytes, PBY_ROW_MARK) == 0
               ? PBY_ROW_MARK
               : 0;
}

const uint8_t *pby_csv_row_key(const pby_csv_row *row, uint8_t *scratch, size_t *size)
{
    *size = row->key_size - row->escapes;
    if (row->escapes == 0)
        return row->key;
    const uint8_t *from = row->key, *const end = row->key + row->key_size;
    for (uint8_t *to = scratch; from < end; from++) {
        *to++ = *from;
        from += *from == '"';
    }
    return scratch;
}
