"""Names that programs get wrong."""

_LETTERS = "aéαаաאاܒހߊअঅਅઅଅஅఅಅഅඅกກཀကაሀᎠᐁᚠកᠠあア一가𐌰𞤀😀"  # noqa: RUF001
FORTY_LETTERS = tuple(40 * letter for letter in _LETTERS)
"""The longest names, one for each script."""
JOINED = ("👨‍👩‍👧‍👦", "👩🏽‍🚀 Zoë 🏳️‍🌈", "علی‌رضا", "ශ්‍රී")
"""Names with what joins emoji and letters: a family, Persian, Sinhala."""
UNTIDY = {
    "Jose\u0301": "José",
    " Ada\u00a0\u2003Bea\n": "Ada Bea",
    "\u202eannA\u202c": "annA",
    "a\x00b\ud800c": "a b c",
    "\u200dAda\u200d": "Ada",
    "e\u200b\u0301": "é",
    "\u200b\u2060 \ufeff": "",
    "\u05d3\u05d5\u05d3\u200f": "\u05d3\u05d5\u05d3",
}
"""Names as people and programs write them, and as they are saved."""
AWKWARD = (*FORTY_LETTERS, *JOINED, *UNTIDY)
