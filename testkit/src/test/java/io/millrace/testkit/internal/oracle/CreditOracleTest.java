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
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.StreamCreditEncoder;
import io.millrace.wire.codec.StreamDataEncoder;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule about credit: its sums, its reading of frames, and a transport that keeps the rule. */
final class CreditOracleTest {
  private static final int RESPONSE = 1;
  private static final int BODY = PacketHeader.LENGTH + FrameStart.LENGTH;

  @Test
  void shouldCountWhatIsSentAgainOnce() {
    SentCredit sent = new SentCredit();
    sent.onInlineLimit(300);
    assertNull(sent.request(1, 10, 20));
    assertNull(sent.request(1, 10, 20));
    assertNull(sent.segment(1, 0, 0, 1, 30));
    assertNull(sent.request(2, 0, 0));
    assertEquals("has sent inline messages for 316 bytes, and may for 300", sent.request(3, 0, 0));
  }

  @Test
  void shouldTakeTheLargestLimit() {
    SentCredit sent = new SentCredit();
    sent.onInlineLimit(200);
    sent.onInlineLimit(100);
    assertNull(sent.request(1, 0, 136));
    assertTrue(String.valueOf(sent.request(2, 0, 0)).endsWith("may for 200"));
  }

  @Test
  void shouldHoldAFlowToItsElements() {
    SentCredit sent = new SentCredit();
    assertNull(sent.segment(1, 0, 0, 16, 100));
    sent.onStreamCredit(1, 0, 20, 1_000_000);
    assertNull(sent.segment(1, 0, 1, 20, 100));
    assertEquals("begins element 20 of a flow that may have 20", sent.segment(1, 0, 2, 21, 100));
    assertNull(sent.segment(1, RESPONSE, 0, 16, 100));
    assertEquals(
        "begins element 16 of a flow that may have 16", sent.segment(1, RESPONSE, 1, 17, 1));
  }

  @Test
  void shouldHoldAFlowToItsBytes() {
    SentCredit sent = new SentCredit();
    assertNull(sent.segment(1, 0, 0, 1, 16_383));
    assertNull(sent.segment(1, 0, 1, 1, 1_000));
    assertNull(sent.segment(1, 0, 1, 1, 1_000));
    assertEquals(
        "goes on with a flow of 17383 bytes that may have 16384", sent.segment(1, 0, 2, 1, 1));
  }

  private static SegmentBuffer packet() {
    SegmentBuffer packet = new SegmentBuffer(ByteBuffer.allocateDirect(600));
    PacketHeader.encodeFixed(packet, 0, 0, 0, 77);
    return packet;
  }

  private static int frame(SegmentBuffer packet, int end, int block, int template) {
    FrameStart.encode(packet, PacketHeader.LENGTH, end - PacketHeader.LENGTH, block, template);
    return end - PacketHeader.LENGTH;
  }

  /**
   * Node 1 sends node 0 an acknowledgement or credit, and node 0 sends within this credit or
   * beyond.
   */
  private static @Nullable String said(Told told, Sent sent) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            CreditOracle rule = new CreditOracle(nodes.cluster);
            nodes.cluster.nodes().forEach(FullNode::boot);
            SegmentBuffer packet = packet();
            int length = told.encode(packet);
            nodes.cipher(1, 1, CipherUse.SEAL).seal(packet, 0, PacketHeader.LENGTH, length, 0);
            PacketCipher opener = nodes.cipher(0, 1, CipherUse.OPEN);
            assertTrue(opener.open(packet, 0, PacketHeader.LENGTH, length, 0));
            simulation.check();
            SegmentBuffer answer = packet();
            int answerLength = sent.encode(answer);
            nodes
                .cipher(0, 2, CipherUse.SEAL)
                .seal(answer, 0, PacketHeader.LENGTH, answerLength, 0);
            assertEquals(1, rule.looked());
            SimViolation violation = simulation.violation();
            return violation == null ? null : violation.getMessage();
          }
        });
  }

  @FunctionalInterface
  private interface Told {
    int encode(SegmentBuffer packet);
  }

  @FunctionalInterface
  private interface Sent {
    int encode(SegmentBuffer packet);
  }

  private static Told inlineLimit(long bytes) {
    return packet -> {
      AckEncoder ack = new AckEncoder().wrap(packet, BODY);
      ack.largest(0).delayNs(0).ecnCePackets(0).inlineLimit(bytes).firstRange(0).rangesCount(0);
      return frame(packet, ack.limit(), AckEncoder.BLOCK_LENGTH, AckEncoder.TEMPLATE_ID);
    };
  }

  private static Told streamCredit(long elements) {
    return packet -> {
      StreamCreditEncoder credit = new StreamCreditEncoder().wrap(packet, BODY);
      credit.transferId(5).elements(elements).bytes(100_000).flags((short) RESPONSE);
      return frame(
          packet,
          credit.limit(),
          StreamCreditEncoder.BLOCK_LENGTH,
          StreamCreditEncoder.TEMPLATE_ID);
    };
  }

  private static Sent request(int headers, int payload) {
    return packet -> {
      InlineRequestEncoder request = new InlineRequestEncoder().wrap(packet, BODY);
      request.transferId(5).route(1).priority((short) 0).pattern((short) 0);
      request.putHeaders(new byte[headers], 0, headers).putPayload(new byte[payload], 0, payload);
      return frame(
          packet,
          request.limit(),
          InlineRequestEncoder.BLOCK_LENGTH,
          InlineRequestEncoder.TEMPLATE_ID);
    };
  }

  private static Sent elements(long first, int count) {
    return packet -> {
      StreamDataEncoder data = new StreamDataEncoder().wrap(packet, BODY);
      data.transferId(5).segment(0).element(first).flags((short) RESPONSE);
      StreamDataEncoder.LengthsEncoder lengths = data.lengthsCount(count);
      for (int i = 0; i < count; i++) {
        lengths.next().bytes(3);
      }
      data.putElements(new byte[3 * count], 0, 3 * count);
      return frame(
          packet, data.limit(), StreamDataEncoder.BLOCK_LENGTH, StreamDataEncoder.TEMPLATE_ID);
    };
  }

  @Test
  void shouldReadFrames() throws Exception {
    assertNull(said(inlineLimit(104), request(10, 30)));
    assertSaid(
        "n0#1 has sent inline messages for 105 bytes, and may for 104",
        said(inlineLimit(104), request(10, 31)));
    assertNull(said(streamCredit(20), elements(17, 3)));
    assertSaid(
        "n0#1 begins element 20 of a flow that may have 20",
        said(streamCredit(20), elements(17, 4)));
  }

  private static void assertSaid(String words, @Nullable String said) {
    assertEquals("seed 1, 0 ns: sent within credit: " + words, said);
  }

  @Test
  void shouldLookAtEveryMessageOfALossyNetwork() throws Exception {
    long looked = OracleNodes.exchangeWithLoss(CreditOracle::new, CreditOracle::looked);
    assertTrue(looked > 10, looked + " looked at");
  }
}
