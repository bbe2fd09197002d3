package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.Checks;

/** The fate that a {@link PacketMonitor} decides for a datagram. */
public sealed interface Verdict {
  /** Nothing. */
  Verdict PASS = new Pass();

  /** The datagram is lost. */
  Verdict DROP = new Drop();

  /** The datagram arrives twice. */
  Verdict DUPLICATE = new Duplicate();

  /** One to three bits of the datagram are flipped. */
  Verdict CORRUPT = new Corrupt();

  /** The datagram arrives later, by ns; other datagrams overtake. */
  static Verdict delay(long delayNs) {
    return new Delay(delayNs);
  }

  /** The datagram arrives, and a copy arrives later by {@code laterNs}. */
  static Verdict again(long laterNs) {
    return new Again(laterNs);
  }

  /** See {@link #PASS}. */
  record Pass() implements Verdict {}

  /** See {@link #DROP}. */
  record Drop() implements Verdict {}

  /** See {@link #DUPLICATE}. */
  record Duplicate() implements Verdict {}

  /** See {@link #CORRUPT}. */
  record Corrupt() implements Verdict {}

  /** See {@link #again}. */
  record Again(long laterNs) implements Verdict {
    /** Checks that the time is not negative. */
    public Again {
      Checks.notNegative("a delay", laterNs);
    }
  }

  /** See {@link #delay}. */
  record Delay(long delayNs) implements Verdict {
    /** Checks that the time is not negative. */
    public Delay {
      Checks.notNegative("a delay", delayNs);
    }
  }
}
