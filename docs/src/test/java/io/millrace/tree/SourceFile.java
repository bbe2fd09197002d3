package io.millrace.tree;

/**
 * One text file of the tree.
 *
 * @param path relative to the root, with slashes
 * @param text the whole content
 */
record SourceFile(String path, String text) {
  boolean isJava() {
    return path.endsWith(".java");
  }

  boolean isMarkdown() {
    return path.endsWith(".md");
  }

  boolean isMainJava() {
    return isJava() && path.contains("src/main/java/") && !isOutside();
  }

  boolean isTestJava() {
    return isJava() && path.contains("src/test/java/") && !isOutside();
  }

  /** Part of an application that this build does not compile. */
  private boolean isOutside() {
    return path.startsWith("sample-apps/quickstart/");
  }

  /** The file's name without its folder. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The folder with a slash at its end, or nothing at the root. */
  String folder() {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  /** The number, counted from 1, of the line that holds this offset. */
  int lineAt(int offset) {
    return 1 + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
  }

  /** The report of a check: the place, and the fault. */
  String finding(int offset, String complaint) {
    return path + ":" + lineAt(offset) + ": " + complaint;
  }
}
