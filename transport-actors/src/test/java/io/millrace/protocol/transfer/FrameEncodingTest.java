package io.millrace.protocol.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.congestion.AnswerSchedule;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.FrameHeaderDecoder;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.InlineResponseEncoder;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The hand-written encoders, made for speed, must write the same bytes as the schema's own
 * encoders.
 */
class FrameEncodingTest {
  private static final long TRANSFER_ID = TransferId.of(3, 0x123456, 77);

  @Test
  void shouldWriteRequestsAsTheSchemaDoes() {
    Random random = new Random(1);
    for (int length = 0; length < 300; length++) {
      byte[] headers = bytes(random, length % 7);
      byte[] payload = bytes(random, length);
      TestCall call = new TestCall(0x0102030405060708L, 5, headers, payload);
      call.assign(TRANSFER_ID);
      SegmentBuffer expected = new SegmentBuffer(new byte[1_024]);
      InlineRequestEncoder encoder =
          new InlineRequestEncoder()
              .wrapAndApplyHeader(expected, 0, new FrameHeaderEncoder())
              .transferId(TRANSFER_ID)
              .route(0x0102030405060708L)
              .priority((short) 5)
              .pattern((short) 0);
      encoder.putHeaders(headers, 0, headers.length).putPayload(payload, 0, payload.length);
      assertFrame(withoutGrant(expected), encoder.limit() - OutboundCall.GRANT_LENGTH, call);
    }
  }

  @Test
  void shouldWriteGrantsOfAnswersAsTheSchemaDoes() {
    // rule C-10
    AnswerSchedule schedule = new ReceiveBudget(12_500_000, 64 << 10).answers();
    AnswerSchedule.Promise promise = Objects.requireNonNull(schedule.prepare(bytes -> {}));
    for (int bytes = 0; bytes < 60_000; bytes += 6_000) {
      schedule.promise(promise, bytes, 0, 1);
    }
    TestCall call = new TestCall(7, 5, new byte[] {1}, new byte[] {2, 3});
    call.assign(TRANSFER_ID);
    call.promise(promise);
    SegmentBuffer expected = new SegmentBuffer(new byte[1_024]);
    InlineRequestEncoder encoder =
        new InlineRequestEncoder()
            .wrapAndApplyHeader(expected, 0, new FrameHeaderEncoder())
            .transferId(TRANSFER_ID)
            .route(7)
            .priority((short) 5)
            .pattern((short) 0)
            .answerBytes(promise.toldBytes())
            .answerWithinUs((int) promise.withinUs())
            .answerDelayUs(promise.delayUs());
    encoder.putHeaders(new byte[] {1}, 0, 1).putPayload(new byte[] {2, 3}, 0, 2);
    assertTrue(promise.toldBytes() > 0 && promise.withinUs() > 0 && promise.delayUs() > 0);
    assertFrame(expected, encoder.limit(), call);
  }

  /** The frame of a request that ends its block ahead of the grant. */
  private static SegmentBuffer withoutGrant(SegmentBuffer whole) {
    int at = FrameHeaderEncoder.ENCODED_LENGTH + InlineRequestEncoder.answerBytesEncodingOffset();
    SegmentBuffer cut = new SegmentBuffer(new byte[whole.capacity()]);
    int behind = at + OutboundCall.GRANT_LENGTH;
    cut.putBytes(0, whole, 0, at);
    cut.putBytes(at, whole, behind, whole.capacity() - behind);
    new FrameHeaderEncoder()
        .wrap(cut, 0)
        .blockLength(InlineRequestEncoder.answerBytesEncodingOffset());
    return cut;
  }

  @Test
  void shouldWriteResponsesAsTheSchemaDoes() {
    Random random = new Random(2);
    ServedCalls served = new ServedCalls(128, new AnswerMemory(1 << 20), TestOwner.NONE);
    for (int length = 0; length < 300; length++) {
      long transferId = TransferId.of(3, length + 1, 77);
      served.onRequest(transferId, 2);
      ServedCall call = Objects.requireNonNull(served.find(77, length + 1));
      byte[] headers = bytes(random, length % 5);
      byte[] payload = bytes(random, length);
      call.answer(CallStatus.OVERLOADED.value(), headers.length, payload.length);
      call.response().putBytes(0, headers);
      call.response().putBytes(headers.length, payload);
      SegmentBuffer expected = new SegmentBuffer(new byte[1_024]);
      InlineResponseEncoder encoder =
          new InlineResponseEncoder()
              .wrapAndApplyHeader(expected, 0, new FrameHeaderEncoder())
              .transferId(transferId)
              .status(CallStatus.OVERLOADED)
              .flags((short) 0);
      encoder.putHeaders(headers, 0, headers.length).putPayload(payload, 0, payload.length);
      assertFrame(expected, encoder.limit(), call);
    }
  }

  @Test
  void shouldKeepTheBytesOfARequestForEver() {
    TestCall call = new TestCall(1, 7, new byte[] {9}, new byte[] {1, 2, 3});
    call.assign(TransferId.of(1, 2, 3));
    SegmentBuffer buffer = new SegmentBuffer(new byte[call.encodedLength()]);
    call.encode(buffer, 0);
    assertEquals(
        "2200120004010100"
            + "0300000002000001"
            + "0100000000000000"
            + "0700"
            + "010009"
            + "0300010203",
        HexFormat.of().formatHex(buffer.byteArray()));
  }

  @Test
  void shouldReadTheStartOfAFrameAsTheSchemaDoes() {
    SegmentBuffer buffer = new SegmentBuffer(new byte[FrameStart.LENGTH]);
    FrameStart.encode(buffer, 0, 60_000, 18, InlineRequestDecoder.TEMPLATE_ID);
    FrameHeaderDecoder header = new FrameHeaderDecoder().wrap(buffer, 0);
    assertEquals(60_000, header.frameLength());
    assertEquals(18, header.blockLength());
    assertEquals(InlineRequestDecoder.TEMPLATE_ID, header.templateId());
    assertEquals(InlineRequestDecoder.SCHEMA_ID, header.schemaId());
    assertEquals(InlineRequestDecoder.SCHEMA_VERSION, header.version());
    assertEquals(60_000, FrameStart.frameLength(buffer, 0));
    assertEquals(18, FrameStart.blockLength(buffer, 0));
    assertEquals(InlineRequestDecoder.TEMPLATE_ID, FrameStart.templateId(buffer, 0));
    assertEquals(InlineRequestDecoder.SCHEMA_VERSION, FrameStart.version(buffer, 0));
  }

  private static void assertFrame(SegmentBuffer expected, int length, OutboundFrame frame) {
    new FrameHeaderEncoder().wrap(expected, 0).frameLength(length).reserved((short) 0);
    assertEquals(length, frame.encodedLength());
    SegmentBuffer actual = new SegmentBuffer(new byte[1_024]);
    frame.encode(actual, 0);
    byte[] wanted = new byte[length];
    byte[] got = new byte[length];
    expected.getBytes(0, wanted);
    actual.getBytes(0, got);
    assertArrayEquals(wanted, got);
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Counts the ends of the call. */
  static final class TestCall extends OutboundCall {
    @Nullable CallOutcome outcome;
    int endings;

    TestCall(long route, int priority, byte[] headers, byte[] payload) {
      super(route, priority, headers, payload);
    }

    @Override
    public void onResponse(
        CallOutcome outcome,
        DirectBuffer buffer,
        int headersOffset,
        int headersLength,
        int payloadOffset,
        int payloadLength) {
      this.outcome = outcome;
      endings++;
    }

    @Override
    public void onFailure(CallOutcome outcome, String text) {
      this.outcome = outcome;
      endings++;
    }
  }
}
