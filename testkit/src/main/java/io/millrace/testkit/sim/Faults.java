package io.millrace.testkit.sim;

/**
 * Plans faults of a run. Times are virtual ns since the start of the run, durations ns; a fault
 * ends by itself after its duration, or when the run is healed. Each planned fault has a number and
 * can be left out of a run without changing the others. Simulation thread only.
 */
public interface Faults {
  /** Returns the number of faults that have happened so far. */
  long fired();

  /**
   * Whether a fault that can cost a call its outcome touched the two nodes or their traffic at
   * {@code sinceNs} or later. Faults of clocks never count. A fault planned by {@link #plan} always
   * counts, because nobody knows its reach and duration.
   */
  boolean isDisturbed(int node, int other, long sinceNs);

  /**
   * Breaks the rule "directed faults meet their frames" if a directed fault still waits for its
   * frame.
   */
  void requireMet();

  /** Loses datagrams with this frame; a fabric loses such messages for good. */
  void drop(FrameMatch match);

  /** Delivers datagrams with this frame twice; the hardware of a fabric hides the second copy. */
  void duplicate(FrameMatch match);

  /** Delivers datagrams with this frame later by {@code laterNs}; other datagrams overtake. */
  void delay(FrameMatch match, long laterNs);

  /**
   * Captures datagrams with this frame: each datagram arrives, and arrives again later by {@code
   * laterNs}. The hardware of a fabric hides the second copy.
   */
  void replay(FrameMatch match, long laterNs);

  /**
   * Delivers a datagram with this frame later by {@code laterNs}. Until this datagram arrives, all
   * other datagrams with a frame of this type about the same subject on the same link get lost.
   */
  void withhold(FrameMatch match, long laterNs);

  /** Damages datagrams with this frame; the hardware of a fabric sends messages again. */
  void corrupt(FrameMatch match);

  /** Ends the process of a node at once and, after a while, starts the node again. */
  void crash(long atNs, int node, long downNs);

  /** Stops a node in order and, after a while, starts the node again. */
  void stop(long atNs, int node, long downNs);

  /** Lets a node stand still. */
  void pause(long atNs, int node, long forNs);

  /** Blocks the way from a node to another node; the other way stays open. */
  void cut(long atNs, int from, int to, long forNs);

  /** Blocks both ways between two nodes. */
  void cutBoth(long atNs, int one, int other, long forNs);

  /**
   * Holds back all arrivals over a link until the end of the fault, and then delivers everything at
   * once.
   */
  void clog(long atNs, int from, int to, long forNs);

  /** Clogs half of the nodes one by one, and unclogs these nodes in another order. */
  void swizzleClog(long atNs, long forNs);

  /** Adds losses on a link to the losses of the network. */
  void loss(long atNs, int from, int to, LossSettings loss, long forNs);

  /**
   * Damages datagrams of a link. On a fabric the hardware sends truncated messages again, and wrong
   * bits hit the pieces of writes.
   *
   * @throws IllegalArgumentException on a fabric if datagrams are to come twice or late
   */
  void damage(long atNs, int from, int to, DamageSettings damage, long forNs);

  /** Makes a link slower, or faster. On a fabric senders wait, and no queue drops messages. */
  void rate(long atNs, int from, int to, RateSettings rate, long forNs);

  /**
   * Lets a link pass no longer datagrams than {@code bytes}.
   *
   * @param isTold whether the sender of a longer datagram is told (ICMP); otherwise the datagram
   *     vanishes
   * @throws IllegalArgumentException on a fabric
   */
  void mtu(long atNs, int from, int to, int bytes, boolean isTold, long forNs);

  /**
   * Lets a link drop the excess of each flow over a rate.
   *
   * @throws IllegalArgumentException on a fabric
   */
  void policer(long atNs, int from, int to, PolicerSettings policer, long forNs);

  /** Makes the delay of datagrams on a link longer, or shorter. */
  void delay(long atNs, int from, int to, DelaySettings delay, long forNs);

  /** Takes down the first interface of a node, and brings the interface back. */
  void nicDown(long atNs, int node, NicState state, long forNs);

  /**
   * Takes down an interface of a node, and brings the interface back; the node's other interfaces
   * go on.
   *
   * @param index of the interface, from 0 on
   */
  void nicDown(long atNs, int node, int index, NicState state, long forNs);

  /**
   * Makes the system of a node refuse to register memory; registered memory stays.
   *
   * @throws IllegalArgumentException if nodes send datagrams
   */
  void noRegistrations(long atNs, int node, long forNs);

  /** Makes the clock of a node run faster, or slower where negative, until the end of the run. */
  void drift(long atNs, int node, long ppm);

  /** Sets the wall clock of a node, as an operator does. */
  void setClock(long atNs, int node, long byNs);

  /**
   * Plans a fault of the caller's own.
   *
   * @param words description of the fault, for people
   * @param begin runs at {@code atNs}
   * @param end runs once, after {@code forNs} or when the run is healed; never where {@code forNs}
   *     is 0
   */
  void plan(long atNs, long forNs, String words, Runnable begin, Runnable end);
}
