package io.millrace.protocol.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ParkedCallTest {
  private static final int SLOT = 3;
  private static final int PRIORITY = 5;

  private final List<Long> failed = new ArrayList<>();
  private final ServedCalls served =
      new ServedCalls(16, new AnswerMemory(1 << 20), new Owner(failed));
  private final Work work = new Work();

  /** Notes the calls that were never answered. A fake. */
  private record Owner(List<Long> failed) implements ServedCall.Owner {
    @Override
    public void onAnswerDropped(ServedCall call) {}

    @Override
    public void onAnswerUnsendable(ServedCall call) {}

    @Override
    public void onCausalAnswered(long transferId, boolean isWell) {
      assertFalse(isWell);
      failed.add(transferId);
    }
  }

  private static final class Work extends ParkedCall {
    private int abandoned;

    @Override
    public void onAbandoned() {
      abandoned++;
    }
  }

  private static long id(int generation) {
    return TransferId.of(0, generation, SLOT);
  }

  @BeforeEach
  void park() {
    assertEquals(ServedCalls.Arrival.NEW, served.onRequest(id(1), PRIORITY));
    ServedCall call = Objects.requireNonNull(served.find(SLOT, 1));
    call.causal();
    served.park(call, work);
  }

  @Test
  void shouldLeaveTheFrameToOtherCallsUntilTheAnswer() {
    assertNull(served.find(SLOT, 1));
    assertTrue(served.isParked(SLOT, 1));
    assertTrue(served.isExecuting(SLOT, 1));
    assertEquals(ServedCalls.Arrival.DUPLICATE, served.onRequest(id(1), PRIORITY));
    assertEquals(ServedCalls.Arrival.NEW, served.onRequest(TransferId.of(0, 1, 4), 0));
    assertEquals(2, served.openCount());
    ServedCall resumed = Objects.requireNonNull(served.resume(work));
    assertSame(resumed, served.find(SLOT, 1));
    assertEquals(id(1), resumed.transferId());
    assertEquals(PRIORITY, resumed.priority());
    assertTrue(resumed.isCausal());
    assertFalse(served.isParked(SLOT, 1));
    assertEquals(0, work.abandoned);
  }

  @Test
  void shouldTellTheWorkThatItsSlotServesANewerCall() {
    assertEquals(ServedCalls.Arrival.NEW, served.onRequest(id(2), PRIORITY));
    assertEquals(1, work.abandoned);
    assertEquals(List.of(id(1)), failed);
    assertNull(served.resume(work));
    assertEquals(1, served.openCount());
  }

  @Test
  void shouldPutAnotherCallInThePlaceOfWorkThatNobodyWaitsFor() {
    ServedCall renewed = served.renewParked(SLOT);
    assertEquals(id(1), renewed.transferId());
    assertSame(renewed, served.find(SLOT, 1));
    assertEquals(1, work.abandoned);
    assertNull(served.resume(work));
    assertEquals(1, served.openCount());
  }

  @Test
  void shouldTellTheWorkOfTheEndOfThePath() {
    served.forgetAll();
    assertEquals(1, work.abandoned);
    assertNull(served.resume(work));
    assertEquals(0, served.openCount());
  }
}
