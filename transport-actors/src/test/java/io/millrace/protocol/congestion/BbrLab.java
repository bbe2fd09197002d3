package io.millrace.protocol.congestion;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A Bbr flow over a single path, and questions about the flow's state. */
final class BbrLab {
  static final int DATAGRAM = 1472;
  static final long MBIT = 1_000_000;
  static final long SECOND = 1_000_000_000;
  static final int TRAIN = 64 << 10;

  /**
   * Payload bytes of a full datagram: the datagram less the header, the tag and the chunk's header.
   */
  static final int PAYLOAD = DATAGRAM - 64;

  final PathModel path;
  final Bbr bbr;
  final ModelFlow flow;

  BbrLab(long bitsPerSecond, double rttMs) {
    path = new PathModel(bitsPerSecond, PathModel.ms(rttMs));
    bbr = bbr(1);
    flow = path.flow(bbr, DATAGRAM);
  }

  static Bbr bbr(long seed) {
    return new Bbr(
        BbrSettings.forPath(DATAGRAM, TRAIN, PathModel.ms(10), 2, PathModel.ms(1), seed));
  }

  static NewReno newReno() {
    return new NewReno(NewRenoSettings.forPath(DATAGRAM, TRAIN));
  }

  /** Has bytes without end and is in this state, for the first time from now on. */
  BbrLab endlesslyUntil(BbrState state) {
    flow.offerEndlessly();
    return until(state);
  }

  BbrLab until(BbrState state) {
    assertTrue(
        path.run(() -> bbr.state() == state, path.nowNs + 30 * SECOND),
        () -> state + " was never reached: " + this);
    return this;
  }

  /** Runs until the state is another. */
  BbrState leave(BbrState state, double withinMs) {
    assertTrue(
        path.run(() -> bbr.state() != state, path.nowNs + PathModel.ms(withinMs)),
        () -> state + " was not left: " + this);
    return bbr.state();
  }

  /** The used share of the bottleneck over a duration from now on. */
  double utilisation(double durationMs) {
    final long before = path.carriedBytes;
    final long startNs = path.nowNs;
    path.runFor(PathModel.ms(durationMs));
    return (path.carriedBytes - before) * 1e9 / (path.nowNs - startNs) / path.bytesPerSecond;
  }

  /** The estimated bandwidth as a share of the bottleneck's bandwidth. */
  double estimate() {
    return (double) bbr.maxBandwidthBytesPerSecond() / path.bytesPerSecond;
  }

  /** The time until all bytes of a transfer are acknowledged, ns. */
  long transferNs(long payloadBytes, double limitMs) {
    final long startNs = path.nowNs;
    flow.offer(payloadBytes * DATAGRAM / PAYLOAD);
    assertTrue(
        path.run(
            () -> flow.waitingBytes == 0 && flow.recovery.bytesInFlight() == 0,
            startNs + PathModel.ms(limitMs)),
        () -> "not done: " + this);
    return path.nowNs - startNs;
  }

  @Override
  public String toString() {
    return ("%.3f s %s round %d, max %.3f of the link, pacing %.3f, window %d, in flight %d, long"
            + " %d, short %d at %d, min rtt %.3f ms, extra %d, queue %d, sent %d, dropped %d")
        .formatted(
            path.nowNs / 1e9,
            bbr.state(),
            bbr.roundCount(),
            estimate(),
            (double) bbr.pacingRateBytesPerSecond() / path.bytesPerSecond,
            bbr.windowBytes(),
            bbr.inFlightBytes(),
            bbr.longTerm().bytes(),
            bbr.shortTerm().inFlightBytes(),
            bbr.shortTerm().bytesPerSecond(),
            bbr.minRttNs() / 1e6,
            bbr.extraAckedBytes(),
            path.queuedBytes,
            path.sentPackets,
            path.droppedPackets);
  }
}
