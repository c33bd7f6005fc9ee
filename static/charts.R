# Draws the figures again from their CSV files, in the folder figures beside this file:
#   Rscript charts.R
# They become the pages of Rplots.pdf.

draw <- function(file, title, kind, labels, value, low, high) {
  rows <- read.csv(file, check.names = FALSE, encoding = "UTF-8", colClasses = "character", na.strings = character())
  if (kind == "table") {
    print(rows)
    return(invisible(rows))
  }
  numbers <- function(name) suppressWarnings(as.numeric(rows[[name]]))
  rows <- rows[!is.na(numbers(value)), , drop = FALSE]
  heights <- numbers(value)
  wrapped <- paste(strwrap(title, 50), collapse = "\n")
  if (kind == "line") {
    places <- numbers(labels[1])
    ends <- if (nzchar(low)) c(numbers(low), numbers(high)) else heights
    plot(places, heights, type = "l", col = "#0d655c", main = wrapped, xlab = labels[1], ylab = value, ylim = range(ends))
    if (nzchar(low)) {
      lines(places, numbers(low), lty = 3)
      lines(places, numbers(high), lty = 3)
    }
    return(invisible(rows))
  }
  names <- if (length(labels)) do.call(paste, c(unname(as.list(rows[labels])), sep = ", ")) else value
  ends <- if (nzchar(low)) c(0, heights, numbers(low), numbers(high)) else c(0, heights)
  old <- par(mar = c(4, 12, 3, 1))
  at <- barplot(rev(heights), names.arg = rev(names), horiz = TRUE, las = 1, col = "#0d655c", border = NA, main = wrapped, xlab = value,
    xlim = range(ends))
  if (nzchar(low)) segments(rev(numbers(low)), at, rev(numbers(high)), at, lwd = 2)
  par(old)
  invisible(rows)
}
