package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.CipherUse;
import io.millrace.crypto.PacketCipher;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckEncoder;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule about acknowledged packets, kept by the transport and broken on purpose. */
final class ReceiptOracleTest {
  private static final long PATH = 77;
  private static final int[] ARRIVED = {0, 1, 3, 64, 65, 66, 130};

  private static SegmentBuffer packet(int from, int to) {
    SegmentBuffer packet = new SegmentBuffer(ByteBuffer.allocateDirect(200));
    PacketHeader.encodeFixed(packet, 0, from, to, PATH);
    return packet;
  }

  /** Worker 2 of node 0 sends some packets to worker 5 of node 1, where all packets are opened. */
  private static void arrive(OracleNodes nodes) {
    PacketCipher sealer = nodes.cipher(0, 1, CipherUse.SEAL);
    PacketCipher opener = nodes.cipher(1, 1, CipherUse.OPEN);
    for (int number : ARRIVED) {
      SegmentBuffer packet = packet(2, 5);
      sealer.seal(packet, 0, PacketHeader.LENGTH, 0, number);
      assertTrue(opener.open(packet, 0, PacketHeader.LENGTH, 0, number));
    }
  }

  /**
   * Worker {@code from} of node 1 acknowledges; returns the rule's verdict, or null if the
   * acknowledgement is right.
   */
  private static @Nullable String acknowledged(
      int from, long largest, int firstRange, int gap, int length) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            ReceiptOracle rule = new ReceiptOracle(nodes.cluster);
            nodes.cluster.nodes().forEach(FullNode::boot);
            arrive(nodes);
            simulation.check();
            SegmentBuffer packet = packet(from, 2);
            int at = PacketHeader.LENGTH + FrameStart.LENGTH;
            AckEncoder ack = new AckEncoder().wrap(packet, at);
            ack.largest(largest).delayNs(0).ecnCePackets(0).inlineLimit(0).firstRange(firstRange);
            ack.rangesCount(1).next().gap(gap).length(length);
            int frame = ack.limit() - PacketHeader.LENGTH;
            FrameStart.encode(
                packet,
                PacketHeader.LENGTH,
                frame,
                AckEncoder.BLOCK_LENGTH,
                AckEncoder.TEMPLATE_ID);
            nodes.cipher(1, 2, CipherUse.SEAL).seal(packet, 0, PacketHeader.LENGTH, frame, 0);
            SimViolation violation = simulation.violation();
            if (violation == null) {
              return null;
            }
            assertEquals(rule.name(), violation.rule());
            return violation.getMessage();
          }
        });
  }

  @Test
  void shouldLetWhatArrivedBeAcknowledged() throws Exception {
    assertNull(acknowledged(5, 130, 0, 62, 2));
    assertNull(acknowledged(5, 66, 2, 59, 0));
    assertNull(acknowledged(5, 3, 0, 0, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "131, 0, 63, 2, 131", // beyond the largest
    "130, 1, 61, 2, 129", // below it
    "130, 0, 61, 2, 67", // above the second range
    "130, 0, 62, 3, 63", // below that
    "66, 66, 0, 0, 2", // across missing packets
    "3, 0, 0, 2, -1" // below the first packet
  })
  void shouldFindWhatIsAcknowledgedAndDidNotArrive(
      long largest, int firstRange, int gap, int length, long missing) throws Exception {
    String found = String.valueOf(acknowledged(5, largest, firstRange, gap, length));
    assertTrue(found.endsWith("has not opened " + missing), found);
  }

  @Test
  void shouldFindWhatArrivedAtAnotherWorker() throws Exception {
    String found = String.valueOf(acknowledged(4, 3, 0, 0, 1));
    assertTrue(found.endsWith("has not opened 3"), found);
  }

  @Test
  void shouldLookAtEveryAcknowledgementOfALossyNetwork() throws Exception {
    long looked = OracleNodes.exchangeWithLoss(ReceiptOracle::new, ReceiptOracle::acknowledgements);
    assertTrue(looked > 300, looked + " looked at");
  }
}
