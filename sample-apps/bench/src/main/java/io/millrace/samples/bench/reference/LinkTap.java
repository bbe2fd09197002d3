package io.millrace.samples.bench.reference;

import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.net.LossReason;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;

/**
 * Counts the datagrams on the receiver's link: how long the link is busy, and how long the link is
 * idle before the first full datagram, and from there to the last. Thread of the simulation.
 */
final class LinkTap implements NetworkObserver {
  private static final long NIC_MASK = (1L << SimAddress.NIC_BITS) - 1;

  private final long receiver;
  private final double nsPerByte;
  private boolean isCounting;
  private long startNs;
  private double freeNs;
  private double idleSinceFullNs;

  /** Datagrams to the receiver, of these the full ones, and the bytes of all. */
  long sent;

  long full;
  long bytes;
  long lost;

  /** Datagrams sent by the receiver. */
  long answered;

  double idleBeforeNs;
  double idleBetweenNs;

  /**
   * Creates a tap that does not count yet.
   *
   * @param node the receiver
   */
  LinkTap(int node, double nsPerByte) {
    receiver = SimAddress.nicKey(node, 0);
    this.nsPerByte = nsPerByte;
  }

  /** Counts from now on. */
  void start(long nowNs) {
    isCounting = true;
    startNs = nowNs;
    freeNs = nowNs;
  }

  /** Counts no longer. */
  void stop() {
    isCounting = false;
  }

  /** Time of the datagrams on the link, ns. */
  double busyNs() {
    return bytes * nsPerByte;
  }

  @Override
  public void onSent(PacketView packet, long nowNs) {
    if (isCounting && (packet.link() & NIC_MASK) == receiver) {
      sent++;
    } else if (isCounting && packet.link() >> SimAddress.NIC_BITS == receiver) {
      answered++;
    }
  }

  @Override
  public void onLost(PacketView packet, LossReason reason, long nowNs) {
    if (isCounting) {
      lost++;
    }
  }

  @Override
  public void onDelivered(PacketView packet, long nowNs) {
    if (!isCounting || (packet.link() & NIC_MASK) != receiver) {
      return;
    }
    bytes += packet.length();
    double beganNs = Math.max((double) startNs, nowNs - packet.length() * nsPerByte);
    double idleNs = Math.max(0, beganNs - freeNs);
    idleSinceFullNs += idleNs;
    if (packet.length() >= ReferenceCase.DATAGRAM_BYTES - 1) {
      if (full == 0) {
        idleBeforeNs = idleSinceFullNs;
      } else {
        idleBetweenNs += idleSinceFullNs;
      }
      idleSinceFullNs = 0;
      full++;
    }
    freeNs = nowNs;
  }
}
