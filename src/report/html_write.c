/* html_write.c - text and numbers of a page; see html_parts.h. */
#include "report/html_parts.h"

#include "base/number.h"
#include "report/sentence.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Bytes of the UTF-8 character that starts here; 0 if there is none. */
static size_t character(const unsigned char *s, size_t left) {
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
             : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
             : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                           : 0;
  if (n > left)
    return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
      (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
    return 0;
  return n;
}

static void escape_one(Text *to, const char *s, size_t n) {
  unsigned char c = (unsigned char)*s;
  if (c == '&')
    text_puts(to, "&amp;");
  else if (c == '<')
    text_puts(to, "&lt;");
  else if (c == '>')
    text_puts(to, "&gt;");
  else if (c == '"')
    text_puts(to, "&quot;");
  else if (c == '\'')
    text_puts(to, "&#39;");
  else if (!n || c == 127 || (c < 32 && c != '\t' && c != '\n'))
    text_puts(to, "\xef\xbf\xbd"); /* no character, or one that commands */
  else
    text_add(to, s, n);
}

void html_escape_part(Text *to, const char *text, size_t length) {
  for (size_t i = 0, n; i < length; i += n ? n : 1) {
    n = character((const unsigned char *)text + i, length - i);
    escape_one(to, text + i, n);
  }
}

void html_escape(Text *to, const char *text) { html_escape_part(to, text, strlen(text)); }

void html_name_part(Text *to, const char *text, size_t length) {
  enum { SHORT = 16 }; /* it has room everywhere */
  for (size_t i = 0, end; i < length; i = end) {
    for (end = i; end < length && text[end] != ',' && text[end] != '('; end++)
      ;
    end += end < length;
    html_escape_part(to, text + i, end - i);
    text_puts(to, end < length && length > SHORT ? "<wbr>" : "");
  }
}

void html_name(Text *to, const char *text) { html_name_part(to, text, strlen(text)); }

void html_plain(Text *to, double x, int digits) {
  if (!isfinite(x)) {
    text_puts(to, isnan(x) ? "–" : x > 0 ? "∞" : "−∞");
    return;
  }
  NumberText number = number_as(fabs(x) < 1e7 ? 'f' : 'e', digits, fabs(x));
  bool zero = !strpbrk(number.text, "123456789");
  text_printf(to, "%s%s", x < 0 && !zero ? "−" : "", number.text);
}

static void open_number(Text *to, const char *of, const char *name, double x) {
  assert(of && *of);
  text_printf(to, "<data class=\"n\" data-of=\"%s\"", of);
  if (name) {
    text_puts(to, " data-name=\"");
    html_escape(to, name);
    text_puts(to, "\"");
  }
  if (isfinite(x))
    text_printf(to, " value=\"%s\">", NUMBER_SHORT(x, 17));
  else
    text_puts(to, " value=\"null\">");
}

void html_number(Text *to, const char *of, const char *name, double x, int digits) {
  open_number(to, of, name, x);
  html_plain(to, x, digits);
  text_puts(to, "</data>");
}

void html_weight(Text *to, const lpmln_learned *w, int digits) {
  open_number(to, "weight", w->parameter, w->weight);
  if (w->diverges)
    text_puts(to, w->diverges == '+' ? "→ ∞" : "→ −∞");
  else
    html_plain(to, w->weight, digits);
  text_puts(to, "</data>");
}

/* 0.25, 0.999, 0.00012: two digits that tell something, at least. */
static int digits_for(double p) {
  double near = fmin(p, 1 - p);
  return !(near > 0) || near >= 0.095 ? 2 : near >= 0.0095 ? 3 : near >= 0.00095 ? 4 : 5;
}

void html_plain_probability(Text *to, double p) {
  assert(!(p < 0 || p > 1 + 1e-9)); /* NAN: not known */
  if (p > 0 && p < 5e-6)
    text_puts(to, "&lt; 0.00001");
  else if (p < 1 && p > 1 - 5e-6)
    text_puts(to, "&gt; 0.99999");
  else
    html_plain(to, p, digits_for(p));
}

void html_probability(Text *to, const char *of, const char *name, double p) {
  open_number(to, of, name, p);
  html_plain_probability(to, p);
  text_puts(to, "</data>");
}

void html_sentence(Text *to, const char *sentence) {
  Text said = {0};
  sentence_write(&said, sentence);
  html_escape(to, said.at);
  vec_free(&said);
}

double html_logistic(double w) { return 1 / (1 + exp(-w)); }

double html_chance(const lpmln_learned *w) { return w->as_probability ? w->probability : w->holds; }

void html_write_chance(Text *to, const lpmln_learned *w) {
  html_probability(to, w->as_probability ? "probability" : "holds", w->parameter, html_chance(w));
}

bool html_independent(const lpmln_learned *w) {
  return w->as_probability || (isfinite(w->holds) && fabs(w->holds - w->probability) < 1e-9);
}

bool html_interval(const lpmln_learned *w, double *low, double *high) {
  *low = w->as_probability ? w->probability_lower : html_logistic(w->lower);
  *high = w->as_probability ? w->probability_upper : html_logistic(w->upper);
  return html_independent(w) && isfinite(*low) && isfinite(*high);
}

void html_section(Text *to, const char *id, const char *title) {
  text_printf(to, "<section id=\"%s\"><h2>%s</h2>\n", id, title);
}

void html_fact(Text *to, const char *name) { text_printf(to, "<div><dt>%s</dt><dd>", name); }

void html_fact_end(Text *to) { text_puts(to, "</dd></div>\n"); }
