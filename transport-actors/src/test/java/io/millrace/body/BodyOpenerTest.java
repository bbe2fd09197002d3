package io.millrace.body;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.CausalitySettings;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.RecordCipher;
import io.millrace.crypto.Records;
import io.millrace.ends.Submission;
import io.millrace.memory.SegmentBuffer;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An opener's treatment of fills with unreadable contents, or with a readable part only. */
final class BodyOpenerTest implements BodyListener, InboundFill.Receiver {
  private final List<Submission> given = new ArrayList<>();
  private final List<InboundFill> withdrawn = new ArrayList<>();
  private final List<InboundFill> consumed = new ArrayList<>();
  private final List<InboundFill> returned = new ArrayList<>();
  private final List<Integer> bad = new ArrayList<>();
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private long delivered = -1;
  private final List<byte[]> told = new ArrayList<>();
  private boolean isLate;
  private boolean isFull;
  private Runnable resume = () -> {};
  private final AeadProvider aead = AeadProviders.discover().select(Records.RECORD_BYTES);
  private final List<String> failures = new ArrayList<>();
  private final BodyOpener opener = opener(0);

  private BodyOpener opener(int headersBytes) {
    return TestBodies.opener(roomy(1 << 20), this, given::add, terms(headersBytes));
  }

  private static BodyTerms terms(int headersBytes) {
    return new BodyTerms(
        1,
        false,
        1,
        BodyTerms.PATTERN_BULK,
        0,
        0,
        0,
        headersBytes,
        BodyTerms.UNKNOWN,
        Protection.SEALED);
  }

  @Override
  public @Nullable BodyTarget onHeaders(BodyOpener of, byte[] headers, long payloadBytes) {
    told.add(headers);
    return isLate ? null : new Target();
  }

  @Override
  public void onDelivered(long payloadBytes) {
    delivered = payloadBytes;
  }

  @Override
  public void onFailed(CallOutcome outcome, String text) {
    failures.add(outcome + ": " + text);
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
  public void onReturned(InboundFill fill) {
    returned.add(fill);
  }

  @Override
  public void onFault(Throwable fault) {
    throw new AssertionError(fault);
  }

  @Override
  public void onRecordBad(InboundFill fill, int record, long nowNs) {
    bad.add(record);
  }

  private final class Target implements BodyTarget {
    @Override
    public void start(Runnable whenReady) {
      resume = whenReady;
    }

    @Override
    public boolean isReady() {
      return !isFull;
    }

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
        memory.put(at, new SegmentBuffer(out), 0, Records.RECORD_BYTES);
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
    InboundFill later = offered(3, TestBodies.BLOCK_BYTES, 100, false);
    InboundFill end = offered(-1, TestBodies.BLOCK_BYTES + 100, 0, true);
    opener.relinquish();
    assertEquals(List.of(later), given);
    later.onTaken(0);
    assertEquals(List.of(later), withdrawn);

    opener.fail(CallOutcome.PEER_RESET, "over");
    assertEquals(List.of(later, end), given);
    end.onTaken(0);
    assertEquals(List.of(end), consumed);
  }

  private InboundFill sealed(int region, long position, int lengthBytes, byte[] body) {
    byte[] plain = Arrays.copyOfRange(body, (int) position, (int) position + lengthBytes);
    InboundFill fill = sealed(region, plain);
    fill.describe(position, 1, position + lengthBytes == body.length);
    return fill;
  }

  /** Headers that come in pieces are kept; a peer could send a piece of each of many. */
  @Test
  void shouldKeepPiecesOfHeadersWithinTheMemoryForMessages() {
    int length = 2 * Records.RECORD_BYTES;
    BodyServices services = roomy(2 * length - 1);
    PeerShares.Share share = services.shares().open("sender");
    BodyOpener pieces = new BodyOpener(services, this, given::add, terms(length + 1), share);
    pieces.offer(sealed(0, 0, length, new byte[2 * length]));
    assertEquals(List.of(), failures);
    assertEquals(length, share.assembly().usedBytes());
    assertEquals(length, services.assembly().usedBytes());

    BodyOpener more = new BodyOpener(services, this, given::add, terms(length + 1), share);
    more.offer(sealed(1, 0, length, new byte[2 * length]));
    assertEquals(
        List.of(
            "OVERLOADED: messages of one peer being put together take all of"
                + " millrace.transfers.assembly-per-peer"),
        failures);
    assertEquals(length, share.assembly().usedBytes(), "the second's first record is given back");

    pieces.fail(CallOutcome.PEER_RESET, "over");
    assertEquals(0, share.assembly().usedBytes());
    assertEquals(0, services.assembly().usedBytes());
  }

  @Test
  void shouldGiveBackWhatPiecesOfHeadersTookWhenAllAreThere() {
    int length = 2 * Records.RECORD_BYTES;
    byte[] body = new byte[2 * length];
    new Random(7).nextBytes(body);
    BodyServices services = roomy(2 * length);
    PeerShares.Share share = services.shares().open("sender");
    BodyOpener pieces = new BodyOpener(services, this, given::add, terms(length + 1), share);
    pieces.offer(sealed(0, 0, length, body));
    assertEquals(length, share.assembly().usedBytes());

    pieces.offer(sealed(1, length, length, body));

    assertArrayEquals(Arrays.copyOf(body, length + 1), told.getFirst());
    assertEquals(0, share.assembly().usedBytes());
    assertEquals(length - 1, delivered);
  }

  private BodyServices roomy(int assemblyBytes) {
    int block = TestBodies.BLOCK_BYTES;
    TransferSettings settings =
        new TransferSettings(
            4L * block,
            1 << 20,
            block,
            block,
            assemblyBytes,
            assemblyBytes,
            0,
            false,
            0,
            new TransferSettings.Registration(1 << 16, 1, 1 << 16),
            new CausalitySettings(1, 1, 0));
    return TestBodies.services(TestBodies.registry(4), settings, aead);
  }

  /**
   * A withdrawn fill comes again, and a second time before the opener has seen the first
   * withdrawal.
   */
  @Test
  void shouldTakeOutEachByteOnceWhateverIsTakenBack() {
    int length = 2 * Records.RECORD_BYTES;
    byte[] plain = new byte[2 * length];
    new Random(6).nextBytes(plain);
    isFull = true;
    InboundFill next = sealed(0, 0, length, plain);
    InboundFill later = sealed(1, length, length, plain);
    opener.offer(next);
    opener.offer(later);
    assertTrue(later.takeBack());
    InboundFill again = sealed(2, length, length, plain);
    opener.offer(again);
    assertEquals(List.of(), given, "it is not seen before somebody says so");
    opener.onTakenBack();
    assertEquals(List.of(later), given);
    later.onTaken(0);
    assertEquals(List.of(later), returned);

    isFull = false;
    resume.run();
    assertFalse(next.takeBack(), "its bytes were taken out");
    assertEquals(List.of(later, next, again), given);
    next.onTaken(0);
    again.onTaken(0);
    assertEquals(List.of(next, again), consumed);
    assertEquals(plain.length, delivered);
    assertArrayEquals(plain, Arrays.copyOf(taken.toByteArray(), plain.length));
    assertEquals(plain.length + 1, taken.size());
  }

  @Test
  void shouldPassOverWhatWasTakenBackWithoutBeingTold() {
    byte[] plain = new byte[2 * Records.RECORD_BYTES];
    isFull = true;
    InboundFill first = sealed(0, 0, plain.length, plain);
    opener.offer(first);
    assertTrue(first.takeBack());
    opener.offer(sealed(1, 0, plain.length, plain));
    isFull = false;
    resume.run();
    assertEquals(plain.length, delivered);
    assertEquals(first, given.getFirst());
    first.onTaken(0);
    assertEquals(List.of(first), returned);
  }

  @Test
  void shouldCallAFillSurplusOnlyWhileTheOneBeforeItIsNotTaken() {
    InboundFill next = offered(0, 0, 100, false);
    InboundFill later = offered(1, 100, 100, false);
    OpenerProgress pace = new OpenerProgress();
    look(pace, 1, 0, 10, next, later);
    assertFalse(pace.isSurplus(later, 10, 5, 1_000), "it was not looked at before");
    look(pace, 2, 0, 14, next, later);
    assertFalse(pace.isSurplus(later, 14, 5, 1_000), "that is not long");
    look(pace, 3, 50, 15, next, later);
    assertFalse(pace.isSurplus(later, 15, 5, 1_000), "something was taken");
    look(pace, 4, 50, 20, next, later);
    assertTrue(pace.isSurplus(later, 20, 5, 1_000));
    assertFalse(pace.isSurplus(next, 20, 5, 1_000), "it has the next bytes");
    look(pace, 5, 50, 30, later);
    assertFalse(pace.isSurplus(later, 30, 5, 1_000), "the next bytes are not there");
    look(pace, 6, 50, 31, next, later);
    assertFalse(pace.isSurplus(later, 31, 5, 1_000), "they have only come");
  }

  @Test
  void shouldCallAFillSurplusBehindBytesThatDoNotCome() {
    InboundFill next = offered(0, 0, 100, false);
    InboundFill later = offered(1, 100, 100, false);
    OpenerProgress pace = new OpenerProgress();
    look(pace, 1, 0, 10, later);
    assertFalse(pace.isSurplus(later, 10, 5, 1_000));
    look(pace, 2, 0, 500, next, later);
    assertTrue(pace.isSurplus(later, 500, 5, 1_000), "they have come, and are not taken");
    look(pace, 3, 0, 1_499, later);
    assertFalse(pace.isSurplus(later, 1_499, 5, 1_000), "they were there");
    look(pace, 4, 0, 1_500, later);
    assertTrue(pace.isSurplus(later, 1_500, 5, 1_000));
    look(pace, 5, 50, 1_600, later);
    assertFalse(pace.isSurplus(later, 1_600, 5, 1_000), "something came and was taken");
  }

  @Test
  void shouldNotTakeBackMoreThanTheOpenerSees() {
    InboundFill next = offered(0, 0, 100, false);
    InboundFill later = offered(1, 100, 100, false);
    OpenerProgress pace = new OpenerProgress();
    look(pace, 1, 0, 0, next, later);
    for (int i = 0; i < 64; i++) {
      assertTrue(pace.isSurplus(later, 9, 5, 1_000));
      pace.onTakenBack();
    }
    assertFalse(pace.isSurplus(later, 9, 5, 1_000));
    pace.onReturned();
    assertTrue(pace.isSurplus(later, 9, 5, 1_000));
  }

  private static void look(
      OpenerProgress pace, int number, long opened, long nowNs, InboundFill... fills) {
    for (InboundFill fill : fills) {
      pace.onSeen(fill, opened, number, nowNs);
    }
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

    // Meanwhile the receiver took the region back: the sender writes the same part into another
    // region.
    InboundFill again = sealed(1, plain);
    opener.offer(again);
    again.onTaken(0);
    assertEquals(List.of(again), consumed);
    assertArrayEquals(plain, Arrays.copyOf(taken.toByteArray(), plain.length));
    assertEquals(plain.length + 1, taken.size());
    assertEquals('!', taken.toByteArray()[plain.length]);
    assertEquals(plain.length, delivered);
  }

  private InboundFill end(BodyOpener of, long position) {
    InboundFill fill = new InboundFill();
    fill.start(this, -1, null, 0, 0);
    fill.describe(position, 1, true);
    fill.assign(of);
    of.offer(fill);
    return fill;
  }

  /**
   * A peer's waiting bodies hold the peer's share of the regions, and no memory beside that share.
   */
  @Test
  void shouldLeaveThePayloadInItsRegionUntilThereIsATarget() {
    int headersBytes = 100;
    byte[] plain = new byte[2 * Records.RECORD_BYTES];
    new Random(7).nextBytes(plain);
    BodyOpener late = opener(headersBytes);
    isLate = true;
    InboundFill first = sealed(0, plain);
    late.offer(first);
    assertEquals(List.of(), given);
    assertEquals(0, late.openedBytes());
    assertTrue(first.takeBack(), "nothing of it is kept elsewhere");

    late.onTakenBack();
    InboundFill again = sealed(1, plain);
    late.offer(again);
    isFull = true;
    late.accept(new Target());
    assertEquals(List.of(first), given, "the target is full");
    isFull = false;
    resume.run();
    assertEquals(List.of(first, again), given);
    assertEquals(1, told.size());
    assertArrayEquals(Arrays.copyOf(plain, headersBytes), told.getFirst());
    assertEquals(plain.length - headersBytes, delivered);
    assertArrayEquals(
        Arrays.copyOfRange(plain, headersBytes, plain.length),
        Arrays.copyOf(taken.toByteArray(), plain.length - headersBytes));
  }

  @Test
  void shouldKeepNoMoreOfHeadersThanHasCome() {
    byte[] plain = new byte[2 * Records.RECORD_BYTES];
    InboundFill first = sealed(0, plain);
    first.describe(0, 1, false);
    // Not enough memory exists for all the announced headers.
    opener(Integer.MAX_VALUE).offer(first);
    assertEquals(List.of(), failures);
    assertEquals(List.of(first), given);
  }

  @Test
  void shouldPutHeadersTogetherThatComeInSeveralRecords() {
    int headersBytes = Records.RECORD_BYTES + 10;
    byte[] plain = new byte[2 * Records.RECORD_BYTES];
    new Random(8).nextBytes(plain);
    isLate = true;
    BodyOpener late = opener(headersBytes);
    late.offer(sealed(0, plain));
    assertArrayEquals(Arrays.copyOf(plain, headersBytes), told.getFirst());
    assertEquals(Records.RECORD_BYTES, late.openedBytes());
    late.accept(new Target());
    assertEquals(plain.length - headersBytes, delivered);
    assertEquals(plain.length - headersBytes + 1, taken.size());
    assertEquals(1, told.size());
  }

  @Test
  void shouldFailABodyThatEndsWithinItsHeaders() {
    InboundFill end = end(opener(16_384), 0);
    assertEquals(
        List.of(
            "TARGET_FAILED: the sender announced 16384 bytes of headers and did not keep to that"),
        failures);
    assertEquals(List.of(end), given);
  }

  @Test
  void shouldFailABodyThatEndsBeforeBytesThatCame() {
    byte[] plain = new byte[2 * Records.RECORD_BYTES];
    InboundFill all = sealed(0, plain);
    all.describe(0, 1, false);
    opener.offer(all);
    end(opener, Records.RECORD_BYTES);
    assertEquals(
        List.of("TARGET_FAILED: the sender ended the body before bytes that it has sent"),
        failures);
    assertEquals(-1, delivered);
  }
}
