package io.millrace.protocol.recovery;

import io.millrace.wire.codec.AckDecoder;

/** The recovery of a path, and packets whose items give the packets' numbers. */
final class RecoveryLab {
  /** A round trip, ns. */
  static final long R = 1_000_000;

  /** Bytes of each packet. */
  static final int BYTES = 1200;

  /** How much longer the acknowledgement of a patient packet may take, ns. */
  static final long PATIENCE = 25 * R;

  private static final RecoverySettings SETTINGS =
      new RecoverySettings(
          R,
          0,
          PATIENCE,
          LossSettings.DEFAULT,
          new ProbeTimeoutSettings(3, 2, 1_000_000_000L, 0, 0),
          new SentLogSettings(64, 64, 64, 64));

  final RecordingController congestion = new RecordingController();
  final RecordingSink sink = new RecordingSink();
  final AckFrames frames = new AckFrames();
  final PathRecovery recovery = new PathRecovery(SETTINGS, congestion);

  /** Sends a packet with a single item: the packet's number, times ten. */
  void send(long number, long nowNs) {
    recovery.openPacket(number);
    recovery.addItem(number * 10);
    recovery.onPacketSent(BYTES, true, nowNs);
  }

  void sendUpTo(long last, long nowNs) {
    for (long number = recovery.nextPacketNumber(); number <= last; number++) {
      send(number, nowNs);
    }
  }

  AckOutcome ack(AckDecoder ack, long nowNs) {
    recovery.onAnyPacketReceived();
    return recovery.onAck(ack, nowNs, sink);
  }
}
