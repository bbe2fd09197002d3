package io.millrace.samples.jmh;

import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.congestion.NewReno;
import io.millrace.protocol.congestion.NewRenoSettings;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.recovery.RecoverySettings;
import io.millrace.protocol.recovery.RecoverySink;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.AckEncoder;
import io.millrace.wire.codec.FrameHeaderDecoder;
import io.millrace.wire.codec.FrameHeaderEncoder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The life of a packet in the recovery machines of both ends, without loss. */
@State(Scope.Thread)
public class RecoveryBench implements RecoverySink {
  private static final int DATAGRAM_BYTES = 1472;
  private static final int TRAIN_BYTES = 65_507;
  private static final int ITEMS_PER_PACKET = 4;
  private static final long PACKET_INTERVAL_NS = 1_000;

  private final PathRecovery sender =
      new PathRecovery(
          RecoverySettings.DEFAULT,
          new NewReno(NewRenoSettings.forPath(DATAGRAM_BYTES, TRAIN_BYTES)));
  private final ReceivedPackets receiver = new ReceivedPackets();
  private final SegmentBuffer frame = new SegmentBuffer(new byte[2048]);
  private final FrameHeaderEncoder headerEncoder = new FrameHeaderEncoder();
  private final FrameHeaderDecoder headerDecoder = new FrameHeaderDecoder();
  private final AckEncoder ackEncoder = new AckEncoder();
  private final AckDecoder ackDecoder = new AckDecoder();
  private long nowNs = 1;
  private long packetNumber;
  private long ackedItems;

  /** A packet of four items is logged and arrives; every second packet brings an Ack frame back. */
  @Benchmark
  public long sendReceiveAck() {
    nowNs += PACKET_INTERVAL_NS;
    sender.openPacket(packetNumber);
    for (int item = 0; item < ITEMS_PER_PACKET; item++) {
      sender.addItem(item);
    }
    sender.onPacketSent(DATAGRAM_BYTES, true, nowNs);
    receiver.onPacket(packetNumber, true, false, nowNs);
    packetNumber++;
    if (receiver.isAckDue(nowNs)) {
      ackEncoder.wrapAndApplyHeader(frame, 0, headerEncoder);
      receiver.encodeAck(ackEncoder, nowNs, Long.MAX_VALUE, 0);
      receiver.onAckSent();
      ackDecoder.wrapAndApplyHeader(frame, 0, headerDecoder);
      sender.onAnyPacketReceived();
      sender.onAck(ackDecoder, nowNs, this);
    }
    return ackedItems;
  }

  @Override
  public void onItemAcked(long item) {
    ackedItems++;
  }

  @Override
  public void onItemLost(long item) {
    throw new IllegalStateException("nothing is lost here");
  }

  @Override
  public boolean onItemRetransmit(long item) {
    throw new IllegalStateException("nothing falls silent here");
  }
}
