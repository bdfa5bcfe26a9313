"""Line charts as SVG, drawn by hand: a few dozen points need no library."""

import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 420, 270, 52, 46, 26, 40


class Axis:
    """From data to the picture; `log` in powers of ten."""

    def __init__(self, values, log, start, end):
        self.log, self.start, self.end = log, start, end
        values = [math.log10(v) if log else v for v in values]
        low, high = min(values), max(values)
        if log:
            low, high = math.floor(low + 1e-9), math.ceil(high - 1e-9)
        else:
            low = min(low, 0)
        self.low, self.high = low, high if high > low else low + 1

    def at(self, value):
        value = math.log10(value) if self.log else value
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        if self.log:
            step = max(1, math.ceil((self.high - self.low) / 6))
            return [10.0 ** k for k in range(int(self.low), int(self.high) + 1, step)]
        raw = (self.high - self.low) / 5
        unit = 10 ** math.floor(math.log10(raw))
        step = unit * min(n for n in (1, 2, 5, 10) if n * unit >= raw)
        return [k * step for k in range(math.ceil(self.low / step), math.floor(self.high / step + 1e-9) + 1)]

    def label(self, value):
        if not self.log:
            return f"{value:g}"
        power = round(math.log10(value))
        return f"{value:g}" if -2 <= power <= 4 else f'10<tspan dy="-4" font-size="9">{"−" if power < 0 else ""}{abs(power)}</tspan>'


def frame(title, across, up, x, y):
    parts = [f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(title)}">']
    for tick in y.ticks():
        at = y.at(tick)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
                     f'<text class="tick" x="{LEFT - 6}" y="{at + 4:.1f}">{y.label(tick)}</text>')
    for tick in x.ticks():
        at = x.at(tick)
        parts.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
                     f'<text class="tick middle" style="text-anchor:middle" x="{at:.1f}" y="{HEIGHT - BOTTOM + 15}">'
                     f"{x.label(tick)}</text>")
    parts.append(f'<text class="title" x="{LEFT}" y="14">{html.escape(title)}</text>'
                 f'<text class="title" style="text-anchor:end" x="{WIDTH - RIGHT}" y="{HEIGHT - 6}">{html.escape(across)}</text>'
                 f'<text class="title" style="text-anchor:end" x="{WIDTH - RIGHT}" y="14">{html.escape(up)}</text>')
    return parts


def spread(ends, gap=11):
    """Labels at the ends of lines, moved apart where they would touch, first down and then up."""
    placed = sorted(ends)
    for i in range(1, len(placed)):
        placed[i] = max(placed[i][0], placed[i - 1][0] + gap), placed[i][1]
    lowest = HEIGHT - BOTTOM
    for i in reversed(range(len(placed))):
        placed[i] = min(placed[i][0], lowest), placed[i][1]
        lowest = placed[i][0] - gap
    return {text: at for at, text in placed}


def chart(title, across, up, lines, log_x=True, log_y=True, dots=False):
    """lines: (label, points); empty ones are left out.  Colours go from light to dark."""
    lines = [(label, [p for p in points if p[1] and (p[0] or not log_x)]) for label, points in lines]
    lines = [(label, points) for label, points in lines if points]
    if not lines:
        return ""
    x = Axis([p[0] for _, points in lines for p in points], log_x, LEFT, WIDTH - RIGHT)
    y = Axis([p[1] for _, points in lines for p in points], log_y, HEIGHT - BOTTOM, TOP)
    parts = frame(title, across, up, x, y)
    labels = spread([(y.at(points[-1][1]) + 4, label) for label, points in lines])
    for i, (label, points) in enumerate(lines):
        colour = f"var(--c{6 if len(lines) == 1 else 1 + round(5 * i / (len(lines) - 1))})"
        way = " ".join(f"{'L' if k else 'M'}{x.at(a):.1f} {y.at(b):.1f}" for k, (a, b) in enumerate(points))
        parts.append(f'<path style="stroke:{colour}" d="{way}"/>')
        if dots:
            parts += [f'<circle style="fill:{colour}" cx="{x.at(a):.1f}" cy="{y.at(b):.1f}" r="3"/>' for a, b in points]
        parts.append(f'<text class="end" x="{x.at(points[-1][0]) + 5:.1f}" y="{labels[label]:.1f}">{html.escape(label)}</text>')
    return "".join(parts) + "</svg>\n"
