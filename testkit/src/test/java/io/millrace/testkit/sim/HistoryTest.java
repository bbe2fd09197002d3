package io.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SimRunner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HistoryTest {
  private static @Nullable String broken(Consumer<History> calls) throws Exception {
    Scenario scenario =
        run -> {
          run.history().sent(1, 0, 1, 77);
          calls.accept(run.history());
        };
    RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(1));
    return result.violation() == null ? null : result.violation().rule();
  }

  @Test
  void shouldAcceptEveryHonestEnd() throws Exception {
    assertNull(
        broken(
            history -> {
              history.executed(1, 1, 77);
              history.resolved(1, Outcome.DONE, "");
              history.sent(2, 0, 1, 0);
              history.resolved(2, Outcome.REJECTED, "");
              history.sent(3, 0, 1, 0);
              history.resolved(3, Outcome.INDETERMINATE, "");
              history.executed(3, 1, 0);
              history.sent(4, 1, 0, 0);
              history.onCrash(1);
              assertEquals(0, history.open());
              history.executed(4, 0, 0);
            }));
  }

  @Test
  void shouldRefuseWhatWasNeverSent() throws Exception {
    assertEquals("no creation", broken(history -> history.executed(2, 1, 77)));
    assertEquals("no creation", broken(history -> history.executed(1, 0, 77)));
    assertEquals("outcome totality", broken(history -> history.resolved(2, Outcome.DONE, "")));
  }

  @Test
  void shouldRefuseOtherBytes() throws Exception {
    assertEquals("integrity", broken(history -> history.executed(1, 1, 78)));
  }

  @Test
  void shouldRefuseASecondExecution() throws Exception {
    assertEquals(
        "at most once",
        broken(
            history -> {
              history.executed(1, 1, 77);
              history.onCrash(1);
              history.executed(1, 1, 77);
            }));
  }

  @Test
  void shouldRefuseLies() throws Exception {
    assertEquals("truth", broken(history -> history.resolved(1, Outcome.DONE, "")));
    assertEquals("truth", broken(history -> history.resolved(1, Outcome.FAILED, "")));
    assertEquals(
        "truth",
        broken(
            history -> {
              history.executed(1, 1, 77);
              history.resolved(1, Outcome.REJECTED, "");
            }));
    assertEquals(
        "truth",
        broken(
            history -> {
              history.resolved(1, Outcome.REJECTED, "");
              history.executed(1, 1, 77);
            }));
  }

  @Test
  void shouldRefuseASecondOutcome() throws Exception {
    assertEquals(
        "outcome totality",
        broken(
            history -> {
              history.resolved(1, Outcome.INDETERMINATE, "");
              history.resolved(1, Outcome.INDETERMINATE, "");
            }));
    assertEquals(
        "outcome totality",
        broken(
            history -> {
              history.onCrash(0);
              history.resolved(1, Outcome.INDETERMINATE, "");
            }));
  }

  @Test
  void shouldKnowWhatIsOpen() throws Exception {
    Scenario scenario =
        run -> {
          run.history().sent(1, 0, 1, 77);
          run.eventually(1_000, "the end", run.history()::isSettled);
        };
    RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(1));
    assertNotNull(result.violation());
    assertEquals(
        "seed 1, 1000 ns: liveness: not within 1000 ns without progress: the end; 1 calls are open:"
            + " call 1 from n0 to n1",
        result.violation().getMessage());
  }
}
