package io.millrace.samples.bench.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The cost of a step of a composed figure.
 *
 * @param name the step
 * @param nsPerByte the cost of the step for each byte of payload
 */
public record Piece(String name, double nsPerByte) {
  private static final String NONE = "-";

  /** Formats pieces as one word of text. */
  static String format(List<Piece> pieces) {
    return pieces.isEmpty()
        ? NONE
        : pieces.stream()
            .map(piece -> piece.name + "=" + piece.nsPerByte)
            .collect(Collectors.joining(","));
  }

  /** Reads a word of {@link #format}. */
  static List<Piece> parse(String word) {
    List<Piece> pieces = new ArrayList<>();
    if (word.equals(NONE)) {
      return pieces;
    }
    for (String part : word.split(",", -1)) {
      int equals = part.indexOf('=');
      pieces.add(
          new Piece(part.substring(0, equals), Double.parseDouble(part.substring(equals + 1))));
    }
    return pieces;
  }
}
