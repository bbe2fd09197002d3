package io.millrace.efa.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignalGuardTest {
  private final Map<Integer, Long> handlers = new HashMap<>();
  private final SignalGuard guard = new SignalGuard(new FakeLibC());
  private int installations;

  /** A fake C library that keeps one handler's address per signal. */
  private final class FakeLibC implements LibC {
    @Override
    public void setEnvironment(String name, String value, boolean overwrite) {}

    @Override
    public long duplicate(String text) {
      return 0;
    }

    @Override
    @SuppressWarnings("restricted") // the structures lie in memory of the code under test
    public int signalAction(int signal, long newAction, long oldAction) {
      if (oldAction != 0) {
        MemorySegment.ofAddress(oldAction)
            .reinterpret(8)
            .set(ValueLayout.JAVA_LONG, 0, handlers.getOrDefault(signal, 0L));
      }
      if (newAction != 0) {
        installations++;
        handlers.put(
            signal,
            MemorySegment.ofAddress(newAction).reinterpret(8).get(ValueLayout.JAVA_LONG, 0));
      }
      return 0;
    }
  }

  @Test
  void shouldPutBackTheHandlersThatWereReplacedAndNoOthers() {
    handlers.put(11, 100L);
    handlers.put(7, 200L);
    handlers.put(15, 300L);
    long answer =
        guard.guard(
            () -> {
              handlers.put(11, 666L);
              handlers.put(7, 667L);
              return 42;
            });
    assertEquals(42, answer);
    assertEquals(Map.of(11, 100L, 7, 200L, 15, 300L), handlers);
    assertEquals(2, installations);
  }

  @Test
  void shouldPutThemBackWhenTheCallThrows() {
    handlers.put(11, 100L);
    assertThrows(
        IllegalStateException.class,
        () ->
            guard.guard(
                () -> {
                  handlers.put(11, 666L);
                  throw new IllegalStateException("loading failed");
                }));
    assertEquals(100L, handlers.get(11));
  }
}
