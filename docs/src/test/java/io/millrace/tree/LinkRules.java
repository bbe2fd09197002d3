package io.millrace.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Links between the documents: the file is there, and so is the heading. Links out are left alone.
 */
final class LinkRules {
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *(```|~~~).*?^ *\\1");
  private static final Pattern INLINE_CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern LINK =
      Pattern.compile("\\]\\(([^)\\s]+)(?:\\s+\"[^\"]*\")?\\)|(?m)^\\[[^\\]\n]+\\]: +(\\S+)");
  private static final Pattern OUTWARD = Pattern.compile("(?i)[a-z][a-z0-9+.-]*:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *#*$");

  private final Predicate<String> exists;
  private final Function<String, Optional<String>> textOf;

  /**
   * Rules over a tree.
   *
   * @param exists whether a path, relative to the root, is a file or folder
   * @param textOf the text of a document
   */
  LinkRules(Predicate<String> exists, Function<String, Optional<String>> textOf) {
    this.exists = exists;
    this.textOf = textOf;
  }

  /** Links of this document that lead nowhere. */
  List<String> deadLinks(SourceFile file) {
    List<String> findings = new ArrayList<>();
    if (file.isMarkdown()) {
      Matcher link = LINK.matcher(withoutCode(file.text()));
      while (link.find()) {
        String target = link.group(1) == null ? link.group(2) : link.group(1);
        if (!OUTWARD.matcher(target).matches() && !leadsSomewhere(file, target)) {
          findings.add(file.finding(link.start(), "dead link: " + target));
        }
      }
    }
    return findings;
  }

  private boolean leadsSomewhere(SourceFile from, String target) {
    int hash = target.indexOf('#');
    String path = hash < 0 ? target : target.substring(0, hash);
    String resolved = path.isEmpty() ? from.path() : normalized(from.folder() + path);
    if (!exists.test(resolved)) {
      return false;
    }
    return hash < 0
        || !resolved.endsWith(".md")
        || textOf
            .apply(resolved)
            .map(LinkRules::anchors)
            .orElse(List.of())
            .contains(target.substring(hash + 1));
  }

  /** Folder steps resolved; a path that leaves the root keeps its dots and exists nowhere. */
  private static String normalized(String path) {
    List<String> steps = new ArrayList<>();
    for (String step : path.split("/", -1)) {
      if (step.equals("..") && !steps.isEmpty() && !steps.getLast().equals("..")) {
        steps.removeLast();
      } else if (!step.equals(".") && !step.isEmpty()) {
        steps.add(step);
      }
    }
    return String.join("/", steps);
  }

  private static List<String> anchors(String text) {
    return HEADING
        .matcher(blanked(FENCED, text))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("\\]\\([^)]*\\)", "").replaceAll("[^\\p{L}\\p{N} _-]", ""))
        .map(title -> title.replace(' ', '-'))
        .toList();
  }

  private static String withoutCode(String text) {
    return blanked(INLINE_CODE, blanked(FENCED, text));
  }

  private static String blanked(Pattern pattern, String text) {
    return pattern.matcher(text).replaceAll(hit -> hit.group().replaceAll("[^\n]", " "));
  }
}
