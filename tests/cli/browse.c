/* SPDX-License-Identifier: MIT */
#include "tests/cli/browse.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/outputs.h"

enum { PAGE_SIZE = 1 << 17 };

const char *pby_browse(const char *folder, const char *page, int width)
{
    static const char browser[] = "chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
                                  "--no-first-run --disable-background-networking --disable-component-update "
                                  "--disable-sync --disable-quic --virtual-time-budget=60000";
    static char dom[PAGE_SIZE];
    char command[6 * PBY_PATH_SIZE];
    snprintf(
        command, sizeof command,
        "HOME='%s/home' timeout 600 %s --window-size=%d,900 --user-data-dir='%s/home' --dump-dom 'file://%s' "
        "2>/dev/null; rm -rf '%s/home'",
        folder, browser, width, folder, page, folder);
    FILE *out = popen(command, "r");
    cr_assert_not_null(out);
    dom[fread(dom, 1, sizeof dom - 1, out)] = '\0';
    pclose(out);
    return dom;
}

/* The page with a script that tells what is measured in it. */
static void add_measure(const char *folder, const char *name)
{
    static const char measure[] =
        "<script>let least = 99; for (const t of document.querySelectorAll('svg[role] text')) least = "
        "Math.min(least, parseFloat(getComputedStyle(t).fontSize) * Math.hypot(t.getScreenCTM().a, "
        "t.getScreenCTM().b)); parent.postMessage('measured ' + document.documentElement.scrollWidth + ' of "
        "' + "
        "innerWidth + ' least ' + least + ' in %s;', '*');</script></body>";
    char path[PBY_PATH_SIZE];
    char *page = malloc(PAGE_SIZE);
    cr_assert_not_null(page);
    pby_folder_path(path, folder, name);
    snprintf(page, PAGE_SIZE, "%s", pby_file_text(path));
    char *end = strstr(page, "</body>");
    cr_assert_not_null(end, "%s", name);
    snprintf(end, (size_t)(PAGE_SIZE - (end - page)), measure, name);
    pby_write_file(path, page);
    free(page);
}

size_t pby_readable_on_a_phone(const char *folder, const char *const *pages)
{
    char path[PBY_PATH_SIZE];
    size_t count = 0, seen = 0;
    pby_folder_path(path, folder, "phone.html");
    FILE *phone = fopen(path, "w");
    cr_assert_not_null(phone);
    fputs("<!DOCTYPE html><body><script>addEventListener('message', e => "
          "document.body.append(e.data));</script>",
          phone);
    for (; pages[count] != NULL; count++) {
        add_measure(folder, pages[count]);
        fprintf(phone, "<iframe src=\"%s\" width=\"420\" height=\"900\" style=\"border: 0\"></iframe>",
                pages[count]);
    }
    fputs("</body>", phone);
    cr_assert_eq(fclose(phone), 0);
    const char *dom = pby_browse(folder, path, 1200);
    for (const char *at = dom; (at = strstr(at, "measured ")) != NULL; at++, seen++) {
        unsigned width, window;
        double least;
        cr_assert_eq(sscanf(at, "measured %u of %u least %lf", &width, &window, &least), 3, "%.60s", at);
        cr_assert_eq(window, 420);
        cr_assert_leq(width, window, "it scrolls sideways: %.60s", at);
        cr_assert_geq(least, 9, "%.60s", at);
    }
    cr_assert_eq(seen, count, "%.300s", dom);
    return seen;
}
