package io.millrace.actor.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.actor.submission.Submission;
import io.millrace.config.StreamSettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ElementInletTest {
  private static final int WINDOW = 64;

  private final List<Submission> signals = new ArrayList<>();
  private final ElementStream stream =
      new ElementStream(signals::add, 0, new StreamSettings(WINDOW, 1 << 20, 1 << 30, 1 << 30));
  private final ElementInlet inlet = stream.inlet();

  @Test
  void shouldSignalOnceHalfOfTheWindowWasTakenSinceTheSenderWasTold() {
    take(WINDOW / 2 - 1);
    assertEquals(0, signals.size());
    take(1);
    assertEquals(1, signals.size());
    // The worker comes late and tells of what was taken until then.
    take(8);
    onWorker(inlet.consumedElements());
    take(WINDOW / 2 - 1);
    assertEquals(1, signals.size());
    take(1);
    assertEquals(2, signals.size());
  }

  @Test
  void shouldSignalAgainWhileTheSenderWasNotTold() {
    take(WINDOW / 2);
    stream.onTaken(0);
    take(1);
    assertEquals(2, signals.size());
  }

  @Test
  void shouldNotSignalOnceTheSenderIsToldNothingMore() {
    inlet.onToldAll();
    take(WINDOW);
    assertEquals(0, signals.size());
  }

  private void take(int elements) {
    for (int i = 0; i < elements; i++) {
      inlet.onElement(new byte[1]);
      assertArrayEquals(new byte[1], inlet.poll());
    }
  }

  private void onWorker(long elements) {
    inlet.onTold(elements, elements);
    stream.onTaken(0);
  }
}
