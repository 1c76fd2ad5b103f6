"""An HTML page as a browser reads it, by the parser of the standard library."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    inside: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All its text."""
        return "".join(part if isinstance(part, str) else part.text for part in self.inside)

    def all(self, tag: str = "", css: str = "") -> list[Element]:
        """Give every element in it of a tag, or of a class."""
        found: list[Element] = []
        for part in self.inside:
            if isinstance(part, Element):
                classes = (part.attributes.get("class") or "").split()
                if (not tag or part.tag == tag) and (not css or css in classes):
                    found.append(part)
                found += part.all(tag, css)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.open[-1].inside.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1].tag == tag:
            self.open.pop()
        else:
            self.problems.append(f"</{tag}> closes <{self.open[-1].tag}>")

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)

    def handle_comment(self, data: str) -> None:
        self.problems.append(f"a comment: {data}")


def parsed(page: str) -> Element:
    """Read a page; every element in it must be closed in its place."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.problems == []
    assert len(reader.open) == 1
    return reader.open[0]
