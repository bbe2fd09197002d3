package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.Checks;

/** What a {@link PacketMonitor} wants to happen to a datagram. */
public sealed interface Verdict {
  /** Nothing. */
  Verdict PASS = new Pass();

  /** It is lost. */
  Verdict DROP = new Drop();

  /** It arrives twice. */
  Verdict DUPLICATE = new Duplicate();

  /** One to three of its bits are flipped. */
  Verdict CORRUPT = new Corrupt();

  /** It arrives later, by ns, overtaken by others. */
  static Verdict delay(long delayNs) {
    return new Delay(delayNs);
  }

  /** It arrives, and so much later, in ns, a copy of it does. */
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
    /** Checks that it is not negative. */
    public Again {
      Checks.notNegative("a delay", laterNs);
    }
  }

  /** See {@link #delay}. */
  record Delay(long delayNs) implements Verdict {
    /** Checks that it is not negative. */
    public Delay {
      Checks.notNegative("a delay", delayNs);
    }
  }
}
