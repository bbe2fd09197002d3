package io.millrace.testkit.internal.patch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Calls that may stay as in the source, read from lines {@code KIND[,KIND] CLASS REASON}. The class
 * is dotted; a {@code *} at its end stands for any rest. Empty lines and lines that start with
 * {@code #} say nothing. Remembers which lines were needed. One thread.
 */
public final class KnownCalls {
  private final List<Line> lines;
  private final List<Need> unmet = new ArrayList<>();

  private KnownCalls(List<Line> lines) {
    this.lines = lines;
    for (Line line : lines) {
      line.kinds().forEach(kind -> unmet.add(new Need(line, kind)));
    }
  }

  /**
   * Reads a list.
   *
   * @throws IllegalArgumentException naming the line that describes no call
   */
  public static KnownCalls read(InputStream input) throws IOException {
    String text = new String(input.readAllBytes(), StandardCharsets.UTF_8);
    return of(text.lines());
  }

  /**
   * Reads a list from its lines.
   *
   * @throws IllegalArgumentException naming the line that describes no call
   */
  static KnownCalls of(Stream<String> text) {
    return new KnownCalls(
        text.map(String::strip)
            .filter(x -> !x.isEmpty() && !x.startsWith("#"))
            .map(Line::parse)
            .toList());
  }

  /** Whether a line knows the call; every matching line counts as needed. */
  boolean contains(CallSite site) {
    unmet.removeIf(x -> x.kind() == site.kind() && x.line().matches(site.className()));
    return lines.stream()
        .anyMatch(x -> x.kinds().contains(site.kind()) && x.matches(site.className()));
  }

  /** Returns the kinds and classes of lines that matched no call. */
  List<String> unused() {
    return unmet.stream().map(x -> x.kind().label() + " " + x.line().pattern()).toList();
  }

  private record Need(Line line, CallKind kind) {}

  private record Line(Set<CallKind> kinds, String pattern) {
    static Line parse(String text) {
      String[] parts = text.split("\\s+", 3);
      if (parts.length < 3) {
        throw new IllegalArgumentException("not KIND CLASS REASON: " + text);
      }
      Set<CallKind> kinds = EnumSet.noneOf(CallKind.class);
      for (String kind : parts[0].split(",", -1)) {
        kinds.add(CallKind.valueOf(kind.toUpperCase(Locale.ROOT)));
      }
      return new Line(kinds, parts[1]);
    }

    boolean matches(String className) {
      return pattern.endsWith("*")
          ? className.startsWith(pattern.substring(0, pattern.length() - 1))
          : className.equals(pattern);
    }
  }
}
