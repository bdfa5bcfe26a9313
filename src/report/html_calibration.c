/* html_calibration.c - predicted probabilities and how often they came true. */
#include "report/html_parts.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>

enum { SIDE = 300, LEFT = 40, BOTTOM = 36, TOP = 10, RIGHT = 12 };

static double x_of(double p) { return LEFT + (SIDE - LEFT - RIGHT) * p; }
static double y_of(double p) { return SIDE - BOTTOM - (SIDE - TOP - BOTTOM) * p; }

static void draw_line(Text *to, const char *kind, double x1, double y1, double x2, double y2) {
  text_printf(to, "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>", kind,
              NUMBER_FIXED(x_of(x1), 1), NUMBER_FIXED(y_of(y1), 1), NUMBER_FIXED(x_of(x2), 1),
              NUMBER_FIXED(y_of(y2), 1));
}

static void draw_axes(Text *to) {
  for (int i = 0; i <= 2; i++) {
    double p = 0.5 * i;
    draw_line(to, "grid", p, 0, p, 1);
    draw_line(to, "grid", 0, p, 1, p);
    text_printf(to,
                "<text class=\"tick\" x=\"%d\" y=\"%s\">%s</text>"
                "<text class=\"tick middle\" x=\"%s\" y=\"%d\">%s</text>\n",
                LEFT - 6, NUMBER_FIXED(y_of(p) + 4, 1), NUMBER_FIXED(p, 1),
                NUMBER_FIXED(x_of(p), 1), SIDE - BOTTOM + 15, NUMBER_FIXED(p, 1));
  }
  draw_line(to, "diagonal", 0, 0, 1, 1);
  text_printf(to, "<text class=\"tick middle\" x=\"%s\" y=\"%d\">predicted</text>\n",
              NUMBER_FIXED(x_of(0.5), 1), SIDE - 4);
}

static void draw_bin(Text *to, const HtmlCalibration *c, size_t bin) {
  double n = c->count[bin];
  if (!(n > 0))
    return;
  double predicted = c->predicted[bin] / n, low, high;
  html_confine(c->seen[bin] / n, n, &low, &high);
  assert(predicted >= 0 && predicted <= 1);
  draw_line(to, "err", predicted, low, predicted, high);
  text_printf(to, "<circle class=\"point\" cx=\"%s\" cy=\"%s\" r=\"4\"><title>",
              NUMBER_FIXED(x_of(predicted), 1), NUMBER_FIXED(y_of(c->seen[bin] / n), 1));
  html_plain(to, n, 0);
  text_puts(to, n == 1 ? " cell: predicted " : " cells: predicted ");
  html_plain(to, predicted, 3);
  text_puts(to, ", true in a share of ");
  html_plain(to, c->seen[bin] / n, 3);
  text_puts(to, "</title></circle>\n");
}

void html_calibration(Text *to, const HtmlRun *run) {
  const HtmlCalibration *c = run->calibration;
  double cells = 0, apart = 0;
  for (size_t i = 0; c && i < HTML_BINS; i++)
    cells += c->count[i], apart += fabs(c->predicted[i] - c->seen[i]);
  if (!(cells > 0))
    return;
  html_section(to, "calibration", "Do the probabilities mean what they say?");
  text_puts(to, "<ul>\n<li>Each of the ");
  html_plain(to, cells, 0);
  text_puts(to,
            " known cells of the test data was predicted from the rest of its row.</li>\n<li>On "
            "average a prediction is ");
  html_plain(to, apart / cells, 3);
  text_puts(to, " off what was seen where such a probability was predicted; the mean squared error "
                "of a cell (Brier score) is ");
  html_plain(to, c->squares / cells, 3);
  text_puts(to, ".</li>\n</ul>\n");
  text_printf(to,
              "<figure><svg class=\"square\" viewBox=\"0 0 %d %d\" role=\"img\" "
              "aria-label=\"calibration\">\n",
              SIDE, SIDE);
  draw_axes(to);
  for (size_t i = 0; i < HTML_BINS; i++)
    draw_bin(to, c, i);
  text_puts(to, "</svg><figcaption>Share of cells that were true, by predicted probability; lines "
                "are 95% intervals. On the dashed line a prediction is right on average."
                "</figcaption></figure></section>\n");
}
