package io.millrace.access;

/** The ways in which a peer uses a route of this node. */
public enum CallPattern {
  /** One request, one response. */
  UNARY("unary"),

  /** One request, many responses. */
  STREAMING_RESPONSE("streaming-response"),

  /** Many requests, one response. */
  STREAMING_REQUEST("streaming-request"),

  /** Many of both. */
  BIDIRECTIONAL("bidirectional"),

  /** The peer reads a payload in bulk. */
  BULK_READ("bulk-read"),

  /** The peer writes a payload in bulk; each transfer of a broadcast is one. */
  BULK_WRITE("bulk-write");

  private final String text;

  CallPattern(String text) {
    this.text = text;
  }

  /** As the configuration names it. */
  public String text() {
    return text;
  }
}
