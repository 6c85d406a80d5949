/* SPDX-License-Identifier: MIT */
#include "picture/svg.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/html.h"

struct drawing {
    FILE *out;
    char *text;
    size_t size;
};

static void begin(struct drawing *d)
{
    d->out = open_memstream(&d->text, &d->size);
    cr_assert_not_null(d->out);
}

static void expect(struct drawing *d, const char *part)
{
    fflush(d->out);
    cr_assert_not_null(strstr(d->text, part), "%s is not in %s", part, d->text);
}

static void end(struct drawing *d)
{
    fclose(d->out);
    free(d->text);
}

/* The plot reaches from 62 to 468 and, from the bottom, from 234 to 10. */
Test(svg, a_line_goes_through_its_points)
{
    struct drawing d;
    const pby_frame f = {-1, 3, 0, 2, false};
    begin(&d);
    pby_svg_line(d.out, &f, "c", (const double[]){-1, 1, 3}, (const double[]){0, 1, 2}, 3);
    expect(&d, "<polyline class=\"c\" points=\"62.0,234.0 265.0,122.0 468.0,10.0 \"/>");
    end(&d);
}

/* Two of four decades are half of the way; what is below the scale lies on its bottom. */
Test(svg, a_logarithmic_scale)
{
    struct drawing d;
    const pby_frame f = {0, 1, 1e-4, 1, true};
    begin(&d);
    pby_svg_line(d.out, &f, "c", (const double[]){0, 0.5, 1}, (const double[]){1, 1e-2, 1e-9}, 3);
    expect(&d, "points=\"62.0,10.0 265.0,122.0 468.0,234.0 \"");
    pby_svg_y_axis(d.out, &f, "delta");
    expect(&d, ">1e-4</text>");
    expect(&d, ">0.001</text>");
    end(&d);
}

Test(svg, a_line_is_broken_and_a_point_alone_is_a_circle)
{
    struct drawing d;
    const pby_frame f = {0, 4, 1e-4, 1, true};
    begin(&d);
    pby_svg_line(d.out, &f, "c", (const double[]){0, 1, 2, 3, 4}, (const double[]){1, 1, 0, NAN, 1e-2}, 5);
    expect(&d, "points=\"62.0,10.0 163.5,10.0 \"");
    expect(&d, "<circle class=\"c\" cx=\"468.0\" cy=\"122.0\"");
    cr_assert_null(strstr(d.text, "cx=\"62.0\""));
    cr_assert_null(strstr(d.text, "nan"));
    end(&d);
}

Test(svg, bars_of_one_side_and_of_two)
{
    struct drawing d;
    const pby_svg_bar bar[] = {{"a<b", {1, 0.5}, false}, {"a label of many letters", {0, 1}, true}};
    begin(&d);
    pby_svg_bars(d.out, bar, 2, 2, "label", "share", "title");
    expect(&d, "<rect class=\"left\"");
    expect(&d, "<rect class=\"right\"");
    expect(&d, "<rect class=\"inside\" x=\"265.0\"");
    expect(&d, "a&lt;b");
    expect(&d, "a label of&#8230;");
    end(&d);
    begin(&d);
    pby_svg_bars(d.out, bar, 2, 1, "label", "share", NULL);
    expect(&d, "<rect class=\"law\"");
    cr_assert_null(strstr(d.text, "class=\"left\""));
    end(&d);
}

/* The tenth byte is the first of two: half a character was written, which is no XML. */
Test(svg, a_label_is_cut_between_characters)
{
    struct drawing d;
    const pby_svg_bar bar[] = {{"caf\xc3\xa9 cr\xc3\xa8me", {1, 0}, false},
                               {"123456789\xc3\xa9", {1, 0}, false}};
    begin(&d);
    pby_svg_bars(d.out, bar, 2, 1, "label", "share", NULL);
    expect(&d, ">caf\xc3\xa9 cr\xc3\xa8&#8230;</text>");
    expect(&d, ">123456789&#8230;</text>");
    end(&d);
}

Test(html, text_that_means_something_is_replaced)
{
    struct drawing d;
    begin(&d);
    pby_html_text(d.out, "<a href=\"x\">&");
    expect(&d, "&lt;a href=&quot;x&quot;&gt;&amp;");
    end(&d);
}
