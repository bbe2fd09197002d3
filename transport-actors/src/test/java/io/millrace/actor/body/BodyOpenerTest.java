package io.millrace.actor.body;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.actor.submission.ExecutorLane;
import io.millrace.actor.submission.Submission;
import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.Protection;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;
import io.millrace.protocol.transfer.CallOutcome;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What an opener does with fills that it cannot open, or not from their beginning. */
final class BodyOpenerTest implements BodyListener, InboundFill.Receiver {
  private static final int BLOCK_BYTES = 64 << 10;

  private final List<Submission> given = new ArrayList<>();
  private final List<InboundFill> withdrawn = new ArrayList<>();
  private final List<InboundFill> consumed = new ArrayList<>();
  private final List<Integer> bad = new ArrayList<>();
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private long delivered = -1;
  private final AeadProvider aead = AeadProviders.discover().select(Records.RECORD_BYTES);
  private final BodyOpener opener =
      new BodyOpener(
          new BodyServices(
              new ExecutorLane(Runnable::run, 16, 1),
              new BufferRegistry(
                  new BufferSettings(List.of(new BlockClass(BLOCK_BYTES, 4)), BLOCK_BYTES, true)),
              new TransferSettings(
                  BLOCK_BYTES * 4, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES, 0, false, 0),
              aead,
              aead,
              AesKeySize.AES_128,
              new SplittableRandom(1)),
          this,
          given::add,
          new BodyTerms(
              1, false, 1, BodyTerms.PATTERN_BULK, 0, 0, 0, BodyTerms.UNKNOWN, Protection.SEALED));

  @Override
  public BodyTarget onHeaders(BodyOpener of, byte[] headers, long payloadBytes) {
    return new Target();
  }

  @Override
  public void onDelivered(long payloadBytes) {
    delivered = payloadBytes;
  }

  @Override
  public void onFailed(CallOutcome outcome, String text) {
    // The test's own doing.
  }

  @Override
  public void onConsumed(InboundFill fill, long nowNs) {
    consumed.add(fill);
  }

  @Override
  public void onWithdrawn(InboundFill fill, long nowNs) {
    withdrawn.add(fill);
  }

  @Override
  public void onRecordBad(InboundFill fill, int record, long nowNs) {
    bad.add(record);
  }

  private final class Target implements BodyTarget {
    @Override
    public void write(byte[] bytes, int offset, int length) {
      taken.write(bytes, offset, length);
    }

    @Override
    public void complete() {
      taken.write('!');
    }

    @Override
    public void abort(Throwable cause) {
      taken.write('?');
    }
  }

  /** A fill of two whole records from the body's beginning, sealed under a key of zeros. */
  private InboundFill sealed(int region, byte[] plain) {
    RegionMemory memory = RegionMemory.onHeap(plain.length);
    InboundFill fill = new InboundFill();
    fill.start(this, region, memory, plain.length, 0);
    fill.describe(0, 1, true);
    byte[] out = new byte[Records.RECORD_BYTES + Records.TAG_BYTES];
    try (RecordCipher cipher = aead.recordCipher(fill.dataKey(16), CipherUse.SEAL)) {
      for (int record = 0; record < 2; record++) {
        int at = record * Records.RECORD_BYTES;
        cipher.seal(1 + record, plain, at, Records.RECORD_BYTES, out, 0);
        memory.put(at, new UnsafeBuffer(out), 0, Records.RECORD_BYTES);
        System.arraycopy(
            out, Records.RECORD_BYTES, fill.tags(), record * Records.TAG_BYTES, Records.TAG_BYTES);
      }
    }
    fill.assign(opener);
    return fill;
  }

  private InboundFill offered(int region, long position, int lengthBytes, boolean isLast) {
    InboundFill fill = new InboundFill();
    fill.start(this, region, null, lengthBytes, 0);
    fill.describe(position, 1, isLast);
    fill.assign(opener);
    opener.offer(fill);
    return fill;
  }

  @Test
  void shouldGiveBackFillsBehindAGapAndKeepWhereTheBodyEnds() {
    InboundFill later = offered(3, BLOCK_BYTES, 100, false);
    InboundFill end = offered(-1, BLOCK_BYTES + 100, 0, true);
    opener.relinquish();
    assertEquals(List.of(later), given);
    later.onTaken(0);
    assertEquals(List.of(later), withdrawn);

    opener.fail(CallOutcome.PEER_RESET, "over");
    assertEquals(List.of(later, end), given);
    end.onTaken(0);
    assertEquals(List.of(end), consumed);
  }

  @Test
  void shouldGoOnWithinRecordsThatWereAllWrittenAgain() {
    byte[] plain = new byte[2 * Records.RECORD_BYTES];
    new Random(5).nextBytes(plain);
    InboundFill first = sealed(0, plain);
    first.tags()[Records.TAG_BYTES] ^= 1;
    opener.offer(first);
    assertEquals(List.of(first), given);
    first.onTaken(0);
    assertEquals(List.of(1), bad);
    assertArrayEquals(Arrays.copyOf(plain, Records.RECORD_BYTES), taken.toByteArray());

    // Meanwhile the region was taken back: the sender writes the same part into another one.
    InboundFill again = sealed(1, plain);
    opener.offer(again);
    again.onTaken(0);
    assertEquals(List.of(again), consumed);
    assertArrayEquals(plain, Arrays.copyOf(taken.toByteArray(), plain.length));
    assertEquals(plain.length + 1, taken.size());
    assertEquals('!', taken.toByteArray()[plain.length]);
    assertEquals(plain.length, delivered);
  }
}
