package io.millrace.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.buffer.TransferBuffer;
import io.millrace.transfer.Protection;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A body at its sender: the edges of the sender's table in the document of states, in a real body.
 */
final class BodyStatesTest implements OutboundBody.Carrier, BodyFeed {
  private static final int BLOCK_BYTES = 8 << 10;
  private static final int BLOCKS = 4;

  /** The progress of the body at the moment of giving up. */
  enum Reached {
    OPEN,
    PARTLY_PLACED,
    PLACED,
    DONE,
    OVER
  }

  private final BufferRegistry registry =
      new BufferRegistry(
          new BufferSettings(List.of(new BlockClass(BLOCK_BYTES, BLOCKS)), BLOCK_BYTES));
  private final List<String> told = new ArrayList<>();
  private final OutboundBody body =
      new OutboundBody(
          new BodyTerms(
              1,
              false,
              1,
              BodyTerms.PATTERN_BULK,
              0,
              0,
              0,
              0,
              BodyTerms.UNKNOWN,
              Protection.SEALED),
          this);

  @AfterEach
  void close() {
    assertEquals(BLOCKS, registry.freeBlocks(0), "every part was released");
    registry.close();
  }

  @Test
  void shouldBeDoneWhenTheLastPieceWasPlacedAndTheLastFillTakenOut() {
    body.start(this);
    assertEquals(List.of("start"), told);
    part(100, false);
    body.onPlaced(60);
    body.onPlaced(40);
    body.onFillClosed();
    body.onFillClosed();
    assertFalse(body.isDone(), "more parts may come");
    part(50, true);
    body.onPlaced(50);
    assertFalse(body.isDone(), "its fill is under way");
    body.onFillSplit();
    body.onFillClosed();
    assertFalse(body.isDone(), "half of the fill is under way");
    body.onFillClosed();
    assertTrue(body.isDone());
    assertFalse(body.isOver());
    assertNull(body.head());
    body.finish();
    assertTrue(body.isOver());
    assertEquals(
        List.of("start", "part", "placed 60", "placed 40", "part", "placed 50", "cancel"), told);
  }

  @Test
  void shouldHaveNoMoreFillsAtThePeerThanItTookOutSince() {
    body.start(this);
    part(100, false);
    part(100, true);
    for (int i = 0; i < 5; i++) {
      body.onPlaced(20);
    }
    body.earn();
    assertFalse(body.isRestricted());
    for (int i = 0; i < 4; i++) {
      body.onFillBack(20);
      body.restrict();
    }
    assertEquals(4, body.fillsBack());
    assertEquals(80, body.bytesBack());
    assertFalse(body.hasRoom(), "one is there");
    body.onFillClosed();
    body.earn();
    body.onPlacedAgain(20, true);
    assertTrue(body.hasRoom());
    body.onFillSplit();
    body.onPlacedAgain(15, false);
    assertFalse(body.hasRoom(), "a piece of a fill counts as one");
    assertEquals(3, body.fillsBack());
    assertEquals(45, body.bytesBack());
    for (int i = 0; i < 14; i++) {
      body.earn();
      assertTrue(body.isRestricted());
    }
    body.earn();
    assertFalse(body.isRestricted());
    body.finish();
  }

  @Test
  void shouldEndWithANoticeOfItsOwnWhenNoBytesAreLeft() {
    body.start(this);
    body.onSealed(new SealedRecords(body, null, null, 0, true));
    body.onPlaced(0);
    assertFalse(body.isDone(), "the notice is under way");
    body.onFillClosed();
    assertTrue(body.isDone());
  }

  @Test
  void shouldPlaceNothingBeyondItsEnd() {
    body.start(this);
    assertThrows(NoSuchElementException.class, () -> body.onPlaced(1));
    part(50, true);
    body.onPlaced(50);
    assertThrows(NoSuchElementException.class, () -> body.onPlaced(1));
  }

  @ParameterizedTest
  @EnumSource(Reached.class)
  void shouldLetEverythingGoWhereverItIsGivenUp(Reached reached) {
    bring(reached);
    told.clear();
    body.finish();
    assertTrue(body.isOver());
    assertEquals(0, body.queuedBytes());
    assertNull(body.head());
    part(70, true);
    assertNull(body.head(), "what comes late is released");
    body.onSourceFailed("too late to tell");
    assertThrows(NoSuchElementException.class, () -> body.onPlaced(1));
    body.finish();
    assertEquals(List.of("cancel", "cancel"), told);
  }

  private void bring(Reached reached) {
    body.start(this);
    part(100, true);
    if (reached == Reached.PARTLY_PLACED) {
      body.onPlaced(60);
      assertNotNull(body.head());
      assertEquals(60, body.headUsedBytes());
    } else if (reached != Reached.OPEN) {
      body.onPlaced(100);
    }
    if (reached == Reached.DONE || reached == Reached.OVER) {
      body.onFillClosed();
      assertTrue(body.isDone());
    }
    if (reached == Reached.OVER) {
      body.finish();
    }
  }

  private void part(int length, boolean isLast) {
    TransferBuffer buffer = registry.tryAllocate(BLOCK_BYTES, "part");
    assertNotNull(buffer);
    buffer.beginWrite();
    buffer.fill(length);
    body.onSealed(new SealedRecords(body, buffer, null, 0, isLast));
  }

  @Override
  public void onSealed(OutboundBody of) {
    told.add("part");
  }

  @Override
  public void onFault(Throwable fault) {
    throw new AssertionError(fault);
  }

  @Override
  public void onSourceFailed(OutboundBody of, String text) {
    told.add("failed");
  }

  @Override
  public void start() {
    told.add("start");
  }

  @Override
  public void onAcknowledged(int bytes) {
    told.add("acknowledged " + bytes);
  }

  @Override
  public void onPlaced(int bytes) {
    told.add("placed " + bytes);
  }

  @Override
  public void cancel() {
    told.add("cancel");
  }
}
