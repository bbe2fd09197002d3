package io.millrace.event;

/** How an application uses a transfer; in the order of the numbers of the protocol. */
public enum TransferPattern {
  /** One request, one response. */
  UNARY("unary"),

  /** One request, many responses. */
  STREAMING_RESPONSE("streaming response"),

  /** Many requests, one response. */
  STREAMING_REQUEST("streaming request"),

  /** Many of both. */
  BIDIRECTIONAL("bidirectional"),

  /** A payload from memory or files to memory or files. */
  BULK("bulk");

  private final String text;

  TransferPattern(String text) {
    this.text = text;
  }

  /** As metrics and traces name it. */
  public String text() {
    return text;
  }
}
