package io.millrace.samples.cli;

import io.millrace.api.Route;
import io.millrace.samples.served.ServedChains;
import io.millrace.samples.served.ServedRoutes;
import io.millrace.samples.served.ServedStreams;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** What a load consists of. */
enum LoadPattern {
  UNARY("unary", 32, 1 << 30),
  STREAMING_RESPONSE("streaming-response", 1 << 10, 1 << 30),
  STREAMING_REQUEST("streaming-request", 1 << 10, 1 << 30),
  BIDIRECTIONAL("bidirectional", 1 << 10, 1 << 30),
  BULK("bulk", 64 << 20, 1L << 40),
  BROADCAST("broadcast", 1 << 20, 1 << 30),
  CHAIN("chain", 32, 1 << 10);

  private static final int MOST_ELEMENTS = 1 << 30;
  private static final int MOST_CHAINED = 50_000;

  private final String label;
  private final long usualBytes;
  private final long mostBytes;

  LoadPattern(String label, long usualBytes, long mostBytes) {
    this.label = label;
    this.usualBytes = usualBytes;
    this.mostBytes = mostBytes;
  }

  /**
   * The pattern of that name.
   *
   * @throws CommandException if there is none
   */
  static LoadPattern of(String name) {
    for (LoadPattern pattern : values()) {
      if (pattern.label.equals(name)) {
        return pattern;
      }
    }
    throw CommandException.badArgument(
        "unknown pattern '"
            + name
            + "'; patterns are: "
            + Arrays.stream(values()).map(LoadPattern::label).collect(Collectors.joining(", ")));
  }

  String label() {
    return label;
  }

  /** Whether a call is a stream of elements, each of the size. */
  boolean isStream() {
    return this == STREAMING_RESPONSE || this == STREAMING_REQUEST || this == BIDIRECTIONAL;
  }

  /** What its calls are called in a report. */
  String callsLabel() {
    if (this == BROADCAST) {
      return "broadcasts";
    }
    return isStream() ? "streams" : "calls";
  }

  /** What it is that fails, one by one. */
  String failuresLabel() {
    return this == BROADCAST ? "deliveries" : "calls";
  }

  /** Whether payload is counted as it moves, not when its call has ended. */
  boolean isCountedMoving() {
    return isStream() || this == BULK || this == BROADCAST;
  }

  /** The route that the user did not name. */
  Route<ByteString, ByteString> route(boolean inline) {
    return switch (this) {
      case STREAMING_RESPONSE -> ServedStreams.SOURCE;
      case STREAMING_REQUEST -> ServedStreams.SINK;
      case BIDIRECTIONAL -> ServedStreams.ECHO;
      case BULK, BROADCAST -> ServedRoutes.BULK_SINK;
      case CHAIN -> ServedChains.CHAIN;
      case UNARY -> inline ? ServedRoutes.ECHO : ServedRoutes.ECHO_EXECUTOR;
    };
  }

  /** Payload of a call, or of an element, when the user names no size. */
  long usualBytes() {
    return usualBytes;
  }

  /** A call of a chain is numbered. */
  long leastBytes() {
    return this == CHAIN ? ServedChains.LEAST_BYTES : 0;
  }

  /** A call of a chain fits any datagram. */
  long mostBytes() {
    return mostBytes;
  }

  /** Elements of a stream, or calls of a chain, when the user names no number. */
  int usualElements() {
    return this == CHAIN ? 1_000 : 100;
  }

  /** A pipelined chain waits for its peer as a whole. */
  int mostElements() {
    return this == CHAIN ? MOST_CHAINED : MOST_ELEMENTS;
  }

  /** Where its calls complete, the usual place if the user names none. */
  String completion(@Nullable String wanted) {
    String usual = this == UNARY ? "inline" : "executor";
    String chosen = wanted == null ? usual : wanted;
    if (!chosen.equals("inline") && !chosen.equals("executor")) {
      throw CommandException.badArgument(
          "--completion must be inline or executor, not '" + chosen + "'");
    }
    if (this != UNARY && !chosen.equals(usual)) {
      throw CommandException.badArgument(
          "--completion must be " + usual + " with pattern '" + label + "'");
    }
    return chosen;
  }
}
