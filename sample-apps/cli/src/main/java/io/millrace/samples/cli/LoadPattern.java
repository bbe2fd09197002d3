package io.millrace.samples.cli;

import io.millrace.api.Route;
import io.millrace.samples.served.ServedChains;
import io.millrace.samples.served.ServedRoutes;
import io.millrace.samples.served.ServedStreams;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** The kind of calls in a load. */
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
   * Returns the pattern of this name.
   *
   * @throws CommandException if no pattern has this name
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

  /** Returns whether a call is a stream of elements, each of the size. */
  boolean isStream() {
    return this == STREAMING_RESPONSE || this == STREAMING_REQUEST || this == BIDIRECTIONAL;
  }

  /** Returns the name of the pattern's calls in a report. */
  String callsLabel() {
    if (this == BROADCAST) {
      return "broadcasts";
    }
    return isStream() ? "streams" : "calls";
  }

  /** Returns the name of the parts that can fail. */
  String failuresLabel() {
    return this == BROADCAST ? "deliveries" : "calls";
  }

  /** Returns whether payload is counted in motion, not at the end of its call. */
  boolean isCountedMoving() {
    return isStream() || this == BULK || this == BROADCAST;
  }

  /** Returns the default route. */
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

  /** Returns the default payload of a call, or of an element. */
  long usualBytes() {
    return usualBytes;
  }

  /** Returns the least payload: a call of a chain has a number. */
  long leastBytes() {
    return this == CHAIN ? ServedChains.LEAST_BYTES : 0;
  }

  /** Returns the largest payload: a call of a chain fits any datagram. */
  long mostBytes() {
    return mostBytes;
  }

  /** Returns the default number of elements in a stream, or of calls in a chain. */
  int usualElements() {
    return this == CHAIN ? 1_000 : 100;
  }

  /** Returns the largest number: a pipelined chain waits for its peer as a whole. */
  int mostElements() {
    return this == CHAIN ? MOST_CHAINED : MOST_ELEMENTS;
  }

  /** Returns the place where calls complete, by default the usual place. */
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
