package io.millrace.samples.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Columns as wide as their widest cell. The first row added is the heading. */
final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  TextTable row(Object... cells) {
    List<String> row = new ArrayList<>(cells.length);
    for (Object cell : cells) {
      row.add(String.valueOf(cell));
    }
    rows.add(row);
    return this;
  }

  void print(PrintStream out) {
    List<Integer> widths = widths();
    for (int i = 0; i < rows.size(); i++) {
      out.println(line(rows.get(i), widths));
      if (i == 0) {
        out.println("-".repeat(total(widths)));
      }
    }
  }

  private static String line(List<String> row, List<Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      String cell = row.get(column);
      line.append(cell).append(" ".repeat(widths.get(column) - cell.length())).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private List<Integer> widths() {
    List<Integer> widths = new ArrayList<>();
    for (List<String> row : rows) {
      for (int column = 0; column < row.size(); column++) {
        int length = row.get(column).length();
        if (column == widths.size()) {
          widths.add(length);
        } else {
          widths.set(column, Math.max(widths.get(column), length));
        }
      }
    }
    return widths;
  }

  private static int total(List<Integer> widths) {
    int total = GAP.length() * Math.max(0, widths.size() - 1);
    for (int width : widths) {
      total += width;
    }
    return total;
  }
}
