package io.millrace.access;

/** The ways in which a peer uses a route of this node. */
public enum CallPattern {
  /** A single request, a single response. */
  UNARY("unary"),

  /** A single request, many responses. */
  STREAMING_RESPONSE("streaming-response"),

  /** Many requests, a single response. */
  STREAMING_REQUEST("streaming-request"),

  /** Many of both. */
  BIDIRECTIONAL("bidirectional"),

  /** The peer reads a payload in bulk. */
  BULK_READ("bulk-read"),

  /** The peer writes a payload in bulk; each transfer of a broadcast is a bulk write. */
  BULK_WRITE("bulk-write");

  private final String text;

  CallPattern(String text) {
    this.text = text;
  }

  /** The name of the pattern in the configuration. */
  public String text() {
    return text;
  }
}
