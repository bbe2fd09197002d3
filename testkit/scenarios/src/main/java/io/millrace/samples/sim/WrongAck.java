package io.millrace.samples.sim;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PacketTamper;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.sim.SimRun;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import java.util.HashMap;
import java.util.Map;
import org.agrona.MutableDirectBuffer;

/**
 * A transport with a bug on purpose: each acknowledgement covers a packet more than arrived, if a
 * further packet was sent. The sender then never retransmits the lost frames of this packet.
 */
final class WrongAck implements PacketTamper {
  // Looked up only, never walked.
  private final Map<Side, Long> sent = new HashMap<>();

  /** A direction of a path at the sending node. */
  private record Side(NodeLife life, long path, int own, int other) {}

  private WrongAck() {}

  /** Returns the same scenario with this transport. */
  static Scenario in(Scenario scenario) {
    return run -> {
      run.simulation().at(0, () -> plant(run));
      scenario.run(run);
    };
  }

  private static void plant(SimRun run) {
    FullRun.of(run).cluster().tamper(new WrongAck());
  }

  @Override
  public void onSealing(PlainPacket packet, MutableDirectBuffer bytes) {
    int at = packet.offset();
    sent.put(
        new Side(
            packet.key().life(),
            PacketHeader.pathId(bytes, at),
            PacketHeader.sourceWorker(bytes, at),
            PacketHeader.destinationWorker(bytes, at)),
        packet.number());
  }

  @Override
  public void onOpened(PlainPacket packet, MutableDirectBuffer bytes) {
    int header = packet.offset();
    Side side =
        new Side(
            packet.key().life(),
            PacketHeader.pathId(bytes, header),
            PacketHeader.destinationWorker(bytes, header),
            PacketHeader.sourceWorker(bytes, header));
    int end = packet.bodyOffset() + packet.bodyLength();
    int at = packet.bodyOffset();
    while (at + FrameStart.LENGTH <= end && FrameStart.frameLength(bytes, at) > 0) {
      if (FrameStart.templateId(bytes, at) == AckDecoder.TEMPLATE_ID) {
        extend(bytes, at + FrameStart.LENGTH, sent.getOrDefault(side, 0L));
      }
      at += FrameStart.frameLength(bytes, at);
    }
  }

  private static void extend(MutableDirectBuffer bytes, int ack, long lastSent) {
    int largestAt = ack + AckDecoder.largestEncodingOffset();
    int rangeAt = ack + AckDecoder.firstRangeEncodingOffset();
    long largest = bytes.getLong(largestAt, LITTLE_ENDIAN);
    if (largest < lastSent) {
      bytes.putLong(largestAt, largest + 1, LITTLE_ENDIAN);
      bytes.putInt(rangeAt, bytes.getInt(rangeAt, LITTLE_ENDIAN) + 1, LITTLE_ENDIAN);
    }
  }
}
