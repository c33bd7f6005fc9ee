"""Draws the figures again from their CSV files, in the folder figures beside this file."""
import csv
import matplotlib.pyplot as plt


def number(text):
    """A number of a cell; None where it has none."""
    try:
        return float(text)
    except ValueError:
        return None


def plain(text):
    """A text in which no sign begins a formula."""
    return text.replace("$", r"\$")


def draw(file, title, kind, labels, value, low, high):
    """Draws the columns of a CSV file, or prints its rows where there is nothing to draw."""
    with open(file, newline="", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    if kind == "table":
        for row in rows:
            print(row)
        return rows
    rows = [row for row in rows if number(row[value]) is not None]
    heights = [number(row[value]) for row in rows]
    names = [plain(" · ".join(row[label] for label in labels) or value) for row in rows]
    figure, axes = plt.subplots(figsize=(8, 4.5 if kind == "line" else max(2, 0.3 * len(rows) + 1.5)))
    if kind == "line":
        places = [number(row[labels[0]]) for row in rows]
        axes.plot(places, heights, color="#0d655c")
        if low:
            axes.fill_between(places, [number(row[low]) for row in rows],
                              [number(row[high]) for row in rows], color="#0d655c", alpha=0.25)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(value)
    else:
        places = list(range(len(rows)))
        axes.barh(places, heights, color="#0d655c")
        if low:
            below = [at - number(row[low]) for at, row in zip(heights, rows)]
            above = [number(row[high]) - at for at, row in zip(heights, rows)]
            axes.errorbar(heights, places, xerr=[below, above], fmt="none", ecolor="#1b2430", capsize=3)
        axes.set_yticks(places)
        axes.set_yticklabels(names)
        axes.invert_yaxis()
        axes.set_xlabel(value)
    axes.set_title(plain(title), loc="left", wrap=True)
    figure.tight_layout()
    plt.show()
    return rows
