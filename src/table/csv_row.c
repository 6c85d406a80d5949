#include "table/csv_row.h"

#include <string.h>
#include <strings.h>

#include "table/digits.h"

enum { COUNT_DIGITS = 19 };

/* What a row should have had: behind its key, as its count, behind that. */
struct expectations {
    const char *comma, *count, *end;
};

typedef struct cursor {
    const uint8_t *at;
    const uint8_t *end;
    bool last;
    pby_csv_row *row;
    const struct expectations *expected;
} cursor;

typedef struct text {
    const uint8_t *begin;
    size_t size;
    size_t escapes;
} text;

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

static bool cut_off(const cursor *c, const uint8_t *p)
{
    return p == c->end && !c->last;
}

/* The length of the UTF-8 sequence at p, which begins with a byte beyond ASCII; 0 if it is none, -1 if
 * the bytes end within it. Overlong forms, surrogates and numbers beyond U+10FFFF are shut out by the
 * range of the second byte. */
static int sequence(const cursor *c, const uint8_t *p)
{
    const uint8_t first = *p;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    const int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint8_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    uint8_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    for (int i = 1; i < length; i++) {
        if (cut_off(c, p + i))
            return -1;
        if (p[i] < low || p[i] > high)
            return 0;
        low = 0x80, high = 0xbf;
    }
    return length;
}

static pby_csv_row_result skip_sequence(const cursor *c, unsigned column, const uint8_t **p)
{
    const int length = sequence(c, *p);
    if (length == 0)
        return refuse(c, column, "valid UTF-8");
    if (length < 0)
        return PBY_ROW_MORE;
    *p += length;
    return PBY_ROW_FOUND;
}

/* Ends a text at p and puts the cursor at next. */
static pby_csv_row_result end_text(cursor *c, unsigned column, text *t, const uint8_t *p, const uint8_t *next)
{
    t->size = (size_t)(p - t->begin);
    c->at = next;
    if (t->size - t->escapes > PBY_ROW_KEY_MAX)
        return refuse(c, column, "at most 1048576 bytes");
    return PBY_ROW_FOUND;
}

static pby_csv_row_result more_text(const cursor *c, unsigned column, const text *t, const uint8_t *p,
                                    const char *expected)
{
    return (size_t)(p - t->begin) - t->escapes > PBY_ROW_KEY_MAX ? refuse(c, column, expected) : PBY_ROW_MORE;
}

/* The inner loop runs over the bytes from - to DEL, letters and digits among them, none of which can end
 * a field. */
static pby_csv_row_result bare_text(cursor *c, unsigned column, text *t)
{
    const uint8_t *p = t->begin;
    for (;;) {
        while ((uint8_t)(*p - '-') <= 0x7f - '-')
            p++;
        if (*p == ',' || *p == '\n' || (*p == '\r' && p[1] == '\n') || (p == c->end && c->last))
            return end_text(c, column, t, p, p);
        if (p == c->end || (*p == '\r' && cut_off(c, p + 1)))
            return more_text(c, column, t, p, "at most 1048576 bytes");
        if (*p == '\0')
            return refuse(c, column, "no NUL byte");
        if (*p == '"')
            return refuse(c, column, "a quote only in a field that begins with one");
        if (*p == '\r')
            return refuse(c, column, "a carriage return only before a newline or in quotes");
        if (*p < 0x80) {
            p++;
            continue;
        }
        const pby_csv_row_result result = skip_sequence(c, column, &p);
        if (result != PBY_ROW_FOUND)
            return result == PBY_ROW_MORE ? more_text(c, column, t, p, "at most 1048576 bytes") : result;
    }
}

static pby_csv_row_result quoted_text(cursor *c, unsigned column, text *t, uint64_t *newlines)
{
    static const char unclosed[] = "a closing quote within 1048576 bytes";
    const uint8_t *p = t->begin;
    for (;;) {
        while ((uint8_t)(*p - '#') <= 0x7f - '#')
            p++;
        if (*p == '"' && p[1] == '"') {
            t->escapes++;
            p += 2;
        } else if (cut_off(c, p) || (*p == '"' && cut_off(c, p + 1))) {
            return more_text(c, column, t, p, unclosed);
        } else if (*p == '"') {
            return end_text(c, column, t, p, p + 1);
        } else if (p == c->end) {
            return refuse(c, column, unclosed);
        } else if (*p == '\0') {
            return refuse(c, column, "no NUL byte");
        } else if (*p < 0x80) {
            *newlines += *p == '\n';
            p++;
        } else {
            const pby_csv_row_result result = skip_sequence(c, column, &p);
            if (result != PBY_ROW_FOUND)
                return result == PBY_ROW_MORE ? more_text(c, column, t, p, unclosed) : result;
        }
    }
}

static pby_csv_row_result read_text(cursor *c, unsigned column, text *t, uint64_t *newlines)
{
    t->escapes = 0;
    t->begin = c->at;
    if (*c->at != '"')
        return bare_text(c, column, t);
    t->begin++;
    return quoted_text(c, column, t, newlines);
}

/* Whether the line ends at p, and then where the next begins. */
static bool line_ends(const cursor *c, const uint8_t *p, const uint8_t **next)
{
    if (*p == '\n')
        *next = p + 1;
    else if (*p == '\r' && p[1] == '\n')
        *next = p + 2;
    else if (p == c->end && c->last)
        *next = p;
    else
        return false;
    return true;
}

/* Reads the key and the comma after it. */
static pby_csv_row_result read_key(cursor *c)
{
    text t;
    uint64_t newlines = 0;
    const pby_csv_row_result result = read_text(c, 1, &t, &newlines);
    if (result != PBY_ROW_FOUND)
        return result;
    if (*c->at != ',') {
        const uint8_t *next;
        if (cut_off(c, c->at) || (*c->at == '\r' && cut_off(c, c->at + 1)))
            return PBY_ROW_MORE;
        if (!line_ends(c, c->at, &next))
            return refuse(c, 1, "a comma after the closing quote");
        c->row->newlines = newlines;
        return refuse(c, 2, c->expected->comma);
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
    if (line_ends(c, c->at, &c->row->end))
        return PBY_ROW_FOUND;
    if (cut_off(c, c->at) || (*c->at == '\r' && cut_off(c, c->at + 1)))
        return PBY_ROW_MORE;
    return *c->at == ',' ? refuse(c, 3, c->expected->end) : refuse(c, 2, expected);
}

/* Nineteen digits fit in 64 bits, so the sum cannot wrap before it is compared. */
static pby_csv_row_result read_count(cursor *c, bool negative)
{
    const bool quoted = *c->at == '"', minus = negative && c->at[quoted] == '-';
    const uint8_t *const digits = c->at + quoted + minus, *p = digits;
    uint64_t value = 0;
    while ((uint8_t)(*p - '0') <= 9 && p - digits < COUNT_DIGITS)
        value = 10 * value + (uint64_t)(*p++ - '0');
    c->row->count_begin = digits - minus;
    c->row->count_end = p;
    if (cut_off(c, p))
        return PBY_ROW_MORE;
    if (p == digits || value > (uint64_t)INT64_MAX + minus || (quoted && *p != '"'))
        return refuse(c, 2, c->expected->count);
    c->row->count = minus ? (int64_t)-value : (int64_t)value;
    c->at = p + quoted;
    return read_line_end(c, c->expected->count);
}

pby_csv_row_result pby_csv_row_parse(pby_csv_row *row, const uint8_t *at, const uint8_t *end, bool last)
{
    cursor c = {at, end, last, row, &of_histogram};
    row->newlines = 0;
    const pby_csv_row_result result = read_key(&c);
    return result == PBY_ROW_FOUND ? read_count(&c, false) : result;
}

pby_csv_row_result pby_csv_row_released(pby_csv_row *row, const uint8_t *at, const uint8_t *end)
{
    cursor c = {at, end, true, row, &of_release};
    row->newlines = 0;
    const pby_csv_row_result result = read_key(&c);
    return result == PBY_ROW_FOUND ? read_count(&c, true) : result;
}

/* Of a text that is not empty. Beyond ASCII there are letters, and also signs, blanks and currencies. */
static bool begins_a_name(const text *t)
{
    const uint8_t first = t->begin[0], small = first | 0x20;
    return first == '_' || ('a' <= small && small <= 'z') ||
           (first >= 0x80 && !pby_has_digit(t->begin, t->size));
}

static bool names_a_column(const text *t)
{
    static const char *const no_number[] = {"nan", "inf", "infinity", "na", "n/a", "null", "nil", "none"};
    size_t size = t->size;
    while (size > 0 && t->begin[size - 1] == ' ')
        size--;
    if (size == 0 || !begins_a_name(t))
        return false;
    for (size_t i = 0; i < sizeof no_number / sizeof *no_number; i++)
        if (strlen(no_number[i]) == size && strncasecmp(no_number[i], (const char *)t->begin, size) == 0)
            return false;
    return true;
}

pby_csv_row_result pby_csv_row_header(pby_csv_row *row, const uint8_t *at, const uint8_t *end, bool last)
{
    cursor c = {at, end, last, row, &of_histogram};
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
    cursor c = {(const uint8_t *)line, (const uint8_t *)line + strlen(line), true, &row, &of_release};
    for (size_t column = 1; column <= columns; column++) {
        text t;
        if (read_text(&c, (unsigned)column, &t, &newlines) != PBY_ROW_FOUND || !names_a_column(&t))
            return false;
        if (column < columns && *c.at++ != ',')
            return false;
    }
    return c.at == c.end;
}

/* The name in a column, and what must follow it. */
static pby_csv_row_result read_name(cursor *c, unsigned column, pby_csv_row *to, const char *expected)
{
    const bool quoted = *c->at == '"';
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
    cursor c = {at, end, true, row, &of_release};
    row->newlines = 0;
    pby_csv_row_result result = read_name(&c, 1, row, "a key");
    if (result == PBY_ROW_FOUND && group != NULL) {
        if (*c.at != ',')
            return refuse(&c, 2, "a comma and a group after the key");
        c.at++;
        result = read_name(&c, 2, group, "a group");
    }
    if (result != PBY_ROW_FOUND)
        return result;
    if (*c.at == ',')
        return refuse(&c, group == NULL ? 2 : 3, "the end of the line");
    return read_line_end(&c, "the end of the line after the closing quote");
}

pby_csv_row_result pby_csv_row_field(pby_csv_row *field, unsigned column, const uint8_t *at,
                                     const uint8_t *end, bool *more)
{
    cursor c = {at, end, true, field, &of_release};
    text t;
    uint64_t newlines = 0;
    const pby_csv_row_result result = read_text(&c, column, &t, &newlines);
    if (result != PBY_ROW_FOUND)
        return result;
    *more = *c.at == ',';
    if (*more)
        field->end = c.at + 1;
    else if (!line_ends(&c, c.at, &field->end))
        return refuse(&c, column, "a comma or the end of the line after the closing quote");
    field->key = t.begin;
    field->key_size = t.size;
    field->escapes = t.escapes;
    field->newlines = newlines;
    return PBY_ROW_FOUND;
}

const char *pby_csv_row_key_expected(const uint8_t *key, size_t size)
{
    const cursor c = {.end = key + size, .last = true};
    const uint8_t *p = key;
    while (p < c.end) {
        const int length = *p < 0x80 ? 1 : sequence(&c, p);
        if (length == 0)
            return "valid UTF-8";
        p += length;
    }
    return size > PBY_ROW_KEY_MAX ? "at most 1048576 bytes" : NULL;
}

bool pby_csv_row_count(int64_t *count, const uint8_t *digits, size_t size)
{
    uint64_t value = 0;
    if (size == 0 || size > COUNT_DIGITS)
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
