/* SPDX-License-Identifier: MIT */
/* One row of a histogram, KEY,COUNT, as it stands in memory.
 *
 * KEY is UTF-8 of at most PBY_ROW_KEY_MAX bytes, possibly empty. It is quoted when it begins with ";
 * then "" stands for one quote, and commas, newlines and carriage returns are part of it. Outside of
 * quotes there is no quote and no carriage return. A NUL byte is nowhere allowed.
 *
 * COUNT is one to nineteen decimal digits, possibly in quotes, that make a number from 0 to
 * 9223372036854775807: no sign, no point, no spaces.
 *
 * The row ends with a newline, with a carriage return and a newline, or with the input.
 *
 * The bytes lie in at .. end - 1, and *end must be a readable NUL byte, which saves a test of the bound
 * for each byte. last says that the input ends at end; if it does not, a row that reaches end is
 * PBY_ROW_MORE, which is never the answer to more than PBY_ROW_MAX bytes.
 */
#ifndef PBY_TABLE_ROW_CSV_ROW_H
#define PBY_TABLE_ROW_CSV_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PBY_ROW_KEY_MAX = 1 << 20,
    /* Two text fields in which every byte is an escaped quote, their quotes, and the ends. */
    PBY_ROW_MAX = 4 * PBY_ROW_KEY_MAX + 64,
};

/* The texts that a refusal expects of a histogram's row, in the library's words. Raw records are not yet a
 * histogram; the text of a refusal is fixed, and repeats no word of them. */
#define PBY_ROW_COMMA "a comma and a count after the key; raw records must be counted first"
#define PBY_ROW_COUNT                                                               \
    "a whole number from 0 to 9223372036854775807; counts chooses another column; " \
    "raw records must be counted first"
#define PBY_ROW_END "the end of the line; keys and counts choose two of the columns"

/* More precise texts, used where the form of the field shows what went wrong. They tell the kind of text that
 * stands there, and nothing of its value. */
#define PBY_ROW_SEMICOLON "a comma and a count after the key, but the line has semicolons and no comma"
#define PBY_ROW_TAB       "a comma and a count after the key, but the line has tabs and no comma"
#define PBY_ROW_PIPE      "a comma and a count after the key, but the line has '|' and no comma"
#define PBY_ROW_NEGATIVE  "a whole number from 0 on, but it is below 0"
#define PBY_ROW_DECIMAL   "a whole number, but it has decimals"
#define PBY_ROW_BLANK     "digits alone, but there is a blank beside them"
#define PBY_ROW_THOUSANDS "digits alone, but they are grouped: 1234, not 1,234"
#define PBY_ROW_MISSING   "a whole number, but it is missing: write 0, or leave the row out"
#define PBY_ROW_UNIT      "digits alone, but there is a sign or a unit beside them"
#define PBY_ROW_EXPONENT  "digits alone, but it has an exponent: 1000, not 1e3"
#define PBY_ROW_UTF16     "valid UTF-8, but it begins as UTF-16 does: iconv -f UTF-16 -t UTF-8 converts it"
#define PBY_ROW_OBJECT \
    "a comma and a count after the key, but it is JSON: a certificate stands in SPEC's place"
#define PBY_ROW_SWAPPED                                                                 \
    "a whole number, but it stands in column 1: keys and counts choose the columns by " \
    "their names in the first line"
#define PBY_ROW_GROUPED_END "the end of the line, or a count without a comma in it: 1234, not 1,234"

typedef enum pby_csv_row_result {
    PBY_ROW_FOUND,
    PBY_ROW_MORE,
    PBY_ROW_REFUSED,
    PBY_ROW_OTHER, /* of pby_csv_row_header alone: this is not a header */
} pby_csv_row_result;

typedef struct pby_csv_row {
    const uint8_t *key; /* as it stands, without its quotes */
    size_t key_size;
    size_t escapes; /* how many "" there are in it */
    const uint8_t *count_begin;
    const uint8_t *count_end;
    int64_t count;
    const uint8_t *end; /* of the row, with its newline */
    uint64_t newlines;  /* within its fields */
    /* When it is refused: the field, from 1, that is at fault, and what it should have been. The field
     * begins newlines below the line on which the row begins. */
    unsigned column;
    const char *expected;
} pby_csv_row;

pby_csv_row_result pby_csv_row_parse(pby_csv_row *row, const uint8_t *at, const uint8_t *end, bool last);

/* A row of a release, whose count may have a minus sign and goes down to -9223372036854775808. The input ends
 * at end. */
pby_csv_row_result pby_csv_row_released(pby_csv_row *row, const uint8_t *at, const uint8_t *end);

/* For every table that is read, the first row is a header if each of its fields that should be a number names
 * a column instead. A column's name begins with a letter or an underscore, or else with a character beyond
 * ASCII and then holds no digit of any script; and it is none of the words that stand for no number: nan,
 * inf, infinity, na, n/a, null, nil, none, in small letters or capitals, with blanks behind it or not. So a
 * first row that is a bad number is refused, not dropped. A header has as many fields as the other rows.
 *
 * pby_csv_row_header asks about a histogram, where the count should be a number: count_begin and count_end
 * are then the ends of its name, as it stands and without its quotes. pby_csv_row_names_columns asks about a
 * line, without its end, of a table whose columns are all numbers. */
pby_csv_row_result pby_csv_row_header(pby_csv_row *row, const uint8_t *at, const uint8_t *end, bool last);
bool pby_csv_row_names_columns(const char *line, size_t columns);

/* A row of names: KEY, or KEY,GROUP unless group is NULL; then group's key is the second field. Neither is
 * empty without quotes. The input ends at end. */
pby_csv_row_result pby_csv_row_names(pby_csv_row *row, pby_csv_row *group, const uint8_t *at,
                                     const uint8_t *end);

/* One field of a table of any width, as a key; field->end is what follows it, behind a comma (*more) or the
 * end of the line, and newlines are those within it. The input ends at end. */
pby_csv_row_result pby_csv_row_field(pby_csv_row *field, unsigned column, const uint8_t *at,
                                     const uint8_t *end, bool *more);

/* Returns the text that a refusal expects in the place of a key in memory; NULL if the key is valid. */
const char *pby_csv_row_key_expected(const uint8_t *key, size_t size);

/* A field that is no count should have been this; key is the row's, or NULL. */
const char *pby_csv_row_count_expected(const uint8_t *field, size_t size, const pby_csv_row *key);

/* True if a text is a count, without quotes, and which. */
bool pby_csv_row_count(int64_t *count, const uint8_t *digits, size_t size);

/* The size of the UTF-8 byte order mark at the beginning of an input; 0 where there is none. */
enum { PBY_ROW_MARK = 3 };
extern const uint8_t pby_csv_row_mark_bytes[PBY_ROW_MARK];
size_t pby_csv_row_mark(const uint8_t *at, const uint8_t *end);

/* The key without its escapes: the row's own bytes if there are none, else written to scratch, which has
 * room for PBY_ROW_KEY_MAX bytes. Two keys are equal if these bytes are; nothing is normalised. */
const uint8_t *pby_csv_row_key(const pby_csv_row *row, uint8_t *scratch, size_t *size);

#endif
