package io.millrace.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.buffer.TransferBuffer;
import io.millrace.config.CausalitySettings;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.ForwardingAead;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;
import io.millrace.ends.Submission;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Between the application's array and the send memory of a path lies a single step, the step of the
 * cipher. The cipher reads the array and writes the memory, whether enciphering or only
 * authenticating.
 */
final class TransmitBufferTest implements OutboundBody.Carrier, SharedSealer.Listener {
  private static final int RECORD = Records.RECORD_BYTES;
  private static final int BLOCKS = 8;
  private static final int POOL_BYTES = BLOCKS * RECORD;

  /** Several parts, with an incomplete last record. */
  private static final int PAYLOAD_BYTES = 5 * RECORD + 777;

  /** The places that a record was read from and written to. */
  private record Step(byte[] from, int fromOffset, int length, byte[] to, int toOffset) {}

  private final List<Step> steps = new ArrayList<>();
  private final List<SealedRecords> parts = new ArrayList<>();
  private final byte[] payload = new byte[PAYLOAD_BYTES];
  private final BufferRegistry registry =
      new BufferRegistry(
          new BufferSettings(List.of(new BlockClass(RECORD, BLOCKS)), 4 * RECORD, true));
  private final BodyServices services =
      TestBodies.services(
          registry,
          new TransferSettings(
              2 * POOL_BYTES,
              POOL_BYTES,
              POOL_BYTES,
              0,
              0,
              0,
              POOL_BYTES,
              false,
              0,
              new TransferSettings.Registration(1 << 16, 1, 1 << 16),
              new CausalitySettings(1, 1, 0)),
          new Recording(AeadProviders.discover().select(RECORD)));

  @Override
  public void onSealed(OutboundBody body) {
    parts.add(body.newest());
  }

  @Override
  public void onFault(Throwable fault) {
    throw new AssertionError(fault);
  }

  @Override
  public void onSourceFailed(OutboundBody body, String text) {
    throw new AssertionError(text);
  }

  @Override
  public void onSealed(SharedPayload sealed) {
    sealed.send(body(sealed.headersBytes(), sealed.protection()));
  }

  @Override
  public void onFailed(CallOutcome outcome, String text) {
    throw new AssertionError(outcome + ": " + text);
  }

  private OutboundBody body(int headersBytes, Protection protection) {
    return new OutboundBody(
        new BodyTerms(
            1,
            false,
            1,
            BodyTerms.PATTERN_BULK,
            0,
            0,
            0,
            headersBytes,
            headersBytes + (long) PAYLOAD_BYTES,
            protection),
        this);
  }

  private static Stream<Arguments> kinds() {
    return Stream.of(Protection.values())
        .flatMap(kind -> Stream.of(0, 300).map(headers -> Arguments.of(kind, headers)));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldSealForOnePeerFromTheApplicationsArrayIntoWhatIsSentFrom(
      Protection protection, int headersBytes) {
    BodySealer.start(
        services,
        body(headersBytes, protection),
        new ArraySource(payload, 0, PAYLOAD_BYTES),
        new byte[headersBytes],
        TransmitBufferTest::take,
        1,
        services.shares().open("peer"));
    assertNothingBetween(headersBytes);
  }

  private static void take(Submission part) {
    assertInstanceOf(SealedRecords.class, part).onTaken(0);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void shouldSealForSeveralPeersFromTheApplicationsArrayIntoWhatIsSentFrom(
      Protection protection, int headersBytes) {
    SharedSealer.start(
        services,
        new ArraySource(payload, 0, PAYLOAD_BYTES),
        new byte[headersBytes],
        protection,
        this);
    assertNothingBetween(headersBytes);
  }

  /** Only payload that shares a record with headers is first put together with the headers. */
  private void assertNothingBetween(int headersBytes) {
    int position = 0;
    for (SealedRecords part : parts) {
      TransferBuffer buffer = part.buffer();
      for (int at = 0; at < part.lengthBytes(); at += RECORD) {
        Step step = steps.get(position / RECORD);
        String which = "the record at byte " + position;
        assertEquals(Math.min(RECORD, part.lengthBytes() - at), step.length(), which);
        if (position >= headersBytes) {
          assertTrue(step.from() == payload, () -> which + " was copied ahead of the cipher");
          assertEquals(position - headersBytes, step.fromOffset(), which);
        }
        byte[] sentFrom = buffer.segment(at / buffer.segmentBytes()).byteArray();
        assertTrue(step.to() == sentFrom, () -> which + " was copied behind the cipher");
        assertEquals(at % buffer.segmentBytes(), step.toOffset(), which);
        position += step.length();
      }
    }
    assertEquals(headersBytes + PAYLOAD_BYTES, position);
    assertEquals((position + RECORD - 1) / RECORD, steps.size());
  }

  /** Records the source and the destination of each sealed record. */
  private final class Recording extends ForwardingAead {
    private Recording(AeadProvider real) {
      super(real);
    }

    @Override
    public RecordCipher recordCipher(byte[] key, CipherUse use) {
      return new ForwardingRecords(super.recordCipher(key, use), use) {
        @Override
        protected void sealRecord(
            long nonce,
            byte[] plain,
            int offset,
            int length,
            int secretBytes,
            byte[] out,
            int outOffset) {
          steps.add(new Step(plain, offset, length, out, outOffset));
          super.sealRecord(nonce, plain, offset, length, secretBytes, out, outOffset);
        }
      };
    }
  }
}
