package io.millrace.body;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.ForwardingAead;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;
import io.millrace.ends.Submission;
import io.millrace.memory.SegmentBuffer;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The opening of records of both protections, where a NIC can write meanwhile and where not. */
final class UnsealedBodyTest implements BodyListener, InboundFill.Receiver {
  private static final int HEADERS = 300;
  private static final int BODY_BYTES = Records.RECORD_BYTES + 5_000;
  private static final byte[] BODY = new byte[BODY_BYTES];

  static {
    new Random(8).nextBytes(BODY);
  }

  private final List<Submission> given = new ArrayList<>();
  private final List<Integer> bad = new ArrayList<>();
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private byte[] headers = {};
  private CallOutcome failure = CallOutcome.OK;
  private long delivered = -1;
  private Runnable meddling = () -> {};

  @Override
  public BodyTarget onHeaders(BodyOpener of, byte[] bytes, long payloadBytes) {
    headers = bytes;
    return new BodyTarget() {
      @Override
      public void write(byte[] from, int offset, int length) {
        taken.write(from, offset, length);
      }

      @Override
      public void complete() {
        // The opener reports the completion, too.
      }

      @Override
      public void abort(Throwable cause) {
        taken.reset();
      }
    };
  }

  @Override
  public void onDelivered(long payloadBytes) {
    delivered = payloadBytes;
  }

  @Override
  public void onFailed(CallOutcome outcome, String text) {
    failure = outcome;
  }

  @Override
  public void onConsumed(InboundFill fill, long nowNs) {
    // The region is the test's.
  }

  @Override
  public void onWithdrawn(InboundFill fill, long nowNs) {
    throw new AssertionError("nothing is missing");
  }

  @Override
  public void onReturned(InboundFill fill) {
    throw new AssertionError("nothing was taken back");
  }

  @Override
  public void onFault(Throwable fault) {
    throw new AssertionError(fault);
  }

  @Override
  public void onRecordBad(InboundFill fill, int record, long nowNs) {
    bad.add(record);
  }

  private BodyOpener opener(Protection announced) {
    AeadProvider aead = new Meddled(AeadProviders.discover().select(Records.RECORD_BYTES));
    BodyServices services = TestBodies.services(aead);
    BodyTerms terms =
        new BodyTerms(1, false, 1, BodyTerms.PATTERN_BULK, 0, 0, 0, HEADERS, BODY_BYTES, announced);
    return TestBodies.opener(services, this, given::add, terms);
  }

  /** The whole body in a single fill, sealed under a key of zeros. */
  private InboundFill fill(RegionMemory memory, Protection protection) {
    InboundFill fill = new InboundFill();
    fill.start(this, 0, memory, BODY_BYTES, 0);
    fill.describe(0, 1, true);
    byte[] out = new byte[Records.RECORD_BYTES + Records.TAG_BYTES];
    AeadProvider aead = AeadProviders.discover().select(Records.RECORD_BYTES);
    try (RecordCipher cipher = aead.recordCipher(fill.dataKey(16), CipherUse.SEAL)) {
      for (int record = 0; record < fill.records(); record++) {
        int at = record * Records.RECORD_BYTES;
        int length = fill.recordLength(record);
        int secret = protection.secretBytes(HEADERS, at, length);
        cipher.seal(1 + record, BODY, at, length, secret, out, 0);
        memory.put(at, new SegmentBuffer(out), 0, length);
        System.arraycopy(out, length, fill.tags(), record * Records.TAG_BYTES, Records.TAG_BYTES);
      }
    }
    return fill;
  }

  private static RegionMemory offHeap() {
    return RegionMemory.offHeap(ByteBuffer.allocateDirect(2 * Records.RECORD_BYTES));
  }

  private void assertWhole() {
    assertArrayEquals(Arrays.copyOf(BODY, HEADERS), headers);
    assertArrayEquals(Arrays.copyOfRange(BODY, HEADERS, BODY_BYTES), taken.toByteArray());
    assertEquals(BODY_BYTES - HEADERS, delivered);
    assertEquals(CallOutcome.OK, failure);
  }

  /** The peer's NIC writes into the region before, while and after a record is checked. */
  @ParameterizedTest
  @EnumSource
  void shouldDeliverWhatWasCheckedWhateverANicWritesMeanwhile(Protection protection) {
    RegionMemory memory = offHeap();
    BodyOpener opener = opener(protection);
    InboundFill fill = fill(memory, protection);
    fill.assign(opener);
    int[] meddled = {0};
    meddling =
        () -> {
          // Only the bytes of the record in hand: later bytes are not copied yet.
          memory.buffer().setMemory(fill.recordsDone * Records.RECORD_BYTES, 4_000, (byte) 0x55);
          meddled[0]++;
        };
    opener.offer(fill);
    assertEquals(4, meddled[0]);
    assertEquals(List.of(), bad);
    assertWhole();
  }

  @ParameterizedTest
  @EnumSource
  void shouldAskForARecordAgainWhoseByteWasChanged(Protection protection) {
    for (RegionMemory memory : List.of(RegionMemory.onHeap(BODY_BYTES), offHeap())) {
      bad.clear();
      taken.reset();
      delivered = -1;
      BodyOpener opener = opener(protection);
      InboundFill fill = fill(memory, protection);
      fill.assign(opener);
      int at = memory.offsetOf(1) + 4_321;
      byte right = memory.buffer().getByte(at);
      memory.buffer().putByte(at, (byte) (right ^ 4));
      opener.offer(fill);
      fill.onTaken(0);
      assertEquals(List.of(1), bad);
      assertEquals(-1, delivered);
      assertEquals(Records.RECORD_BYTES - HEADERS, taken.size());
      memory.buffer().putByte(at, right);
      opener.offer(fill);
      assertWhole();
    }
  }

  /** A flag that contradicts the tags has no effect. */
  @ParameterizedTest
  @EnumSource
  void shouldOpenNothingThatIsAnnouncedAsTheOther(Protection protection) {
    Protection other = Protection.values()[1 - protection.ordinal()];
    for (RegionMemory memory : List.of(RegionMemory.onHeap(BODY_BYTES), offHeap())) {
      given.clear();
      failure = CallOutcome.OK;
      BodyOpener opener = opener(other);
      InboundFill fill = fill(memory, protection);
      fill.assign(opener);
      while (failure == CallOutcome.OK) {
        opener.offer(fill);
      }
      assertEquals(CallOutcome.NOT_AUTHENTIC, failure);
      assertEquals(16, given.size());
      assertEquals(0, headers.length);
      assertEquals(0, taken.size());
      assertEquals(-1, delivered);
    }
  }

  /** Lets the test act before and after a record is checked. */
  private final class Meddled extends ForwardingAead {
    private Meddled(AeadProvider real) {
      super(real);
    }

    @Override
    public RecordCipher recordCipher(byte[] key, CipherUse use) {
      return new ForwardingRecords(super.recordCipher(key, use), use) {
        @Override
        protected boolean openRecord(
            long nonce,
            byte[] sealed,
            int offset,
            int length,
            int secretBytes,
            byte[] out,
            int outOffset) {
          meddling.run();
          boolean right =
              super.openRecord(nonce, sealed, offset, length, secretBytes, out, outOffset);
          meddling.run();
          return right;
        }
      };
    }
  }
}
