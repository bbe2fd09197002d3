package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.samples.log.check.Call;
import io.millrace.samples.log.check.Linearizability;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.core.Result.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

/** Right histories, and violations planted into these histories. */
final class LinearizabilityTest {
  private final List<Call> history = new ArrayList<>();

  private static ByteString text(String text) {
    return ByteString.fromString(text);
  }

  private void put(String value, long startNs, long endNs) {
    Operation put = Operation.put(text("k"), text(value));
    history.add(new Call("c", put, startNs, endNs, Result.of(Status.DONE, text(""))));
  }

  private void unansweredPut(String value, long startNs) {
    Operation put = Operation.put(text("k"), text(value));
    history.add(new Call("c", put, startNs, Long.MAX_VALUE, null));
  }

  private void get(String value, long startNs, long endNs) {
    Operation get = Operation.get(text("k"));
    history.add(new Call("c", get, startNs, endNs, Result.of(Status.DONE, text(value))));
  }

  private void set(String expected, String value, String found, long startNs, long endNs) {
    Operation set = Operation.compareAndSet(text("k"), text(expected), text(value));
    Status status = found.equals(expected) ? Status.DONE : Status.DIFFERENT;
    Result result = Result.of(status, text(status == Status.DONE ? "" : found));
    history.add(new Call("c", set, startNs, endNs, result));
  }

  private void check(boolean isRight) {
    assertEquals(isRight, Linearizability.violation(history).isEmpty());
  }

  @Test
  void shouldLetOverlappingCallsHappenInAnyOrder() {
    put("a", 0, 10);
    put("b", 5, 15);
    get("a", 20, 25);
    check(true);
  }

  @Test
  void shouldFindStaleRead() {
    put("a", 0, 10);
    put("b", 20, 30);
    get("a", 40, 50);
    check(false);
  }

  @Test
  void shouldFindReadThatGoesBack() {
    put("a", 0, 1);
    put("b", 5, 100);
    get("b", 10, 20);
    get("a", 30, 40);
    check(false);
  }

  @Test
  void shouldFindLostWrite() {
    put("a", 0, 10);
    get("", 20, 30);
    check(false);
  }

  @Test
  void shouldFindTwoSettersThatBothWon() {
    put("a", 0, 1);
    set("a", "b", "a", 10, 20);
    set("a", "c", "a", 12, 22);
    check(false);
  }

  @Test
  void shouldLetUnansweredWriteHappenLaterOrNever() {
    put("a", 0, 1);
    unansweredPut("b", 5);
    get("a", 10, 20);
    check(true);
    get("b", 30, 40);
    check(true);
    get("a", 50, 60);
    check(false);
  }

  @Test
  void shouldFindSetterThatWasToldAnotherValueThanThereWas() {
    put("a", 0, 1);
    set("b", "c", "x", 10, 20);
    check(false);
  }

  /** A single copy does overlapping calls; then an answer is replaced by another answer. */
  @Test
  void shouldFindOneWrongAnswerInLongHistories() {
    for (int seed = 0; seed < 50; seed++) {
      history.clear();
      Random random = new Random(seed);
      String now = "";
      int wrong = 20 + random.nextInt(60);
      for (int i = 0; i < 100; i++) {
        long atNs = 10L * i;
        if (random.nextBoolean()) {
          now = "v" + i;
          put(now, atNs - random.nextInt(60), atNs + random.nextInt(60));
        } else {
          get(i == wrong ? "never" : now, atNs - random.nextInt(60), atNs + random.nextInt(60));
        }
        wrong += i == wrong && now.equals("v" + i) ? 1 : 0;
      }
      check(wrong >= 100);
    }
  }
}
