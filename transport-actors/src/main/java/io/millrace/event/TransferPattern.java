package io.millrace.event;

/** How an application uses a transfer; in the order of the numbers of the protocol. */
public enum TransferPattern {
  /** A single request and a single response. */
  UNARY("unary"),

  /** A single request and many responses. */
  STREAMING_RESPONSE("streaming response"),

  /** Many requests and a single response. */
  STREAMING_REQUEST("streaming request"),

  /** Many of both. */
  BIDIRECTIONAL("bidirectional"),

  /** A payload from memory or files to memory or files. */
  BULK("bulk");

  private final String text;

  TransferPattern(String text) {
    this.text = text;
  }

  /** The name of the pattern in metrics and traces. */
  public String text() {
    return text;
  }
}
