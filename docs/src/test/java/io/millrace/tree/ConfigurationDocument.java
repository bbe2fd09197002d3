package io.millrace.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes docs/configuration.md from reference.conf: a chapter for each block, a row for each
 * setting. The file must have one setting, opening or closing on each line, and each comment
 * directly ahead of its setting; a setting without a comment shares the comment of the setting
 * before. The {@code main} needs nothing but the JDK.
 */
final class ConfigurationDocument {
  static final String SOURCE = "transport-actors/src/main/resources/reference.conf";
  static final String DOCUMENT = "docs/configuration.md";

  private static final int LINE_COLUMNS = 120;

  private static final Pattern SETTING = Pattern.compile("([a-z][a-z-]*) = (.+)");
  private static final Pattern OPENING = Pattern.compile("([a-z][a-z-]*) \\{");
  private static final String INTRODUCTION =
      """
      # Configuration

      Generated from `transport-actors/src/main/resources/reference.conf`: change `reference.conf`, then regenerate this
      document (see [hacking.md](hacking.md#the-configuration-document)).

      The file is HOCON; an `application.conf` or the settings passed to `TransportSettings` override the file.
      Durations and sizes may carry units (`5 s`, `64 MiB`). The start of a node refuses a key of `millrace` that is
      not in this document.

      A default in braces has a value for each profile of `millrace.profile`. A value that you set for such a key counts
      in every profile. [failure-handling.md](failure-handling.md#profiles) compares the profiles.
      """;

  private final List<String> path = new ArrayList<>();
  private final List<String> settings = new ArrayList<>();
  private final StringBuilder out = new StringBuilder(INTRODUCTION);
  private String comment = "";

  /** The block of the present chapter. */
  private String described = "";

  private String meaning = "";
  private boolean isTableOpen;

  private ConfigurationDocument() {}

  /** Reads the text of a reference.conf. */
  static ConfigurationDocument of(String reference) {
    ConfigurationDocument document = new ConfigurationDocument();
    reference.lines().map(String::strip).forEach(document::line);
    return document;
  }

  /** The document. */
  String text() {
    return out.toString();
  }

  /** The full names of the settings that have a row, in the order of the rows. */
  List<String> settings() {
    return List.copyOf(settings);
  }

  private void line(String line) {
    Matcher opening = OPENING.matcher(line);
    Matcher setting = SETTING.matcher(line);
    if (line.startsWith("#")) {
      String words = line.substring(1).strip().replaceAll("\\s+", " ");
      comment = comment.isEmpty() ? words : comment + " " + words;
      return;
    }
    if (opening.matches()) {
      open(opening.group(1));
    } else if (setting.matches()) {
      row(setting.group(1), setting.group(2));
    } else if (line.equals("}")) {
      path.removeLast();
      isTableOpen = false;
    } else if (!line.isEmpty()) {
      throw new IllegalArgumentException("not a setting, an opening or a closing: " + line);
    }
    comment = "";
  }

  private void open(String name) {
    path.add(name);
    isTableOpen = false;
    meaning = "";
    if (path.size() > 1) {
      chapter();
      if (!comment.isEmpty()) {
        out.append('\n').append(wrapped(comment)).append('\n');
      }
    }
  }

  private static String wrapped(String text) {
    StringBuilder wrapped = new StringBuilder();
    int column = 0;
    for (String word : text.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > LINE_COLUMNS) {
        wrapped.append('\n');
        column = 0;
      } else if (column > 0) {
        wrapped.append(' ');
        column++;
      }
      wrapped.append(word);
      column += word.length();
    }
    return wrapped.toString();
  }

  private void chapter() {
    described = String.join(".", path);
    out.append("\n## `").append(described).append("`\n");
  }

  private void row(String name, String value) {
    if (!isTableOpen) {
      if (!described.equals(String.join(".", path))) {
        chapter();
      }
      out.append("\n| setting | default | meaning |\n|---|---|---|\n");
      isTableOpen = true;
    }
    if (!comment.isEmpty()) {
      meaning = comment;
    } else if (meaning.isEmpty()) {
      throw new IllegalArgumentException("nothing says what " + name + " means");
    }
    settings.add(String.join(".", path) + "." + name);
    String cell = meaning.replace("|", "\\|");
    out.append("| `%s` | `%s` | %s |\n".formatted(name, value, cell));
  }

  /** Writes the document; run it in the root of the repository. */
  public static void main(String[] arguments) throws IOException {
    Files.writeString(Path.of(DOCUMENT), of(Files.readString(Path.of(SOURCE))).text());
  }
}
