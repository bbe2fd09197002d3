package io.millrace.actor.peer;

import io.millrace.config.NicSettings;
import io.millrace.protocol.session.PathMtu;
import io.millrace.wire.PacketHeader;

/**
 * What a datagram of one path may have, how that is found out, and who is told when it changes. On
 * the worker's thread; does not allocate.
 */
final class PathSize {
  private static final int BLACK_HOLE_TIMEOUTS = 3;

  private final PeerPath path;
  private final PathMtu mtu;

  PathSize(PeerPath path, int mostBytes) {
    this.path = path;
    mtu = new PathMtu(NicSettings.BASE_DATAGRAM_BYTES, mostBytes);
  }

  /** Bytes that a datagram may have now. */
  int datagramBytes() {
    return mtu.datagramBytes();
  }

  /** Whether the size is final. */
  boolean isSettled() {
    return mtu.isSettled();
  }

  /** Whether a datagram of the present size carries a frame of this length. */
  boolean canCarry(int frameBytes) {
    return frameBytes <= mtu.datagramBytes() - PacketHeader.OVERHEAD;
  }

  /** Bytes that a frame of this path may ever have. */
  int maxFrameBytes() {
    return (mtu.isSettled() ? mtu.datagramBytes() : mtu.capBytes()) - PacketHeader.OVERHEAD;
  }

  /** The path has been silent for so many probe timeouts. */
  void onTimeoutsInRow(int timeouts) {
    if (timeouts >= BLACK_HOLE_TIMEOUTS) {
      mtu.onBlackHole();
      path.recovery().onDatagramBytes(mtu.datagramBytes());
    }
  }

  /** The system sends no larger datagram to the peer. */
  void onLocalLimit(int mostBytes) {
    mtu.onLocalLimit(mostBytes);
    onChanged();
  }

  /** A probe of this size arrived; 0 if it tried out none. */
  void onProbeAcked(int packetBytes) {
    if (packetBytes > 0) {
      mtu.onProbeAcknowledged(packetBytes);
      onChanged();
    }
  }

  /** A probe of this size was lost; 0 if it tried out none. */
  void onProbeLost(int packetBytes) {
    if (packetBytes > 0) {
      mtu.onProbeLost(packetBytes);
      path.services().touched().add(path);
    }
  }

  /**
   * Bytes of a packet of bulk that tries out a size, or 0. Who bounds what is sent unasked gets no
   * empty ones, unless there is credit: hundreds of peers would try at once. Rule M-5.
   */
  int bulkProbeBytes() {
    return mtu.wantsProbe() && path.transfers().answersCost() ? mtu.candidateBytes() : 0;
  }

  /** A packet of bulk with so many bytes tries out its size. */
  void onBulkProbe(int packetBytes) {
    if (packetBytes == mtu.candidateBytes()) {
      mtu.pollProbe();
    }
  }

  /** Tries out a size, if there is one to try. */
  void sendProbe(long nowNs) {
    if (mtu.wantsProbe()
        && path.transfers().mayProbe(mtu.candidateBytes())
        && path.recovery().canOpenPacket(1)) {
      path.services().controls().sendSizeProbe(path, mtu, nowNs);
    }
  }

  private void onChanged() {
    WorkerServices services = path.services();
    path.recovery().onDatagramBytes(mtu.datagramBytes());
    services.events().onPathMaxDatagramChanged(services.worker(), path.peer(), mtu.datagramBytes());
    path.reactivate();
    services.touched().add(path);
  }
}
