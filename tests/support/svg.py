"""Pictures, read again as XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET


def parsed(text: str) -> ET.Element:
    """The SVG as a tree, without namespaces."""
    tree = ET.fromstring(text)
    for item in tree.iter():
        item.tag = item.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return tree


def of_class(tree: ET.Element, *words: str) -> list[ET.Element]:
    return [e for e in tree.iter("path") if set(words) <= set(e.get("class", "").split())]


def inline(text: str) -> ET.Element:
    return parsed(text[text.index("<svg") : text.index("</svg>") + len("</svg>")])
