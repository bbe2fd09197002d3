package io.millrace.samples.jmh;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The clear header of a packet. */
@State(Scope.Thread)
public class PacketHeaderBench {
  private final SegmentBuffer packet = new SegmentBuffer(new byte[64]);
  private long packetNumber;

  /** Leaves a header in the packet for {@link #decode}. */
  @Setup(Level.Iteration)
  public void fill() {
    encode();
  }

  /** Writes the whole header. */
  @Benchmark
  public SegmentBuffer encode() {
    PacketHeader.encodeFixed(packet, 0, 1, 2, 0x1234_5678_9ABC_DEF0L);
    PacketHeader.encodeNumber(packet, 0, 7, ++packetNumber);
    return packet;
  }

  /** Checks the form and reads every field. */
  @Benchmark
  public long decode() {
    if (!PacketHeader.isData(packet, 0, packet.capacity())) {
      return -1;
    }
    return PacketHeader.sourceWorker(packet, 0)
        + PacketHeader.destinationWorker(packet, 0)
        + PacketHeader.keyId(packet, 0)
        + PacketHeader.pathId(packet, 0)
        + PacketHeader.packetNumber(packet, 0);
  }
}
