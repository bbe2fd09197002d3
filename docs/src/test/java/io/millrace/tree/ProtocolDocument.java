package io.millrace.tree;

import io.millrace.tree.FrameSchema.Field;
import io.millrace.tree.FrameSchema.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The parts of {@code docs/protocol.md} that a machine can compare: frames, each under a heading
 * {@code ### Name (id)} with a table {@code field | type | meaning}, and rules, each starting with
 * its number in bold, {@code **P-12**}.
 */
final class ProtocolDocument {
  private static final Pattern HEADING = Pattern.compile("### +(\\w+) +\\((\\d+)\\) *");
  private static final Pattern RULE = Pattern.compile("\\*\\*(P-\\d+)\\*\\*");
  private static final Pattern CITATION =
      Pattern.compile("\\brules?[\\s*]+(P-\\d+(?:(?:,|[\\s*]+and|[\\s*]+to)[\\s*]+P-\\d+)*)");
  private static final Pattern NUMBER = Pattern.compile("P-\\d+");

  private final String text;

  ProtocolDocument(String text) {
    this.text = text;
  }

  /** Where document and schema differ. */
  List<String> differencesFrom(List<Frame> schema) {
    List<String> differences = new ArrayList<>();
    Map<String, Frame> documented = new HashMap<>();
    for (Frame frame : frames()) {
      if (documented.put(frame.name(), frame) != null) {
        differences.add(frame.name() + " has two sections");
      }
    }
    for (Frame frame : schema) {
      Frame section = documented.remove(frame.name());
      if (section == null) {
        differences.add("no section ### " + frame.name() + " (" + frame.id() + ")");
      } else {
        differences.addAll(compare(section, frame));
      }
    }
    new TreeSet<>(documented.keySet())
        .forEach(name -> differences.add(name + " is not in the schema"));
    return differences;
  }

  /** Rules that comments of this file cite and the document does not have. */
  List<String> unknownCitations(SourceFile file) {
    if (!file.isJava()) {
      return List.of();
    }
    Set<String> rules =
        new TreeSet<>(RULE.matcher(text).results().map(hit -> hit.group(1)).toList());
    List<String> findings = new ArrayList<>();
    for (MatchResult citation :
        CITATION.matcher(new JavaText(file.text()).comments()).results().toList()) {
      NUMBER
          .matcher(citation.group(1))
          .results()
          .map(MatchResult::group)
          .filter(rule -> !rules.contains(rule))
          .forEach(
              rule -> findings.add(file.finding(citation.start(), "there is no rule " + rule)));
    }
    return findings;
  }

  /** Rule numbers that two rules carry. */
  List<String> ambiguousRules() {
    Set<String> seen = new TreeSet<>();
    return RULE.matcher(text)
        .results()
        .map(hit -> hit.group(1))
        .filter(rule -> !seen.add(rule))
        .toList();
  }

  private static List<String> compare(Frame section, Frame frame) {
    List<String> differences = new ArrayList<>();
    if (section.id() != frame.id()) {
      differences.add(frame.name() + " has id " + frame.id() + ", documented as " + section.id());
    }
    int rows = Math.max(section.fields().size(), frame.fields().size());
    for (int row = 0; row < rows; row++) {
      String stated = row < section.fields().size() ? shown(section.fields().get(row)) : "missing";
      String defined = row < frame.fields().size() ? shown(frame.fields().get(row)) : "not there";
      if (!stated.equals(defined)) {
        String where = frame.name() + ", field " + (row + 1);
        differences.add(where + ": documented as " + stated + ", the schema says " + defined);
      }
    }
    return differences;
  }

  private static String shown(Field field) {
    return field.name() + " " + field.type();
  }

  private List<Frame> frames() {
    List<Frame> frames = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (String line : text.lines().toList()) {
      var heading = HEADING.matcher(line);
      if (heading.matches()) {
        fields = new ArrayList<>();
        frames.add(new Frame(heading.group(1), Integer.parseInt(heading.group(2)), fields));
      } else if (line.startsWith("#")) {
        fields = new ArrayList<>();
      } else if (line.startsWith("|")) {
        addRow(line, fields);
      }
    }
    return frames;
  }

  private static void addRow(String line, List<Field> fields) {
    String[] cells = line.replace("`", "").split("\\|", -1);
    if (cells.length >= 4) {
      String name = cells[1].strip();
      boolean isHead = name.equals("field") || name.matches(":?-+:?");
      if (!isHead) {
        fields.add(new Field(name, cells[2].strip()));
      }
    }
  }
}
