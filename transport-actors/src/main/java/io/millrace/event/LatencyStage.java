package io.millrace.event;

/** A stage of a transfer that takes time, and has a histogram of its own. */
public enum LatencyStage {
  /** All of a transfer of this node. */
  TRANSFER(
      "millrace.transfer.latency",
      "Time of this node's transfers, from when their worker knew of them to their end."),

  /** Pacing, credit and more urgent transfers. */
  QUEUE_WAIT(
      "millrace.transfer.queue.wait",
      "Time of requests that go inline, from when their worker knew of them to their first"
          + " packet."),

  /** The peer's memory. */
  GRANT_WAIT(
      "millrace.bodies.grant.wait",
      "Time of bodies that this node sends, from the first sealed bytes to the first granted"
          + " memory."),

  /** The network, and how fast the peer takes bytes out. */
  WRITE(
      "millrace.bodies.write",
      "Time of bodies that this node sends, from the first granted memory to when the peer has"
          + " taken over all bytes.");

  private final String metric;
  private final String text;

  LatencyStage(String metric, String text) {
    this.metric = metric;
    this.text = text;
  }

  /** The name of the stage's metric, with dots. */
  public String metric() {
    return metric;
  }

  /** The description of the stage, for a person. */
  public String text() {
    return text;
  }
}
