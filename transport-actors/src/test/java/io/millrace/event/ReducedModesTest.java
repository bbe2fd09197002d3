package io.millrace.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReducedModesTest {
  private final RecordingEvents told = new RecordingEvents(1_000);
  private final List<Throwable> thrown = new ArrayList<>();
  private final EventSubscribers events =
      new EventSubscribers(
          new EventSubscribers.Means(
              thrown::add, ReducedModesTest::noThread, (interval, task) -> () -> {}, () -> 0));

  ReducedModesTest() {
    events.direct(told);
  }

  private static ExecutorService noThread() {
    return Executors.newSingleThreadExecutor();
  }

  private List<String> missing() {
    return told.lines().stream().filter(line -> line.startsWith("ResourceMissing")).toList();
  }

  @Test
  void shouldMakeOneEventOfWhatEachWorkerLacks() {
    for (int worker = 0; worker < 8; worker++) {
      events.onResourceDegraded(worker, "GSO: cutting of trains not available here (errno 92)");
    }
    assertEquals(8, told.count("ResourceDegraded"));
    assertEquals(
        List.of(
            "ResourceMissing resource=GSO reason=cutting of trains not available here (errno 92)"
                + " mode=packets of a train are sent one by one"),
        missing());
  }

  @Test
  void shouldTellOfDriversAndCores() {
    events.onDriverPassedOver("efa", "libfabric could not be loaded");
    events.onPinFailed(0, 7, "not permitted");
    events.onPinFailed(1, 8, "not permitted");
    assertEquals(
        List.of(
            "ResourceMissing resource=driver efa reason=libfabric could not be loaded"
                + " mode=the next best driver is used",
            "ResourceMissing resource=core 7 reason=not permitted mode=the worker runs unpinned",
            "ResourceMissing resource=core 8 reason=not permitted mode=the worker runs unpinned"),
        missing());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "receive loss: 20.0 % of datagrams are dropped, as asked",
        "bindAddress: tcp has addresses of its own, ignored /127.0.0.1",
        "maxDatagramBytes: asked for 65507, got 8972",
        "maxTrainPackets: asked for 128, got 64"
      })
  void shouldNotCallASettingWithoutEffectALack(String what) {
    events.onResourceDegraded(0, what);
    assertEquals(List.of(), missing());
  }

  /** A driver may find ever new words; a node remembers no endless list of the words. */
  @Test
  void shouldEndSomewhere() {
    for (int i = 0; i < 1_000; i++) {
      events.onResourceDegraded(0, "thing: " + i);
    }
    assertEquals(256, missing().size());
  }
}
