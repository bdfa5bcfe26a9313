/* html_bars.c - tables whose rows have a bar from 0 to 1; see html_parts.h. */
#include "report/html_parts.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>

void html_bars_open(Text *to, const char *first, const char *const *columns, size_t count,
                    bool list) {
  assert(count);
  text_printf(to,
              "<table class=\"bars drawn%s\" style=\"--numbers:%zu;--step:25%%\"><thead><tr>"
              "<th>%s</th><th class=\"axis\"><div><span style=\"left:0\">0</span>"
              "<span style=\"left:50%%\">0.5</span><span style=\"left:100%%\">1</span></div></th>",
              list ? " list" : " stacked", count, first);
  for (size_t i = 0; i < count; i++)
    text_printf(to, "<th class=\"num\">%s</th>", columns[i]);
  text_puts(to, "</tr></thead><tbody>\n");
}

void html_bars_close(Text *to, size_t count, size_t shown) {
  text_puts(to, "</tbody></table>\n");
  if (count > shown)
    text_printf(to, "<p class=\"note\">%zu more are in the answer as JSON.</p>\n", count - shown);
}

void html_bar(Text *to, const HtmlBar *bar) {
  double p = fmin(fmax(bar->value, 0), 1);
  text_printf(to, "<td class=\"plot\"><div><i class=\"bar\" style=\"width:%s%%\"></i>",
              NUMBER_FIXED(100 * p, 2));
  if (bar->high > bar->low)
    text_printf(to, "<i class=\"err\" style=\"left:%s%%;width:%s%%\"></i>",
                NUMBER_FIXED(100 * bar->low, 2), NUMBER_FIXED(100 * (bar->high - bar->low), 2));
  if (isfinite(bar->before))
    text_printf(to, "<i class=\"before\" style=\"left:%s%%\"></i>",
                NUMBER_FIXED(100 * bar->before, 2));
  text_puts(to, "</div></td>");
}

void html_confine(double share, double worth, double *low, double *high) {
  const double z = 1.96;
  double around = z * z / worth, middle = (share + around / 2) / (1 + around);
  double half = z * sqrt(share * (1 - share) / worth + around / (4 * worth)) / (1 + around);
  assert(worth > 0 && share >= 0 && share <= 1 + 1e-9);
  *low = fmax(middle - half, 0), *high = fmin(middle + half, 1);
}
