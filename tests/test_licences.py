"""What Settebello runs on may be given on under AGPL-3.0-or-later: by the licences installed."""

import re
from importlib import metadata

import pytest
from packaging.licenses import canonicalize_license_expression

from docs import size

COMPATIBLE = frozenset(
    {
        "0BSD",
        "AGPL-3.0-or-later",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BSL-1.0",
        "CC0-1.0",
        "CNRI-Python",
        "GPL-3.0-or-later",
        "HPND",
        "ISC",
        "LGPL-2.1-or-later",
        "LGPL-3.0-only",
        "LGPL-3.0-or-later",
        "MIT",
        "MIT-0",
        "MIT-CMU",
        "MPL-2.0",
        "PSF-2.0",
        "Python-2.0",
        "Unlicense",
        "Zlib",
    }
)
"""Licences whose works may be part of one under AGPL-3.0-or-later, as SPDX names them."""

SPOKEN = {
    "apache": "Apache-2.0",
    "bsd": "BSD-3-Clause",
    "isc": "ISC",
    "lesser general public license v3": "LGPL-3.0-only",
    "mit": "MIT",
    "mozilla public license 2": "MPL-2.0",
    "mpl": "MPL-2.0",
    "python software foundation": "PSF-2.0",
    "psf": "PSF-2.0",
    "unlicense": "Unlicense",
}
"""How older distributions call their licences, for those that use no name of SPDX."""


def licence(name: str) -> str:
    """The licence of a distribution by SPDX; as it calls it itself where that is not known."""
    about = metadata.metadata(name).json
    if "license_expression" in about:
        return canonicalize_license_expression(str(about["license_expression"]))
    classified = [one for one in about.get("classifier", ()) if one.startswith("License ::")]
    said = " ".join([*classified, str(about.get("license", ""))[:80]]).lower()
    found = [spdx for spoken, spdx in SPOKEN.items() if re.search(rf"\b{spoken}\b", said)]
    return " OR ".join(dict.fromkeys(found)) or said


def is_compatible(expression: str) -> bool:
    """Whether a work under these licences may be part of ours.

    One of those joined by OR is enough, and of those joined by AND each must be.
    """
    plain = re.sub(r" WITH [\w.-]+", "", expression).replace("(", "").replace(")", "")
    return any(
        all(one.strip() in COMPATIBLE for one in choice.split(" AND "))
        for choice in plain.split(" OR ")
    )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("", False),
        ("MIT", True),
        ("Proprietary", False),
        ("GPL-2.0-only", False),
        ("GPL-2.0-only OR MIT", True),
        ("Apache-2.0 AND BSD-3-Clause", True),
        ("BSD-3-Clause AND (MIT AND Proprietary)", False),
        ("GPL-3.0-or-later WITH GCC-exception-3.1 AND MIT", True),
    ],
)
def test_the_check_tells_licences_apart(expression: str, expected: bool) -> None:
    assert is_compatible(expression) is expected


@pytest.mark.parametrize("name", sorted(size.needed()))
def test_a_distribution_that_we_need_may_be_given_on(name: str) -> None:
    found = licence(name)
    assert is_compatible(found), f"{name} is under {found!r}: not known to go with the AGPL"
