package io.millrace.protocol.stream;

/** The flows of a stream, as the stream's opening says; rule S-1. */
public final class StreamPattern {
  /** A single message, no stream. */
  public static final int UNARY = 0;

  /** The opening's payload is the request; the response is a flow. */
  public static final int STREAMING_RESPONSE = 1;

  /** The request is a flow; the response flow has one element. */
  public static final int STREAMING_REQUEST = 2;

  /** Both are flows, paced and closed independently. */
  public static final int BIDIRECTIONAL = 3;

  private StreamPattern() {}

  /** Whether a transfer of this pattern is a stream. */
  public static boolean isStream(int pattern) {
    return pattern >= STREAMING_RESPONSE && pattern <= BIDIRECTIONAL;
  }

  /** Whether a stream of this pattern has a flow from its initiator. */
  public static boolean hasRequestFlow(int pattern) {
    return pattern == STREAMING_REQUEST || pattern == BIDIRECTIONAL;
  }
}
