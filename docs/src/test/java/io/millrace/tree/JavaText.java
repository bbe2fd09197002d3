package io.millrace.tree;

/**
 * A Java file split into code, literals and comments, offset for offset: each view is as long as
 * the text and has spaces where the other kinds are, and every line break. Immutable.
 */
final class JavaText {
  private enum Kind {
    CODE,
    LITERAL,
    COMMENT
  }

  private final String text;
  private final StringBuilder code;
  private final StringBuilder comments;
  private final StringBuilder codeAndLiterals;
  private int position;

  JavaText(String text) {
    this.text = text;
    this.code = new StringBuilder(text.length());
    this.comments = new StringBuilder(text.length());
    this.codeAndLiterals = new StringBuilder(text.length());
    while (position < text.length()) {
      takeOne();
    }
  }

  /** The text that the compiler acts upon, without the content of literals. */
  String code() {
    return code.toString();
  }

  /** The comments, which people read. */
  String comments() {
    return comments.toString();
  }

  /** Lines that hold anything but blanks and comments. */
  int codeLines() {
    return (int) codeAndLiterals.toString().lines().filter(line -> !line.isBlank()).count();
  }

  private void takeOne() {
    if (text.startsWith("//", position)) {
      take(endOf("\n", position + 2, false), Kind.COMMENT);
    } else if (text.startsWith("/*", position)) {
      take(endOf("*/", position + 2, true), Kind.COMMENT);
    } else if (text.startsWith("\"\"\"", position)) {
      take(endOf("\"\"\"", position + 3, true), Kind.LITERAL);
    } else if (text.charAt(position) == '"' || text.charAt(position) == '\'') {
      take(endOf(text.substring(position, position + 1), position + 1, true), Kind.LITERAL);
    } else {
      take(position + 1, Kind.CODE);
    }
  }

  /**
   * The offset behind the next {@code mark} without a backslash before, or the offset of the start.
   */
  private int endOf(String mark, int from, boolean including) {
    int at = from;
    while (at < text.length() && !text.startsWith(mark, at)) {
      at += including && !mark.equals("*/") && text.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(text.length(), including ? at + mark.length() : at);
  }

  private void take(int end, Kind kind) {
    while (position < end) {
      char c = text.charAt(position++);
      boolean isBreak = c == '\n';
      code.append(isBreak || kind == Kind.CODE ? c : ' ');
      codeAndLiterals.append(isBreak || kind != Kind.COMMENT ? c : ' ');
      comments.append(isBreak || kind == Kind.COMMENT ? c : ' ');
    }
  }
}
