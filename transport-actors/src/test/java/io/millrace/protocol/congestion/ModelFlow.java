package io.millrace.protocol.congestion;

import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.recovery.AckOutcome;
import io.millrace.protocol.recovery.LossSettings;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.recovery.ProbeTimeoutSettings;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.recovery.RecoverySettings;
import io.millrace.protocol.recovery.RecoverySink;
import io.millrace.protocol.recovery.SentLogSettings;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.AckEncoder;

/**
 * A direction over a {@link PathModel}: the real recovery with a controller at one end, the real
 * bookkeeping of received packets at the other end. The sender repeats lost bytes. Packets, or
 * trains of packets, leave no earlier than the pacing rate allows.
 */
final class ModelFlow implements RecoverySink {
  private static final int MAX_RANGES = 64;
  private static final long INITIAL_RTT_NS = 10_000_000;

  final PathRecovery recovery;

  /** Bytes on the wire that wait for sending, lost bytes included. */
  long waitingBytes;

  /** Bytes acknowledged by the receiver. */
  long ackedBytes;

  /** Received bytes, each packet counted once. */
  long receivedBytes;

  long lostPackets;

  /** The number of packets in a train. */
  int trainPackets = 1;

  /** Whether the recovery learns when the sender has no bytes to send. */
  boolean tellsLimits = true;

  Runnable onReceived = () -> {};

  private final PathModel path;
  private final CongestionController controller;
  private final int datagramBytes;
  private final ReceivedPackets received = new ReceivedPackets();
  private long nextSendNs;
  private long sendEventNs = Long.MAX_VALUE;
  private long deadlineEventNs = Long.MAX_VALUE;
  private long ackEventNs = Long.MAX_VALUE;

  ModelFlow(PathModel path, CongestionController controller, int datagramBytes) {
    this.path = path;
    this.controller = controller;
    this.datagramBytes = datagramBytes;
    recovery =
        new PathRecovery(
            new RecoverySettings(
                INITIAL_RTT_NS,
                ReceivedPackets.DEFAULT_ACK_DELAY_NS,
                /* patienceNs= */ 0,
                LossSettings.DEFAULT,
                ProbeTimeoutSettings.DEFAULT,
                new SentLogSettings(1024, 1 << 14, 64, 64)),
            controller);
  }

  /** The application offers further bytes. */
  void offer(long bytes) {
    waitingBytes += bytes;
    send();
  }

  /** The application has bytes for ever. */
  void offerEndlessly() {
    offer(Long.MAX_VALUE / 4);
  }

  /** The application offers no further bytes. */
  void stop() {
    waitingBytes = 0;
    send();
  }

  /**
   * The application offers this number of bytes each interval, from now on, until {@link #stop}.
   */
  void offerEvery(long intervalNs, long bytes) {
    offer(bytes);
    path.at(path.nowNs + intervalNs, () -> offerEvery(intervalNs, bytes));
  }

  private void send() {
    while (recovery.probesWanted() > 0 && recovery.canOpenPacket(1)) {
      post(datagramBytes);
    }
    while (waitingBytes > 0 && isWindowOpen()) {
      if (path.nowNs < nextSendNs) {
        wakeUpToSend();
        break;
      }
      sendTrain();
    }
    if (waitingBytes == 0 && tellsLimits) {
      recovery.onApplicationLimited();
    }
    wakeUpForDeadline();
  }

  private boolean isWindowOpen() {
    return recovery.canSend(datagramBytes) && recovery.canOpenPacket(1);
  }

  private void sendTrain() {
    long bytes = 0;
    for (int i = 0; i < trainPackets && waitingBytes > 0 && isWindowOpen(); i++) {
      final int packetBytes = (int) Math.min(datagramBytes, waitingBytes);
      waitingBytes -= packetBytes;
      bytes += packetBytes;
      post(packetBytes);
    }
    final long rate = controller.pacingRateBytesPerSecond();
    if (rate > 0) {
      nextSendNs = Math.max(path.nowNs, nextSendNs) + (long) (bytes * 1e9 / rate);
    }
  }

  private void post(int bytes) {
    final long number = recovery.nextPacketNumber();
    recovery.openPacket(number);
    recovery.onPacketSent(bytes, true, path.nowNs);
    path.send(this, number, bytes);
  }

  private void wakeUpToSend() {
    if (sendEventNs > nextSendNs) {
      sendEventNs = nextSendNs;
      path.at(
          nextSendNs,
          () -> {
            sendEventNs = Long.MAX_VALUE;
            send();
          });
    }
  }

  private void wakeUpForDeadline() {
    final long deadlineNs = recovery.nextDeadlineNs();
    if (deadlineNs < deadlineEventNs) {
      deadlineEventNs = deadlineNs;
      path.at(Math.max(deadlineNs, path.nowNs), this::onDeadline);
    }
  }

  private void onDeadline() {
    deadlineEventNs = Long.MAX_VALUE;
    recovery.onDeadline(path.nowNs, this);
    send();
  }

  void onArrival(PathModel.Packet packet) {
    if (received.canAccept(packet.number())) {
      received.onPacket(packet.number(), true, packet.isMarked(), path.nowNs);
      receivedBytes += packet.bytes();
    }
    acknowledge();
    onReceived.run();
  }

  private void acknowledge() {
    if (received.isAckDue(path.nowNs)) {
      sendAck();
    } else if (received.isAckPending() && received.ackDeadlineNs() < ackEventNs) {
      ackEventNs = received.ackDeadlineNs();
      path.at(
          ackEventNs,
          () -> {
            ackEventNs = Long.MAX_VALUE;
            acknowledge();
          });
    }
  }

  private void sendAck() {
    final SegmentBuffer buffer = new SegmentBuffer(new byte[1024]);
    final AckEncoder encoder = new AckEncoder().wrap(buffer, 0);
    received.encodeAck(encoder, path.nowNs, 0, MAX_RANGES);
    received.onAckSent();
    path.at(path.ackArrivalNs(), () -> onAckArrival(buffer));
  }

  private void onAckArrival(SegmentBuffer buffer) {
    final AckDecoder ack =
        new AckDecoder().wrap(buffer, 0, AckEncoder.BLOCK_LENGTH, AckEncoder.SCHEMA_VERSION);
    recovery.onAnyPacketReceived();
    if (recovery.onAck(ack, path.nowNs, this) != AckOutcome.APPLIED) {
      throw new IllegalStateException("a bad Ack frame");
    }
    send();
  }

  @Override
  public void onPacketAcked(long packetNumber, int bytes) {
    ackedBytes += bytes;
  }

  @Override
  public void onPacketLost(long packetNumber, int bytes) {
    lostPackets++;
    waitingBytes += bytes;
  }

  @Override
  public void onItemAcked(long item) {}

  @Override
  public void onItemLost(long item) {}

  @Override
  public boolean onItemRetransmit(long item) {
    return false;
  }
}
