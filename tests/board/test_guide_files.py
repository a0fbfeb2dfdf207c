"""The guides as HTML and PDF: their length, their pictures, and where their links lead."""

import re

import pytest

from tests.helpers.boards.guide_tables import HARDWARE

MOST_PAGES = {"bench": 6, "bench-template": 1, "board": 20, "own-board": 20}
GUIDE = HARDWARE / "guide"


@pytest.fixture(scope="module")
def guides(tmp_path_factory):
    from hardware.guide.build import build

    folder = tmp_path_factory.mktemp("guides")
    assert len(list(build(folder))) == 2 * len(MOST_PAGES)
    return folder


@pytest.mark.parametrize("name", MOST_PAGES)
def test_guide_fits_on_its_pages_with_all_its_pictures_and_links(guides, name):
    from pypdf import PdfReader

    from hardware.guide.build import GUIDES

    pages = PdfReader(guides / f"{name}.pdf").pages
    assert len(pages) <= MOST_PAGES[name]
    page = (guides / f"{name}.html").read_text(encoding="utf-8")
    shown = re.findall(r'<img src="([^"]*)"', page)
    texts = ((GUIDE / each).read_text(encoding="utf-8") for each in GUIDES[name])
    drawn = re.findall(r"!\[", "".join(texts))
    assert len(shown) == len(drawn) >= 2
    assert all(re.match(r"data:image/(svg\+xml|png|jpeg);base64,....", each) for each in shown)
    for link in re.findall(r'href="([^"]*)"', page):
        file, _, place = link.partition("#")
        if not link.startswith("http"):
            there = (guides / file).read_text(encoding="utf-8") if file else page
            assert not place or f'id="{place}"' in there, link


def test_it_is_said_first_that_it_is_not_built_and_prices_are_in_the_table(guides):
    from pypdf import PdfReader

    pages = [page.extract_text() for page in PdfReader(guides / "board.pdf").pages]
    assert "This board has not been built yet" in pages[0]
    assert "without what is unknown" in " ".join(pages[1].split())
