package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.access.admission.HostCounts;
import io.millrace.event.RecordingEvents;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refused handshakes are counted and seldom reported, whatever strangers send. */
class RefusedHandshakesTest {
  private final RecordingEvents events = new RecordingEvents(10_000);
  private final RefusedHandshakes refused = new RefusedHandshakes(events);

  @Test
  void shouldTellOfAHostSeldomWhateverPortItComesFrom() {
    for (int i = 1; i <= 9; i++) {
      refused.onRefused("10.0.0.1:" + i, "no");
    }
    refused.onRefused("[::1]:7", "no");
    refused.onRefused("[::2]:7", "no");
    assertEquals(
        List.of(
            "HandshakeRefused remote=10.0.0.1:1 reason=no count=1",
            "HandshakeRefused remote=10.0.0.1:2 reason=no count=2",
            "HandshakeRefused remote=10.0.0.1:4 reason=no count=4",
            "HandshakeRefused remote=10.0.0.1:8 reason=no count=8",
            "HandshakeRefused remote=[::1]:7 reason=no count=1",
            "HandshakeRefused remote=[::2]:7 reason=no count=1"),
        events.lines());
    assertEquals(11, refused.total());
  }

  /** Addresses are forged easily: forged addresses must fill neither memory nor a log. */
  @Test
  void shouldCountTheRestOfManyHostsTogether() {
    for (int i = 0; i < HostCounts.MOST_HOSTS + 1_000; i++) {
      refused.onRefused("10." + i / 10_000 + "." + i / 100 + "." + i % 100 + ":1", "no");
    }
    assertEquals(HostCounts.MOST_HOSTS + 10, events.lines().size());
    refused.onRefused("10.0.0.0:2", "no");
    assertEquals("HandshakeRefused remote=10.0.0.0:2 reason=no count=2", events.lines().getLast());
    assertEquals(HostCounts.MOST_HOSTS + 1_001, refused.total());
  }
}
