"""How the HTML page looks: one style sheet within it, for light and dark, phone and desktop."""

from __future__ import annotations

import base64
import hashlib

LIGHT, DARK = "#fdfdfb", "#16181c"
"""Backgrounds."""

SPEAKERS = (
    ("#1961b3", "#77a7df"),
    ("#9c4716", "#dc946a"),
    ("#107040", "#2cba73"),
    ("#b71a69", "#e387b5"),
    ("#7536e2", "#b294e6"),
    ("#745b11", "#c6a02f"),
    ("#116c74", "#2eb6c2"),
    ("#c01b1b", "#e48b8b"),
    ("#366b0f", "#65b62b"),
    ("#9a1cc4", "#ce8be4"),
    ("#4848e5", "#9c9ce8"),
    ("#107018", "#2dbe39"),
)
"""A speaker's colour on the light and on the dark background: contrast 6 to 1 or better."""

TEXT = ("#1d1f23", "#e4e6e9")
QUIET = ("#5c6066", "#a0a6ae")
"""What is read, and what stands beside it: times, results."""

LINES = ("#d9dadc", "#373b42")
WARNING = ("#8a2b06", "#f0a27c")


def _colours(of: int) -> str:
    """Write the variables of one background, 0 light, 1 dark."""
    speakers = "".join(f"--s{n}:{pair[of]};" for n, pair in enumerate(SPEAKERS))
    named = {"text": TEXT, "quiet": QUIET, "line": LINES, "warning": WARNING}
    return speakers + "".join(f"--{name}:{pair[of]};" for name, pair in named.items())


CSS = f"""
:root{{color-scheme:light dark;--back:{LIGHT};{_colours(0)}}}
@media (prefers-color-scheme:dark){{:root{{--back:{DARK};{_colours(1)}}}}}
*{{box-sizing:border-box}}
html{{-webkit-text-size-adjust:100%;text-size-adjust:100%}}
body{{margin:0 auto;max-width:44rem;padding:1rem 1rem 3rem;background:var(--back);color:var(--text);
font:1.0625rem/1.6 Georgia,"Times New Roman",serif;overflow-wrap:anywhere}}
header{{border-bottom:1px solid var(--line);margin-bottom:1.5rem;padding-bottom:.75rem}}
h1{{font-size:1.75rem;line-height:1.2;margin:.5rem 0 .75rem}}
h2{{font-size:.9375rem;font-weight:600;color:var(--quiet);text-align:center;margin:2rem 0 1rem}}
dl{{display:grid;grid-template-columns:max-content 1fr;gap:.125rem 1rem;margin:.75rem 0}}
dt,dd,time,details,footer,.stamp,.ooc{{font-family:system-ui,sans-serif;font-size:.875rem}}
dt,time,footer,.stamp,.ooc{{color:var(--quiet)}}
dd{{margin:0}}
.warning{{color:var(--warning);font-weight:600}}
.summary,.words,.ooc,li{{white-space:pre-wrap}}
article{{margin:0 0 1.25rem;padding-left:.875rem;border-left:3px solid var(--who,var(--line))}}
article>*{{margin:0}}
article>time{{float:right;margin:.1875rem 0 0 1rem}}
.who{{color:var(--who);font-weight:600}}
.stamp{{display:block}}
details,.ooc{{margin-top:.375rem}}
summary{{cursor:pointer;color:var(--quiet);padding:.25rem 0}}
summary:focus-visible{{outline:2px solid var(--quiet);outline-offset:2px}}
ul{{margin:.25rem 0 .5rem;padding-left:1.25rem;color:var(--text)}}
li{{margin:.25rem 0}}
footer{{border-top:1px solid var(--line);margin-top:2rem;padding-top:.75rem}}
code{{font-size:.8125rem}}
{"".join(f".s{n}{{--who:var(--s{n})}}" for n in range(len(SPEAKERS)))}
@media print{{body{{max-width:none;background:#fff;color:#000}}article{{break-inside:avoid}}}}
"""

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-"
    + base64.b64encode(hashlib.sha256(CSS.encode()).digest()).decode()
    + "'"
)
"""What a browser may load for the page: nothing but this style sheet, whatever stands in it."""
