"""Checks a page of --view, and says what it has.

usage: check-view.py PAGE [--measure=COPY]

The page must be well-formed, refer to nothing outside of itself, and link only to what
it has. No two temporaries share memory at the same time. --measure writes a copy with a
script that measures the page in a browser: see check-measures.py.
"""

import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "rect", "line", "link", "img", "input"}
SCRIPT = """<script>
let found = [];
if (document.documentElement.scrollWidth > window.innerWidth + 1)
  found.push("page is " + document.documentElement.scrollWidth + " wide");
document.querySelectorAll("details").forEach(d => d.open = true);
let texts = 0, boxes = 0;
document.querySelectorAll("svg").forEach(svg => {
  let view = svg.viewBox.baseVal;
  if (svg.getBoundingClientRect().width < 50) found.push("picture without a width");
  svg.querySelectorAll("text,rect").forEach(shape => {
    let box = shape.getBBox();
    shape.tagName == "text" ? ++texts : ++boxes;
    if (box.x < -1 || box.y < -1 || box.x + box.width > view.width + 1 ||
        box.y + box.height > view.height + 1)
      found.push("outside of its picture: " + shape.tagName + " " + shape.textContent);
  });
});
document.title = "measured: " + texts + " texts, " + boxes + " boxes; " + found.length +
    " mistakes" + found.slice(0, 5).map(text => "; " + text).join("");
</script>"""


def fail(text):
    sys.exit("check-view: error: " + text)


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.tips, self.counts = [], set(), [], [], {}
        self.svgs = 0

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag in ("script", "link", "img", "iframe", "object"):
            fail("expected a page without <%s>" % tag)
        for name, value in attributes.items():
            if name.startswith("on"):
                fail("expected a page without scripts, got the attribute " + name)
            if name in ("src", "href") and not value.startswith("#"):
                fail("expected a link into the page, got " + value)
        if "id" in attributes:
            if attributes["id"] in self.ids:
                fail("the id %s is there twice" % attributes["id"])
            self.ids.add(attributes["id"])
        if "href" in attributes:
            self.links.append(attributes["href"][1:])
        key = attributes.get("class", tag)
        self.counts[key] = self.counts.get(key, 0) + 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open[-1] != tag:
            fail("</%s> ends %s" % (tag, self.open[-1:] or "nothing"))
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "title":
            self.tips.append(data)


def check_memory(tips):
    """No two buffers are in one place at the same time."""
    pattern = re.compile(r"^(\S+), ([\d.]+) (bytes|KiB|MiB|GiB), offset (\d+), steps (\d+) to (\d+)$")
    units = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
    widths = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "i32": 4, "i64": 8, "index": 8}
    placed = []
    for tip in tips:
        match = pattern.match(tip)
        if not match:
            continue
        kind, number, unit, offset, first, last = match.groups()
        *sizes, element = kind.split("x")
        size = widths[element]
        for each in sizes:
            size *= int(each)
        if abs(size / units[unit] - float(number)) > 0.051:
            fail("%s has %d bytes, the page says %s %s" % (kind, size, number, unit))
        placed.append((int(offset), int(offset) + size, int(first), int(last)))
    for i, a in enumerate(placed):
        for b in placed[:i]:
            if a[0] < b[1] and b[0] < a[1] and a[2] <= b[3] and b[2] <= a[3]:
                fail("two temporaries share memory at the same time: %s, %s" % (a, b))
    return len(placed)


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        text = f.read()
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        fail("not closed: " + " ".join(page.open))
    for link in page.links:
        if link not in page.ids:
            fail("a link leads to #%s, which is not there" % link)
    for outside in re.findall(r"url\([^)]*\)|@import|https?://[^\s\"<]+", text):
        if outside != "http://www.w3.org/2000/svg":
            fail("expected nothing from outside, got " + outside)
    placed = check_memory(page.tips)
    counts = page.counts
    print(
        "%d pictures, %d nests, %d repairs, %d missed, %d cells, %d placed temporaries"
        % tuple(
            [counts.get(key, 0) for key in ("svg", "nest", "repair", "missed", "c")] + [placed]
        )
    )
    for argument in sys.argv[2:]:
        with open(argument.split("=", 1)[1], "w", encoding="utf-8") as f:
            f.write(text.replace("</body>", SCRIPT + "</body>"))


main()
