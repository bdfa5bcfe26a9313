"""A real browser for the tests: Chromium without a window.  It reads a page, and draws it.

Pictures are drawn at half their size and decoded here, without any library: tests look
at where a page has ink and how bright it is, not at what it says.
"""

import os
import shutil
import struct
import subprocess
import tempfile
import zlib

PROGRAM = shutil.which("chromium")
SCALE = 2  # Chromium draws no smaller


def run(arguments, page):
    with tempfile.TemporaryDirectory() as profile:
        command = [PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                   "--disable-dev-shm-usage", f"--user-data-dir={profile}", "--enable-logging=stderr",
                   *arguments, "file://" + os.path.abspath(page)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=profile, errors="replace")


def read(page):
    """The document as the browser understood it, and its complaints on the console."""
    done = run(["--dump-dom"], page)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def unfilter(kind, line, above, pixel):
    """One line of a PNG: each byte is stored less a guess from its neighbours."""
    for i in range(len(line)):
        left = line[i - pixel] if i >= pixel else 0
        corner = above[i - pixel] if i >= pixel else 0
        up = above[i]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            distances = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = (left, up, corner)[distances.index(min(distances))]
        line[i] = (line[i] + guess) & 255


def decode(path):
    """The lines of an 8-bit PNG, each a list of (r, g, b)."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and colour in (2, 6), "not an 8-bit colour picture"
        elif kind == b"IDAT":
            packed += body
    raw, pixel = zlib.decompress(packed), 3 if colour == 2 else 4
    lines, above = [], bytearray(width * pixel)
    for y in range(height):
        start = y * (width * pixel + 1)
        line = bytearray(raw[start + 1:start + 1 + width * pixel])
        if raw[start]:
            unfilter(raw[start], line, above, pixel)
        lines.append([tuple(line[x:x + 3]) for x in range(0, len(line), pixel)])
        above = line
    return lines


def draw(page, width, height, dark=False):
    """The page as lines of pixels, one for SCALE x SCALE of the screen's."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.png")
        more = ["--blink-settings=preferredColorScheme=0"] if dark else []
        run([f"--screenshot={path}", f"--window-size={width},{height}",
             f"--force-device-scale-factor={1 / SCALE}", *more], page)
        return decode(path)
