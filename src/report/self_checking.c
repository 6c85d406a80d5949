/* SPDX-License-Identifier: MIT */
#include "report/self_checking.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printed.h"
#include "io/file.h"
#include "io/installed.h"
#include "picture/html.h"

enum { PAGE_MAX = 1 << 26 };

/* src/web/page/verify.html has them. */
static const char summary_mark[] = "<!--stated-->", document_mark[] = "<!--document-->";

/* PREFIX/bin/probity has PREFIX/share; build/probity has build/web. */
static const pby_installed_place places[] = {{2, "/share/probity/web/"}, {1, "/web/"}};

static pby_status find(char path[PBY_INSTALLED_SIZE], const char *option, const char *name, pby_error *err)
{
    return pby_installed_find(path, places, sizeof places / sizeof *places, name)
               ? PBY_OK
               : pby_fail(err, PBY_FAILED,
                          "%s: no page beside this program (share/probity/web/%s); make web makes it", option,
                          name);
}

pby_status pby_page_ready(pby_error *err)
{
    char path[PBY_INSTALLED_SIZE];
    return find(path, "--page", "verify.html", err);
}

static pby_status outdated(const char *option, pby_error *err)
{
    return pby_fail(err, PBY_FAILED,
                    "%s: the page beside this program is of another version; make web makes it again",
                    option);
}

/* Writes each line of a text as an element. */
static void write_lines(FILE *out, const char *text, const char *begin, const char *end)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        fputs(begin, out);
        pby_html_text(out, line == NULL ? "" : line);
        fputs(end, out);
        free(line);
        text += length + (text[length] == '\n');
    }
}

/* A short document stands open, a long one behind its summary. */
static void write_stated(FILE *out, const char *name, const char *claim, const char *document)
{
    enum { SHORT = 4096 };
    fputs("<section id=\"stated\" class=\"card open\">\n<header><h2>", out);
    pby_html_text(out, name);
    fputs("</h2><span class=\"verdict\">not rechecked</span></header>\n<div>", out);
    write_lines(out, claim, "<p class=\"lead\">", "</p>\n");
    fprintf(out,
            "<p>This is what the document says. Nothing of it was recomputed: that needs scripts, in a "
            "browser with WebAssembly, or the command <code>probity verify</code>.</p>\n"
            "<details%s><summary>The document</summary><pre>",
            strlen(document) < SHORT ? " open" : "");
    pby_html_text(out, document);
    fputs("</pre></details></div>\n</section>\n", out);
}

/* In base64 no byte of a document can end the element, and all of them come back. */
static bool write_document(FILE *out, const char *name, const char *document)
{
    const size_t size = strlen(document);
    const size_t room = sodium_base64_ENCODED_LEN(size, sodium_base64_VARIANT_ORIGINAL);
    char *text = malloc(room);
    if (text == NULL)
        return false;
    sodium_bin2base64(text, room, (const unsigned char *)document, size, sodium_base64_VARIANT_ORIGINAL);
    fputs("<script type=\"text/plain\" id=\"document\" data-name=\"", out);
    pby_html_text(out, name);
    fprintf(out, "\">%s</script>", text);
    free(text);
    return true;
}

static pby_status fill_page(char **out, const char *page, const char *name, const char *claim,
                            const char *document, pby_error *err)
{
    const char *stated = strstr(page, summary_mark);
    const char *held = stated == NULL ? NULL : strstr(stated, document_mark);
    pby_printed printed;
    if (held == NULL)
        return outdated("--page", err);
    FILE *file = pby_printed_begin(&printed);
    if (file == NULL)
        return pby_no_memory(err);
    fwrite(page, 1, (size_t)(stated - page), file);
    write_stated(file, name, claim, document);
    stated += sizeof summary_mark - 1;
    fwrite(stated, 1, (size_t)(held - stated), file);
    const bool written = write_document(file, name, document);
    fputs(held + sizeof document_mark - 1, file);
    return pby_printed_end(out, &printed, written ? PBY_OK : pby_no_memory(err), err);
}

pby_status pby_page_of(char **out, const char *name, const char *claim, const char *document, pby_error *err)
{
    char path[PBY_INSTALLED_SIZE];
    char *page;
    size_t size;
    *out = NULL;
    PBY_TRY(find(path, "--page", "verify.html", err));
    PBY_TRY(pby_file_read(&page, &size, path, PAGE_MAX, err));
    const pby_status status = fill_page(out, page, name, claim, document, err);
    free(page);
    return status;
}

/* ---- reports ------------------------------------------------------------------------------------ */

/* src/web/page/recheck.html is three pieces with this between them: for the head, for the beginning of the
 * body and for its end. The first names the digest of the report's style, which the policy must allow. */
static const char piece_mark[] = "<!--report-->", style_mark[] = "STYLE-OF-REPORT";

/* Where the pieces go: behind the first two of these, and in front of the last. */
static const char charset[] = "<meta charset=\"utf-8\">\n", body[] = "<main>\n", end[] = "</body>";
static const char style_begin[] = "<style>", style_end[] = "</style>";

enum { DIGEST_TEXT = 64 };

static bool style_digest(char text[DIGEST_TEXT], const char *report)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    const char *style = strstr(report, style_begin);
    const char *after = style == NULL ? NULL : strstr(style, style_end);
    if (after == NULL)
        return false;
    style += sizeof style_begin - 1;
    crypto_hash_sha256(digest, (const unsigned char *)style, (size_t)(after - style));
    sodium_bin2base64(text, DIGEST_TEXT, digest, sizeof digest, sodium_base64_VARIANT_ORIGINAL);
    return true;
}

/* Writes what stands before `mark` and, if `with`, the mark too; returns what stands behind. */
static const char *write_up_to(FILE *out, const char *text, const char *at, const char *mark, bool with)
{
    fwrite(text, 1, (size_t)(at - text) + (with ? strlen(mark) : 0), out);
    return at + strlen(mark);
}

static pby_status join(char **out, const char *pieces, const char *report, pby_error *err)
{
    char digest[DIGEST_TEXT];
    pby_printed printed;
    const char *style = strstr(pieces, style_mark), *second = strstr(pieces, piece_mark);
    const char *third = second == NULL ? NULL : strstr(second + 1, piece_mark);
    const char *head = strstr(report, charset), *begin = strstr(report, body);
    const char *finish = begin == NULL ? NULL : strstr(begin, end);
    if (third == NULL || style == NULL || style > second || head == NULL || finish == NULL ||
        !style_digest(digest, report))
        return outdated("--self-checking", err);
    FILE *file = pby_printed_begin(&printed);
    if (file == NULL)
        return pby_no_memory(err);
    report = write_up_to(file, report, head, charset, true);
    pieces = write_up_to(file, pieces, style, style_mark, false);
    fprintf(file, "'sha256-%s'", digest);
    pieces = write_up_to(file, pieces, second, piece_mark, false);
    report = write_up_to(file, report, begin, body, true);
    pieces = write_up_to(file, pieces, third, piece_mark, false);
    fwrite(report, 1, (size_t)(finish - report), file);
    fputs(pieces, file);
    fputs(finish, file);
    return pby_printed_end(out, &printed, PBY_OK, err);
}

pby_status pby_report_ready(pby_error *err)
{
    char path[PBY_INSTALLED_SIZE];
    return find(path, "--self-checking", "recheck.html", err);
}

pby_status pby_report_checking(char **out, const char *report, pby_error *err)
{
    char path[PBY_INSTALLED_SIZE];
    char *pieces;
    size_t size;
    *out = NULL;
    PBY_TRY(find(path, "--self-checking", "recheck.html", err));
    PBY_TRY(pby_file_read(&pieces, &size, path, PAGE_MAX, err));
    const pby_status status = join(out, pieces, report, err);
    free(pieces);
    return status;
}
