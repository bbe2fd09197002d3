package io.millrace.samples.bench.burst.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinkUseTest {
  private static final long MS = 1_000_000;
  private static final long RATE = 8_000_000;
  private static final LinkChange STEP = new LinkChange(1_000 * MS, 2_000 * MS, RATE, RATE / 4);

  /** Full before the change and in the slow second, then idle for 300 ms, then full again. */
  @Test
  void shouldTellTheUseOfEachPartByTheRateOfThatPart() {
    LinkUse use = LinkUse.of(samples(300), STEP, 0, 3_000 * MS);
    assertEquals(1, use.before(), 1e-6);
    assertEquals(1, use.meanwhile(), 1e-6);
    assertEquals(0.7, use.after(), 1e-6);
    assertEquals(300 * MS, use.backNs());
  }

  @Test
  void shouldSayThatTheLinkNeverFilledAgain() {
    LinkUse use = LinkUse.of(samples(1_000), STEP, 0, 3_000 * MS);
    assertEquals(0, use.after(), 1e-6);
    assertEquals(-1, use.backNs());
  }

  /** A sample each 10 ms. */
  private static List<QueueSample> samples(int idleMs) {
    List<QueueSample> samples = new ArrayList<>();
    long bytes = 0;
    for (int ms = 0; ms <= 3_000; ms += 10) {
      samples.add(new QueueSample(ms * MS, bytes, 0, 0, 0));
      if (ms < 1_000 || ms >= 2_000 + idleMs) {
        bytes += 10_000;
      } else if (ms < 2_000) {
        bytes += 2_500;
      }
    }
    return samples;
  }
}
