package io.millrace.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules that need no more than the text of one file; each returns its findings, in order. */
final class TidyRules {
  static final int MOST_CODE_LINES = 600;

  private static final Pattern UNFINISHED = Pattern.compile("\\b(TODO|FIXME|XXX|HACK)\\b");
  // possessive: the comments of a file stand between long blanks, which are read once
  private static final Pattern BANNER =
      Pattern.compile("(?m)^[ \t]*+(//|/\\*|\\*)\\s*+[-=*#~]{4,}");
  private static final Pattern BARE_INHERIT =
      Pattern.compile("/\\*\\*[\\s*]*\\{@inheritDoc\\}[\\s*]*\\*/");
  private static final Pattern SLEEP =
      Pattern.compile("\\b(Thread|[A-Z]+SECONDS|MINUTES)\\s*\\.\\s*sleep\\s*\\(");
  private static final Pattern SUPPRESSION = Pattern.compile("@SuppressWarnings\\s*\\([^)]*\\)");
  private static final Pattern REASON = Pattern.compile("//\\s*\\S.{7,}");
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w.~$}-])/(?:work|root|home)/");
  private static final Pattern REGISTRY =
      Pattern.compile(
          "https?://[\\w.-]*\\b(repo1?|registry|mirrors?|nexus|artifactory|proxy|pypi|npm)\\b[\\w.-]*"
              + "|<(repository|pluginRepository|mirror)>");

  private TidyRules() {}

  /** Work left undone, comments that only decorate, Javadoc that says nothing. */
  static List<String> idleComments(SourceFile file) {
    if (!file.isJava()) {
      return List.of();
    }
    JavaText java = new JavaText(file.text());
    List<String> findings = new ArrayList<>();
    findings.addAll(
        found(file, UNFINISHED, java.comments(), "unfinished work does not go on main"));
    findings.addAll(found(file, UNFINISHED, java.code(), "unfinished work does not go on main"));
    findings.addAll(found(file, BANNER, java.comments(), "a banner says nothing"));
    findings.addAll(found(file, BARE_INHERIT, java.comments(), "an inherited comment needs none"));
    return findings;
  }

  /** Finds sleeps: a test that waits for time to pass is slow and wrong at once. */
  static List<String> sleeps(SourceFile file) {
    return file.isJava()
        ? found(
            file, SLEEP, new JavaText(file.text()).code(), "nobody sleeps: wait for a condition")
        : List.of();
  }

  /** A suppressed warning gives its reason on its line. */
  static List<String> unexplainedSuppressions(SourceFile file) {
    List<String> findings = new ArrayList<>();
    if (file.isJava()) {
      Matcher matcher = SUPPRESSION.matcher(new JavaText(file.text()).code());
      while (matcher.find()) {
        int end = file.text().indexOf('\n', matcher.end());
        String rest = file.text().substring(matcher.end(), end < 0 ? file.text().length() : end);
        if (!REASON.matcher(rest).find()) {
          findings.add(file.finding(matcher.start(), "a suppression has its reason on the line"));
        }
      }
    }
    return findings;
  }

  /** Paths that exist on one machine only. */
  static List<String> machinePaths(SourceFile file) {
    return found(file, MACHINE_PATH, file.text(), "this path exists on one machine only");
  }

  /** The source of artifacts is the business of the builder. */
  static List<String> registries(SourceFile file) {
    return found(file, REGISTRY, file.text(), "names where artifacts come from");
  }

  /** Files that are too long, and so decide more than one thing. */
  static List<String> longFiles(SourceFile file) {
    if (!file.isJava()) {
      return List.of();
    }
    int lines = new JavaText(file.text()).codeLines();
    return lines <= MOST_CODE_LINES
        ? List.of()
        : List.of(file.finding(0, lines + " code lines, at most " + MOST_CODE_LINES));
  }

  /** Packages named after nothing, and packages of main code whose nullness nobody declared. */
  static List<String> packages(SourceFile file) {
    List<String> findings = new ArrayList<>();
    if (file.isJava() && file.path().matches(".*/(impl|common)/.*")) {
      findings.add(file.finding(0, "no package impl or common"));
    }
    if (file.isMainJava()
        && file.name().equals("package-info.java")
        && !file.text().contains("@NullMarked")) {
      findings.add(file.finding(0, "the package is not @NullMarked"));
    }
    return findings;
  }

  private static List<String> found(
      SourceFile file, Pattern pattern, String view, String complaint) {
    return pattern
        .matcher(view)
        .results()
        .map(hit -> file.finding(hit.start(), complaint + ": " + hit.group().strip()))
        .toList();
  }
}
