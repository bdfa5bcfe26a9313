/* html_plot.c - how the search went: the sum of absolute derivatives (on a logarithmic
** scale) and the log-likelihood, by iteration, one line for each start. */
#include "report/html_parts.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>

enum { WIDTH = 480, HEIGHT = 116, RIGHT = 8, TOP = 20, BOTTOM = 20 };
enum { LETTER = 7 }; /* width of one in a label, at most */
enum { MOST_POINTS = 400, MOST_RUNS = 20 };

typedef struct {
  const HtmlIteration *at;
  size_t n;
  bool gradient; /* the derivatives, in powers of ten; else the log-likelihood */
  double low, high;
  size_t longest; /* iterations of a start */
  size_t best;    /* the start whose end is the answer */
  int left;       /* where the lines begin: the labels fit before */
} Plot;

static double value_of(const Plot *p, size_t i) {
  return p->gradient ? log10(fmax(p->at[i].gradient_sum, 1e-16)) : p->at[i].log_likelihood;
}

/* The end of the start that begins at i. */
static size_t run_end(const Plot *p, size_t i) {
  size_t k = i;
  while (k < p->n && p->at[k].run == p->at[i].run)
    k++;
  return k;
}

/* Starts far from the optimum would squeeze the rest: the likelihood's axis begins
** where the best start is after its first step. */
static void find_range(Plot *p) {
  p->low = INFINITY, p->high = -INFINITY;
  for (size_t i = 0, end; i < p->n; i = end) {
    end = run_end(p, i);
    p->longest = end - i > p->longest ? end - i : p->longest;
    for (size_t k = i; k < end; k++) {
      double value = value_of(p, k);
      if (!isfinite(value) || (!p->gradient && p->at[k].run != p->best))
        continue;
      p->low = fmin(p->low, value), p->high = fmax(p->high, value);
    }
  }
  if (p->gradient)
    p->low = floor(p->low), p->high = fmax(ceil(p->high), p->low + 1);
  if (!(p->high - p->low > 1e-9))
    p->low -= 0.5, p->high += 0.5;
  assert(p->longest >= 1);
}

static double x_of(const Plot *p, size_t k) {
  double span = p->longest > 1 ? (double)(p->longest - 1) : 1;
  return p->left + (WIDTH - p->left - RIGHT) * (double)k / span;
}

static double y_of(const Plot *p, double value) {
  double part = fmin(fmax((value - p->low) / (p->high - p->low), -0.02), 1.02);
  return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part;
}

static void draw_run(Text *to, const Plot *p, size_t from, size_t end) {
  assert(from < end && end <= p->n);
  size_t step = (end - from) / MOST_POINTS + 1;
  text_printf(to, "<polyline class=\"run%s\" points=\"", p->at[from].run == p->best ? " best" : "");
  for (size_t k = from; k < end; k += step)
    if (isfinite(value_of(p, k)))
      text_printf(to, "%s,%s ", NUMBER_FIXED(x_of(p, k - from), 1),
                  NUMBER_FIXED(y_of(p, value_of(p, k)), 1));
  text_printf(to, "%s,%s\"/>\n", NUMBER_FIXED(x_of(p, end - 1 - from), 1),
              NUMBER_FIXED(y_of(p, value_of(p, end - 1)), 1));
}

static void write_label(Text *to, const Plot *p, double value) {
  if (p->gradient)
    text_printf(to, "10<tspan dy=\"-4\" font-size=\"9\">%s%s</tspan>", value < 0 ? "−" : "",
                NUMBER_FIXED(fabs(value), 0));
  else
    html_plain(to, value, p->high - p->low > 0.1 ? 2 : p->high - p->low > 1e-3 ? 4 : 6);
}

static double step_of(const Plot *p) {
  return p->gradient ? fmax(1, ceil((p->high - p->low) / 4)) : (p->high - p->low) / 3;
}

static void find_left(Plot *p) {
  Text label = {0};
  write_label(&label, p, fabs(p->low) > fabs(p->high) ? p->low : p->high);
  p->left = p->gradient ? 6 * LETTER : LETTER * (int)label.n;
  vec_free(&label);
}

static void draw_level(Text *to, const Plot *p, double value) {
  NumberText y = number_as('f', 1, y_of(p, value));
  text_printf(to,
              "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%s\" y2=\"%s\"/>"
              "<text class=\"tick\" x=\"%d\" y=\"%s\">",
              p->left, WIDTH - RIGHT, y.text, y.text, p->left - 6,
              NUMBER_FIXED(y_of(p, value) + 4, 1));
  write_label(to, p, value);
  text_puts(to, "</text>\n");
}

static void draw_axes(Text *to, const Plot *p, const char *title) {
  double step = step_of(p);
  for (int k = 0; p->low + k * step <= p->high + 1e-9 * step; k++)
    draw_level(to, p, p->low + k * step);
  text_printf(to,
              "<text class=\"title\" x=\"%d\" y=\"12\">%s</text>"
              "<text class=\"tick first\" x=\"%d\" y=\"%d\">1</text>"
              "<text class=\"tick\" x=\"%d\" y=\"%d\">%zu iterations</text>\n",
              p->left, title, p->left, HEIGHT - 6, WIDTH - RIGHT, HEIGHT - 6, p->longest);
}

static void draw(Text *to, const Plot *p, const char *title) {
  size_t runs = 0;
  text_printf(to, "<svg class=\"curve\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
              WIDTH, HEIGHT, title);
  draw_axes(to, p, title);
  for (size_t i = 0, end; i < p->n; i = end) { /* the best one last, on top */
    end = run_end(p, i);
    if (p->at[i].run != p->best && runs++ < MOST_RUNS)
      draw_run(to, p, i, end);
  }
  for (size_t i = 0, end; i < p->n; i = end) {
    end = run_end(p, i);
    if (p->at[i].run == p->best)
      draw_run(to, p, i, end);
  }
  text_puts(to, "</svg>\n");
}

static Plot plot_of(const HtmlRun *run, const lpmln_learning *a, bool gradient) {
  Plot p = {.at = run->iterations, .n = run->iteration_count, .gradient = gradient};
  assert(p.at && p.n && (a->runs || a->run_count < 2));
  for (size_t i = 1; i < a->run_count; i++)
    p.best = a->runs[i] > a->runs[p.best] ? i : p.best;
  find_range(&p);
  find_left(&p);
  return p;
}

void html_convergence(Text *to, const HtmlRun *run, const lpmln_learning *a) {
  if (!run->iteration_count)
    return;
  Plot gradient = plot_of(run, a, true);
  html_section(to, "convergence", "How the search went");
  if (isfinite(run->iterations[0].log_likelihood)) { /* it is not known of samples */
    Plot likelihood = plot_of(run, a, false);
    likelihood.left = gradient.left =
        likelihood.left > gradient.left ? likelihood.left : gradient.left;
    draw(to, &gradient, "sum of absolute derivatives");
    draw(to, &likelihood, "log-likelihood");
  } else {
    draw(to, &gradient, "sum of absolute derivatives");
  }
  if (a->run_count > 1)
    text_printf(to,
                "<p class=\"note\">%zu starts at different places; the best one in colour.</p>\n",
                a->run_count);
  text_puts(to, "</section>\n");
}
