package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.InlineResponseEncoder;
import org.junit.jupiter.api.Test;

/** A peer sends more headers in a frame than this node announced as its limit: rule T-10. */
class LongHeadersTest {
  private static final int MOST = 100;
  private static final long STEP_NS = 100_000;

  private final WorkerLab lab =
      new WorkerLab(
          new FakeEndpoint(64, 64),
          "millrace.limits.headers = " + MOST,
          AeadProviders.discover().select(0));
  private final FarSide far = new FarSide(1, false);

  private static byte[] request(int pattern, int headers) {
    SegmentBuffer frame = new SegmentBuffer(new byte[1_000]);
    InlineRequestEncoder encoder = new InlineRequestEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(TransferIds.of(0)).route(1).priority((short) 3).pattern((short) pattern);
    encoder.putHeaders(new byte[headers], 0, headers).putPayload(new byte[0], 0, 0);
    return FarSide.framed(
        frame,
        encoder.limit(),
        InlineRequestEncoder.BLOCK_LENGTH,
        InlineRequestEncoder.TEMPLATE_ID);
  }

  private static byte[] response(int headers) {
    SegmentBuffer frame = new SegmentBuffer(new byte[1_000]);
    InlineResponseEncoder encoder = new InlineResponseEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(TransferIds.of(0)).status(CallStatus.OK).flags((short) 0);
    encoder.putHeaders(new byte[headers], 0, headers).putPayload(new byte[0], 0, 0);
    return FarSide.framed(
        frame,
        encoder.limit(),
        InlineResponseEncoder.BLOCK_LENGTH,
        InlineResponseEncoder.TEMPLATE_ID);
  }

  private boolean isViolation(byte[] frame) throws Exception {
    PeerPath path = lab.open(lab.link(1), 1, true);
    lab.endpoint.arrivals.add(far.packet(frame));
    lab.turns(1, STEP_NS);
    assertEquals(
        path.packets().isEnded() ? 1 : 0, lab.services.context().counters().protocolViolations);
    return path.packets().isEnded();
  }

  @Test
  void shouldTakeAsManyAsItsLimit() throws Exception {
    assertFalse(isViolation(request(StreamPattern.UNARY, MOST)));
  }

  @Test
  void shouldNotTakeARequestWithMore() throws Exception {
    assertTrue(isViolation(request(StreamPattern.UNARY, MOST + 1)));
  }

  @Test
  void shouldNotTakeAnOpeningWithMore() throws Exception {
    assertTrue(isViolation(request(StreamPattern.BIDIRECTIONAL, MOST + 1)));
  }

  @Test
  void shouldTakeAResponseWithAsMany() throws Exception {
    assertFalse(isViolation(response(MOST)));
  }

  @Test
  void shouldNotTakeAResponseWithMore() throws Exception {
    assertTrue(isViolation(response(MOST + 1)));
  }
}
