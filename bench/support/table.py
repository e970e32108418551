"""Tables in Markdown."""


def cell(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        if value != 0 and abs(value) < 0.01:
            return f"{value:.1e}"
        return f"{value:.3f}" if abs(value) < 10 else f"{value:.2f}" if abs(value) < 100 else f"{value:.1f}"
    if isinstance(value, list):
        return ", ".join(map(cell, value))
    return str(value)


def markdown(rows, columns):
    """rows are dictionaries; columns maps a key to its heading."""
    lines = ["| " + " | ".join(columns.values()) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell(row.get(key)) for key in columns) + " |" for row in rows]
    return "\n".join(lines)


def ratio(peer, ours):
    return f"{peer / ours:.1f}x" if peer and ours else None
