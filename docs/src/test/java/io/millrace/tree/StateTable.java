package io.millrace.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A table of transitions by which the engine decides.
 *
 * @param table the class that decides, whose comment shows the table
 * @param states the enum of the states
 * @param events the enum of the events
 * @param head the names of the events, in the order of their enum
 * @param rows the cells of each state: the state's name, then the next state after each event, or a
 *     dash
 */
record StateTable(
    Class<?> table, Class<?> states, Class<?> events, List<String> head, List<List<String>> rows) {
  static final String SOURCES = "transport-actors/src/main/java/";

  /** Asks {@code next} for every state and event. */
  static <S extends Enum<S>, E extends Enum<E>> StateTable of(
      Class<?> table, Class<S> states, Class<E> events, BiFunction<S, E, Optional<S>> next) {
    List<List<String>> rows = new ArrayList<>();
    for (S state : states.getEnumConstants()) {
      List<String> cells = new ArrayList<>(List.of(state.name()));
      for (E event : events.getEnumConstants()) {
        cells.add(next.apply(state, event).map(Enum::name).orElse("-"));
      }
      rows.add(cells);
    }
    return new StateTable(table, states, events, names(events), rows);
  }

  private static List<String> names(Class<? extends Enum<?>> constants) {
    return Arrays.stream(constants.getEnumConstants()).map(Enum::name).toList();
  }

  /** The table's name in the document. */
  String name() {
    return states.getSimpleName();
  }

  /** The source file of this class, from the root of the repository. */
  static String sourceOf(Class<?> type) {
    return SOURCES + type.getName().replaceFirst("\\$.*", "").replace('.', '/') + ".java";
  }

  /** The table in the form for the comment of its class, with single spaces. */
  String comment() {
    StringBuilder lines = new StringBuilder("* ").append(String.join(" ", head)).append('\n');
    rows.forEach(cells -> lines.append("* ").append(String.join(" ", cells)).append('\n'));
    return lines.toString();
  }

  /**
   * The table's section of the document: the states and events with the comments of their enums,
   * then the table.
   *
   * @param stateSource text of the file with the states
   * @param eventSource text of the file with the events
   */
  String section(String stateSource, String eventSource) {
    StringBuilder out = new StringBuilder();
    out.append("| state | meaning |\n|---|---|\n");
    rows.forEach(cells -> out.append(meaning(stateSource, states, cells.getFirst())));
    out.append("\n| input | meaning |\n|---|---|\n");
    head.forEach(event -> out.append(meaning(eventSource, events, event)));
    out.append("\n| | ").append(String.join(" | ", head)).append(" |\n|---|");
    out.append("---|".repeat(head.size())).append('\n');
    for (List<String> cells : rows) {
      out.append("| **").append(cells.getFirst()).append("** | ");
      out.append(String.join(" | ", cells.subList(1, cells.size()))).append(" |\n");
    }
    return out.toString();
  }

  private static String meaning(String source, Class<?> constants, String name) {
    return "| %s | %s |\n".formatted(name, commentOf(source, constants.getSimpleName(), name));
  }

  /** The comment in front of a constant, on one line. */
  private static String commentOf(String source, String type, String constant) {
    int start = source.indexOf("enum " + type + " {");
    Matcher found =
        Pattern.compile("/\\*\\*((?:[^*]|\\*(?!/))*)\\*/\\s*" + constant + "\\b").matcher(source);
    if (start < 0 || !found.find(start)) {
      throw new IllegalArgumentException("nothing says what " + type + "." + constant + " means");
    }
    return found
        .group(1)
        .replaceAll("\\s*\\n\\s*\\*\\s*", " ")
        .replaceAll("\\{@(?:link|code) #?([^}]*)}", "`$1`")
        .strip();
  }
}
