/* SPDX-License-Identifier: MIT */
/* A CSV file, released under a certificate and a ledger into another file, which appears whole or not at all.
 * This file is C and C++.
 *
 *     cc -std=c11 $(pkg-config --cflags probity) table.c $(pkg-config --libs probity) -o table
 *
 * It works in the current folder.
 *
 * It prints:
 *     certificate.json: stlap:eps=1/2,q=40 at epsilon 1/2, delta at most 1.4726618650060221602e-05
 *     noisy.csv: clinic,count and 4 rows; the empty one stayed empty, none grew, none lost more than 40
 *     spent: epsilon up to 0.499987
 *     a second release is refused (budget), and noisy.csv is what it was
 */
#include <probity.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char data[] = "clinic,visits\nNorth,1200\n\"South, old\",0\nEast,871\nWest,35\n";

/* Writes the files that somebody else would have handed over: the data, a certificate, and a budget for one
 * release. */
static pby_status prepare(pby_error *err)
{
    const char *const text = "stlap:eps=1/2,q=40";
    char *certificate = NULL;
    pby_spec *spec;
    FILE *out = fopen("counts.csv", "w");
    if (out != NULL && fputs(data, out) >= 0)
        fclose(out);
    pby_status status = pby_spec_parse(&spec, &text, 1, err);
    if (status != PBY_OK)
        return status;
    status = pby_certify_text(&certificate, spec, PBY_ADD_REMOVE, "1/2", NULL, err);
    if (status == PBY_OK && (out = fopen("certificate.json", "w")) != NULL) {
        fputs(certificate, out);
        fclose(out);
    }
    if (status == PBY_OK)
        status = pby_ledger_create_text("clinics.ledger", PBY_ADD_REMOVE, PBY_COMPOSE_EXACT, 1, "1/2", "2e-5",
                                        err);
    free(certificate);
    pby_spec_free(spec);
    return status;
}

/* Checked, charged, then released; a failure before the charge costs nothing. */
static pby_status release(pby_permission *permission, pby_error *err)
{
    pby_table *in, *out;
    pby_status status = pby_table_csv(&in, "counts.csv", NULL, err);
    if (status != PBY_OK)
        return status;
    status = pby_release_table(&out, permission, in, NULL, err);
    if (status == PBY_OK) {
        status = pby_table_write(out, "noisy.csv", PBY_FORMAT_CSV, err);
        pby_table_free(out);
    }
    pby_table_free(in);
    return status;
}

/* Both files side by side. What can be told of every release is in the kernel's contract. */
static pby_status compare(pby_error *err)
{
    pby_table *in, *out;
    bool more = true, found, kept = true;
    int rows = 0;
    pby_status status = pby_table_csv(&in, "counts.csv", NULL, err);
    if (status != PBY_OK)
        return status;
    status = pby_table_csv(&out, "noisy.csv", NULL, err);
    while (status == PBY_OK && more) {
        status = pby_table_next(in, &more, err);
        if (status == PBY_OK)
            status = pby_table_next(out, &found, err);
        if (status != PBY_OK || !more)
            break;
        const int64_t lost = pby_table_count(in) - pby_table_count(out);
        kept = kept && found && strcmp(pby_table_key(in, NULL), pby_table_key(out, NULL)) == 0 && lost >= 0 &&
               lost <= 40;
        rows++;
    }
    if (status == PBY_OK && kept && !found)
        printf("noisy.csv: clinic,count and %d rows; the empty one stayed empty, none grew, none lost more "
               "than 40\n",
               rows);
    pby_table_free(out);
    pby_table_free(in);
    return status;
}

static char *contents(const char *path)
{
    static char text[1 << 12];
    FILE *in = fopen(path, "r");
    const size_t size = in == NULL ? 0 : fread(text, 1, sizeof text - 1, in);
    if (in != NULL)
        fclose(in);
    text[size] = '\0';
    return text;
}

static pby_status run(pby_permission *permission, pby_error *err)
{
    const pby_certificate *c = pby_permission_certificate(permission);
    pby_decimals spent;
    printf("certificate.json: %s at epsilon %s, delta at most %s\n", pby_spec_text(pby_certificate_spec(c)),
           pby_certificate_epsilon(c), pby_certificate_delta_hi(c));
    pby_status status = release(permission, err);
    if (status == PBY_OK)
        status = compare(err);
    if (status == PBY_OK)
        status = pby_ledger_spent_text(NULL, &spent, pby_permission_ledger(permission), 6, err);
    if (status != PBY_OK)
        return status;
    printf("spent: epsilon up to %s\n", spent.hi);
    char before[1 << 12];
    strcpy(before, contents("noisy.csv"));
    if (release(permission, err) == PBY_NO && strcmp(before, contents("noisy.csv")) == 0)
        printf("a second release is refused (%s), and noisy.csv is what it was\n",
               pby_reason_text(err->reason));
    return PBY_OK;
}

int main(void)
{
    pby_error err = PBY_NO_ERROR;
    pby_permission_options from;
    pby_permission *permission = NULL;
    memset(&from, 0, sizeof from); /* what is not set is not asked for */
    from.certificate = "certificate.json";
    from.ledger = "clinics.ledger";
    pby_status status = prepare(&err);
    if (status == PBY_OK)
        status = pby_permission_open(&permission, &from, &err);
    if (status == PBY_OK)
        status = run(permission, &err);
    if (status != PBY_OK)
        fprintf(stderr, "table: %s\n", err.text);
    pby_permission_close(permission);
    return (int)status;
}
