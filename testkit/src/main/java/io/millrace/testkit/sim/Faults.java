package io.millrace.testkit.sim;

/**
 * Plans faults of a run. Times are virtual ns since the start of the run, durations ns; a fault
 * ends by itself after its duration, or when the run is healed. Each planned fault has a number and
 * can be left out of a run without changing the others. Simulation thread only.
 */
public interface Faults {
  /** Faults that have happened so far. */
  long fired();

  /**
   * Whether a fault that can cost a call its outcome touched one of these nodes or what passes
   * between them at {@code sinceNs} or later: clocks cannot, and of a fault that is not one of this
   * class nobody knows what it touches, and for how long.
   */
  boolean isDisturbed(int node, int other, long sinceNs);

  /** Breaks the rule "directed faults meet their frames" if one still waits. */
  void requireMet();

  /** Datagrams with this frame are lost; messages of a fabric for good. */
  void drop(FrameMatch match);

  /** Datagrams with this frame arrive twice; the hardware of a fabric hides that. */
  void duplicate(FrameMatch match);

  /** Datagrams with this frame come later than they would, overtaken by others. */
  void delay(FrameMatch match, long laterNs);

  /**
   * Datagrams with this frame are captured: they arrive, and again so much later. The hardware of a
   * fabric hides that.
   */
  void replay(FrameMatch match, long laterNs);

  /**
   * A datagram with this frame comes so much later than it would. Until it does, all others get
   * lost that have a frame of this type about the same subject on the same link.
   */
  void withhold(FrameMatch match, long laterNs);

  /** Datagrams with this frame are damaged; the hardware of a fabric sends messages again. */
  void corrupt(FrameMatch match);

  /** The process of a node is lost and, after a while, started again. */
  void crash(long atNs, int node, long downNs);

  /** A node is stopped in order and, after a while, started again. */
  void stop(long atNs, int node, long downNs);

  /** A node stands still. */
  void pause(long atNs, int node, long forNs);

  /** Nothing passes from one node to the other; the other way stays open. */
  void cut(long atNs, int from, int to, long forNs);

  /** Nothing passes between two nodes, either way. */
  void cutBoth(long atNs, int one, int other, long forNs);

  /** What arrives over a link is held back until the end, and then arrives at once. */
  void clog(long atNs, int from, int to, long forNs);

  /** A half of the nodes are clogged one by one, and unclogged in another order. */
  void swizzleClog(long atNs, long forNs);

  /** A link loses datagrams, in addition to what the network does anyway. */
  void loss(long atNs, int from, int to, LossSettings loss, long forNs);

  /**
   * A link damages datagrams. On a fabric what is cut short is sent again, and wrong bits meet the
   * pieces of writes.
   *
   * @throws IllegalArgumentException on a fabric if datagrams are to come twice or late
   */
  void damage(long atNs, int from, int to, DamageSettings damage, long forNs);

  /** A link becomes slower, or faster. On a fabric senders wait, and no queue drops anything. */
  void rate(long atNs, int from, int to, RateSettings rate, long forNs);

  /**
   * A link passes no longer datagrams.
   *
   * @param isTold the sender of a longer one is told (ICMP); otherwise it vanishes
   * @throws IllegalArgumentException on a fabric
   */
  void mtu(long atNs, int from, int to, int bytes, boolean isTold, long forNs);

  /**
   * A link drops what a flow sends above a rate.
   *
   * @throws IllegalArgumentException on a fabric
   */
  void policer(long atNs, int from, int to, PolicerSettings policer, long forNs);

  /** Datagrams of a link travel longer, or shorter. */
  void delay(long atNs, int from, int to, DelaySettings delay, long forNs);

  /** The first interface of a node dies, and lives again. */
  void nicDown(long atNs, int node, NicState state, long forNs);

  /**
   * An interface of a node dies, and lives again; its others go on.
   *
   * @param index of the interface, from 0 on
   */
  void nicDown(long atNs, int node, int index, NicState state, long forNs);

  /**
   * The system lets a node register no memory; what is registered stays.
   *
   * @throws IllegalArgumentException if nodes send datagrams
   */
  void noRegistrations(long atNs, int node, long forNs);

  /** The clock of a node runs faster, or slower where negative, until the end of the run. */
  void drift(long atNs, int node, long ppm);

  /** An operator sets the wall clock of a node. */
  void setClock(long atNs, int node, long byNs);

  /**
   * Any other fault.
   *
   * @param words what it is, for people
   * @param begin runs at {@code atNs}
   * @param end runs once, after {@code forNs} or when the run is healed; where that is 0, never
   */
  void plan(long atNs, long forNs, String words, Runnable begin, Runnable end);
}
