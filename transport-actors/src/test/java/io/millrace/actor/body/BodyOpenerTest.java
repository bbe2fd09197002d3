package io.millrace.actor.body;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.actor.submission.ExecutorLane;
import io.millrace.actor.submission.Submission;
import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.config.TransferSettings;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.Records;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an opener gives back of a body whose beginning is missing. */
final class BodyOpenerTest implements BodyListener, InboundFill.Receiver {
  private static final int BLOCK_BYTES = 64 << 10;

  private final List<Submission> given = new ArrayList<>();
  private final List<InboundFill> withdrawn = new ArrayList<>();
  private final List<InboundFill> consumed = new ArrayList<>();
  private final BodyOpener opener =
      new BodyOpener(
          new BodyServices(
              new ExecutorLane(Runnable::run, 16, 1),
              new BufferRegistry(
                  new BufferSettings(List.of(new BlockClass(BLOCK_BYTES, 4)), BLOCK_BYTES, true)),
              new TransferSettings(BLOCK_BYTES * 4, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES),
              AeadProviders.discover().select(Records.RECORD_BYTES),
              AesKeySize.AES_128,
              new SplittableRandom(1)),
          this,
          given::add,
          new BodyTerms(1, false, 1, BodyTerms.PATTERN_BULK, 0, 0, 0, BodyTerms.UNKNOWN));

  @Override
  public @Nullable BodyTarget onHeaders(BodyOpener of, byte[] headers, long payloadBytes) {
    return null;
  }

  @Override
  public void onDelivered(long payloadBytes) {
    throw new AssertionError("the beginning is missing");
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
    throw new AssertionError("nothing was opened");
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
}
