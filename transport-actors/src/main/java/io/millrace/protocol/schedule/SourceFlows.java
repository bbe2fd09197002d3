package io.millrace.protocol.schedule;

/**
 * Decides from which source port the next train of a path leaves, and when: networks that limit
 * each flow let several flows of a path pass side by side. Bulk takes the ports in turn, leaving
 * out ports that have to wait; all other data leaves from the first port.
 *
 * <p>Each path has its own flows, on the worker's thread. Each flow has its own {@link
 * LeakyBucket}. Does not allocate after construction.
 */
public final class SourceFlows {
  /** The port of everything but bulk. */
  public static final int FIRST = 0;

  /** No port has its turn. */
  public static final int NONE = -1;

  private final LeakyBucket[] flows;
  private final int packetOverheadBytes;
  private int last;

  /**
   * Flows that have sent nothing.
   *
   * @param count source ports
   * @param bitsPerSecond rate of each flow; {@link LeakyBucket#UNLIMITED} for no rate
   * @param packetOverheadBytes the bytes of a packet besides its datagram
   */
  public SourceFlows(int count, long bitsPerSecond, int packetOverheadBytes) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be positive: " + count);
    }
    this.packetOverheadBytes = packetOverheadBytes;
    flows = new LeakyBucket[count];
    for (int i = 0; i < count; i++) {
      flows[i] = new LeakyBucket(bitsPerSecond);
    }
    last = count - 1;
  }

  /** Whether flows have a rate to keep. */
  public boolean isLimited() {
    return flows[FIRST].isLimited();
  }

  /** The flow of the next train of bulk, {@link #NONE} if all have to wait. */
  public int bulk(long nowNs) {
    int flow = last;
    for (int i = 0; i < flows.length; i++) {
      flow = flow + 1 == flows.length ? 0 : flow + 1;
      if (flows[flow].mayStart(nowNs)) {
        return flow;
      }
    }
    return NONE;
  }

  /** Whether a train without bulk may leave now. */
  public boolean mayStart(long nowNs) {
    return flows[FIRST].mayStart(nowNs);
  }

  /** Bytes that a train of this flow may have if the train starts now. */
  public int trainBytes(int flow, long nowNs) {
    return flows[flow].trainBytes(nowNs);
  }

  /** A train of this flow starts now: this number of datagrams, with these bytes in all. */
  public void onTrain(int flow, int bytes, int packets, long nowNs) {
    flows[flow].onTrain(bytes + packets * packetOverheadBytes, nowNs);
  }

  /** Bulk leaves by this flow; the next bulk train by another flow. */
  public void onBulk(int flow) {
    last = flow;
  }

  /** A datagram that waits for nobody left by the first flow. */
  public void onUrgent(int bytes, long nowNs) {
    flows[FIRST].onUrgent(bytes + packetOverheadBytes, nowNs);
  }

  /** Nothing of the path waits any more. */
  public void onIdle() {
    for (LeakyBucket flow : flows) {
      flow.onIdle();
    }
  }

  /** The time when a train without bulk may leave, ns. */
  public long nextTrainNs() {
    return flows[FIRST].nextTrainNs();
  }

  /** The time when bulk may leave, ns. */
  public long nextBulkNs() {
    long nextNs = Long.MAX_VALUE;
    for (LeakyBucket flow : flows) {
      nextNs = Math.min(nextNs, flow.nextTrainNs());
    }
    return nextNs;
  }
}
