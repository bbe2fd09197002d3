package io.millrace.path.packet;

import io.millrace.config.NicSettings;
import io.millrace.protocol.session.BaseRefusal;
import io.millrace.protocol.session.PathMtu;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CloseReason;

/**
 * Finds out the size of one path's datagrams, and tells the path and the listeners of a change. On
 * the worker's thread; does not allocate.
 */
public final class PathSize {
  private static final int START_MASK = (1 << 24) - 1;

  private final PathContext path;
  private final PathMtu mtu;
  private final BaseRefusal refusal;
  private final Runnable onRoom;
  private final Doubt doubt = new Doubt();
  private final int mostBytes;

  /** The number of times that the search has started over: earlier probes say nothing. */
  private int starts;

  /**
   * The sizes of a newly opened path.
   *
   * @param mostBytes the largest datagram accepted by both ends
   * @param localBytes the largest datagram that the operating system sends to the peer
   * @param onRoom run when the size of a datagram has changed
   */
  PathSize(PathContext path, int mostBytes, int localBytes, Runnable onRoom) {
    this.path = path;
    this.onRoom = onRoom;
    this.mostBytes = mostBytes;
    mtu = new PathMtu(NicSettings.BASE_DATAGRAM_BYTES, Math.min(mostBytes, localBytes));
    long failAfterNs = path.worker().settings().recovery().silence().failAfterNs();
    refusal = new BaseRefusal(NicSettings.BASE_DATAGRAM_BYTES, failAfterNs);
    refusal.onLocalLimit(localBytes);
  }

  /** The most bytes of a datagram now. */
  public int datagramBytes() {
    return mtu.datagramBytes();
  }

  /** Whether the size is final. */
  boolean isSettled() {
    return mtu.isSettled();
  }

  /** Whether a datagram of the present size carries a frame of this length. */
  public boolean canCarry(int frameBytes) {
    return frameBytes <= mtu.datagramBytes() - PacketHeader.OVERHEAD;
  }

  /** The most bytes of a frame of this path at any later time. */
  public int maxFrameBytes() {
    return (mtu.isSettled() ? mtu.datagramBytes() : mtu.capBytes()) - PacketHeader.OVERHEAD;
  }

  /** A packet of this size goes out. */
  void onPacketSent(int bytes) {
    refusal.onPacketSent(bytes, path.nowNs());
  }

  /** A packet of this size was acknowledged. */
  void onPacketAcked(int bytes) {
    refusal.onPacketAcked(bytes);
    if (bytes > NicSettings.BASE_DATAGRAM_BYTES) {
      doubt.clear();
    }
  }

  /**
   * A packet of this size was lost; the loss of a probe longer than the present size says nothing.
   */
  void onPacketLost(int bytes) {
    if (bytes > NicSettings.BASE_DATAGRAM_BYTES && bytes <= mtu.datagramBytes()) {
      onSign();
    }
  }

  /**
   * No packet was acknowledged for a probe timeout. A probe of a larger size explains the first
   * timeout: the small probe after this timeout gets an answer, unless the path is broken.
   */
  void onProbeTimeout() {
    if (mtu.isTryingAgain() && path.recovery().probeTimeoutsInRow() == 1) {
      path.recovery().onExplained();
    } else if (mtu.datagramBytes() > NicSettings.BASE_DATAGRAM_BYTES) {
      onSign();
    }
  }

  private void onSign() {
    if (doubt.add(path.nowNs())) {
      doubt.clear();
      mtu.onBlackHole();
      path.recovery().onDatagramBytes(mtu.datagramBytes());
    }
  }

  /** The operating system refuses datagrams to the peer above this size. */
  void onLocalLimit(int localBytes) {
    refusal.onLocalLimit(localBytes);
    mtu.onLocalLimit(localBytes);
    onChanged();
  }

  /** The time at which {@link #onDeadline} ends the path, ns; {@link Long#MAX_VALUE} if never. */
  long nextDeadlineNs() {
    return refusal.deadlineNs();
  }

  /** Time has passed; ends a path whose packets this host does not send. Rule M-6. */
  void onDeadline(long nowNs) {
    if (refusal.deadlineNs() <= nowNs) {
      path.close(
          CloseReason.PEER_FAULT,
          CallOutcome.PEER_RESET,
          "this host sends datagrams of %d bytes to %s, and a path needs %d: an MTU of 1228, or 1248 with IPv6"
              .formatted(refusal.localBytes(), path.peer(), NicSettings.BASE_DATAGRAM_BYTES));
    }
  }

  /**
   * The path uses another rail of the family, or any other rail to a peer that reads no pieces; the
   * rail's endpoint sends no larger datagram. Signs stay: a path may leave each rail for its
   * silence before a sign is old enough, and all rails may drop the size.
   */
  public void onRail(int localBytes) {
    onLocalLimit(localBytes);
  }

  /**
   * The path uses a rail of another family, whose network carries other sizes: the search starts
   * over. Rule N-9.
   *
   * @param localBytes the largest datagram that the rail's endpoint sends
   */
  void onFamily(int localBytes) {
    starts++;
    doubt.clear();
    refusal.onLocalLimit(localBytes);
    mtu.start(Math.min(mostBytes, localBytes));
    onChanged();
  }

  /** The item of a packet that tries out this size. */
  public long probeItem(int packetBytes) {
    return PacketItems.of(
        PacketItems.PROBE, ((long) (starts & START_MASK) << Integer.SIZE) | packetBytes);
  }

  /** A probe with this item arrived. */
  void onProbeAcked(long item) {
    if (isProbe(item)) {
      mtu.onProbeAcknowledged((int) item);
      onChanged();
    }
  }

  /** A probe with this item was lost. */
  void onProbeLost(long item) {
    if (isProbe(item)) {
      mtu.onProbeLost((int) item);
      path.touch();
    }
  }

  /** Whether the item is of a probe of a size, sent since the search started. */
  private boolean isProbe(long item) {
    return (int) item > 0
        && (item & PacketItems.REST_MASK) >>> Integer.SIZE == (starts & START_MASK);
  }

  /**
   * The size to try out with a packet of bulk if the peer bounds the bytes sent, else 0. Such a
   * peer gets a Probe only under the terms of {@link #isProbeDue}: otherwise hundreds of senders
   * would probe at once. Rule M-5.
   */
  int bulkProbeBytes(PathFrames frames) {
    return mtu.wantsProbe() && frames.answersCost() ? mtu.candidateBytes() : 0;
  }

  /** A packet of bulk of this size tries out its size. */
  public void onBulkProbe(int packetBytes) {
    if (packetBytes == mtu.candidateBytes()) {
      mtu.pollProbe();
    }
  }

  /**
   * Whether a packet should go only to try out a size. A search anew begins here, in a turn that
   * the path has anyway: an idle path does not wake up for a search. Rule M-7.
   */
  boolean isProbeDue(PathFrames frames) {
    mtu.onTime(path.nowNs());
    return mtu.wantsProbe()
        && frames.mayProbe(mtu.candidateBytes())
        && path.recovery().canOpenPacket(1);
  }

  /** Returns the size being tried now. */
  int pollProbe() {
    return mtu.pollProbe();
  }

  private void onChanged() {
    WorkerContext worker = path.worker();
    path.recovery().onDatagramBytes(mtu.datagramBytes());
    worker.events().onPathMaxDatagramChanged(worker.worker(), path.peer(), mtu.datagramBytes());
    onRoom.run();
    path.touch();
  }

  /**
   * Signs that the network does not carry the present size any more, since the last acknowledgement
   * of a packet larger than the base. Packets of the peer say nothing: they may be small, or come
   * while ours do not arrive. Rule M-4.
   */
  private static final class Doubt {
    private static final int SIGNS = 3;

    /** Signs within a shorter time are a sign of a queue on the way. */
    private static final long LEAST_NS = 100_000_000;

    private int signs;
    private long firstNs;

    /** Adds a sign; returns whether the size is to be given up. */
    boolean add(long nowNs) {
      if (signs++ == 0) {
        firstNs = nowNs;
      }
      return signs >= SIGNS && nowNs - firstNs >= LEAST_NS;
    }

    void clear() {
      signs = 0;
    }
  }
}
