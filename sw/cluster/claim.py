# SPDX-License-Identifier: Apache-2.0
"""What a paper says of a figure: see claims.py."""


def claim(figure, says, paper, value, least, most, cause, note=None, field="value"):
    """cause: why it differs, note: what is to be known though it agrees, for each cost table; field: of the table."""
    return {"figure": figure, "says": says, "paper": paper, "value": value, "least": least, "most": most,
            "cause": cause, "note": note or {}, "field": field}


def over(ours, theirs, x=64):
    """The best of ours over the best of theirs, where more is better."""
    return lambda at: max(at[s, x] for s in ours) / max(at[s, x] for s in theirs)
