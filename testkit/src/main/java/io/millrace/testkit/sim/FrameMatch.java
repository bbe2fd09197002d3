package io.millrace.testkit.sim;

import java.util.List;

/**
 * Selects the datagrams of a directed fault: datagrams with a frame of one type, all of these
 * datagrams or only the n-th. A datagram counts once, however many such frames the datagram holds.
 * Second copies do not count; retransmissions do. Immutable, any thread.
 */
public final class FrameMatch {
  private static final int EVERY = 0;
  private static final int ANY = -1;
  private static final long NO_SUBJECT = -1;
  private static final int TEEN = 10;
  private static final int TENS = 100;
  private static final List<String> ENDINGS = List.of("th", "st", "nd", "rd");

  private final FrameType frame;
  private final int occurrence;
  private final long subject;
  private final int from;
  private final int to;

  private FrameMatch(FrameType frame, int occurrence, long subject, int from, int to) {
    this.frame = frame;
    this.occurrence = occurrence;
    this.subject = subject;
    this.from = from;
    this.to = to;
  }

  /** Matches every frame of this type, on any link. */
  public static FrameMatch of(FrameType frame) {
    return new FrameMatch(frame, EVERY, NO_SUBJECT, ANY, ANY);
  }

  /**
   * Matches every frame of the type of this name, for example {@code WRITE_NOTIFY}.
   *
   * @throws IllegalArgumentException if no type has this name
   */
  public static FrameMatch of(String frame) {
    return of(FrameType.valueOf(frame));
  }

  /** Restricts the match to the first datagram. */
  public FrameMatch first() {
    return nth(1);
  }

  /**
   * Restricts the match to the n-th datagram, counted from 1, beginning when the fault is planned.
   *
   * @throws IllegalArgumentException if the number is less than 1
   */
  public FrameMatch nth(int number) {
    if (number < 1) {
      throw new IllegalArgumentException("occurrences are counted from 1, there is no " + number);
    }
    return new FrameMatch(frame, number, subject, from, to);
  }

  /**
   * Restricts the match to frames about this subject, a transfer for example; see {@link
   * FrameType}.
   */
  public FrameMatch about(long number) {
    return new FrameMatch(frame, occurrence, number, from, to);
  }

  /** Restricts the match to frames from a node to another node. */
  public FrameMatch on(int fromNode, int toNode) {
    return new FrameMatch(frame, occurrence, subject, fromNode, toNode);
  }

  /**
   * Whether the match covers frames of this type about this subject, regardless of the occurrence.
   */
  public boolean isOf(FrameType type, long about) {
    return type == frame && (subject == NO_SUBJECT || about == subject);
  }

  /** Whether the match covers the link from a node to another node. */
  public boolean isOn(int fromNode, int toNode) {
    return from == ANY || (fromNode == from && toNode == to);
  }

  /** Whether the match covers the occurrence of this number, from 1. */
  public boolean isFor(long number) {
    return occurrence == EVERY || occurrence == number;
  }

  private static String ordinal(int number) {
    boolean isTeen = number % TENS / TEEN == 1;
    int last = number % TEEN;
    return number + ENDINGS.get(isTeen || last >= ENDINGS.size() ? 0 : last);
  }

  /** In words: {@code the 2nd WRITE_NOTIFY about 7 from n0 to n1}. */
  @Override
  public String toString() {
    return (occurrence == EVERY ? "every " : "the " + ordinal(occurrence) + " ")
        + frame
        + (subject == NO_SUBJECT ? "" : " about " + subject)
        + (from == ANY ? "" : " from n" + from + " to n" + to);
  }
}
