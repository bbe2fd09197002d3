package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/**
 * Tasks that wait for devices run in a lane of their own, from the turn of their announcement on.
 */
class DeviceLaneTest {
  private final Queue<Runnable> usual = new ArrayDeque<>();
  private final Queue<Runnable> device = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private String here = "";
  private boolean isRefusing;
  private final ExecutorLane devices = new ExecutorLane(this::executeDevice, 4, 1);
  private final ExecutorLane lane = new ExecutorLane(usual::add, 4, 1, Runnable::run, devices);
  private final Moving task = new Moving();

  private void executeDevice(Runnable drain) {
    if (isRefusing) {
      throw new RejectedExecutionException("planted");
    }
    device.add(drain);
  }

  /** Moves to the other lane in the first turn, and is scheduled twice more during this turn. */
  private final class Moving extends RepeatedTask {
    Moving() {
      super(lane);
    }

    void wish() {
      schedule();
    }

    @Override
    protected void onTurn() {
      if (leaves(() -> true)) {
        schedule();
        told.add("leaves " + here);
        return;
      }
      told.add("turn " + here);
    }

    @Override
    protected void onFault(Throwable thrown) {
      throw new AssertionError(thrown);
    }

    @Override
    protected void onRefused() {
      told.add("refused");
    }
  }

  private void run(String name, Queue<Runnable> executor) {
    Runnable next;
    while ((next = executor.poll()) != null) {
      here = name;
      next.run();
    }
  }

  @Test
  void shouldGoOnInTheOtherLaneAndStayThere() {
    task.wish();
    assertTrue(device.isEmpty());
    run("usual", usual);
    assertEquals(List.of("leaves usual"), told);
    run("device", device);
    assertEquals(List.of("leaves usual", "turn device"), told);
    task.wish();
    assertTrue(usual.isEmpty());
    run("device", device);
    assertEquals(List.of("leaves usual", "turn device", "turn device"), told);
  }

  @Test
  void shouldBeHandedOverOnceThoughItIsScheduledWhileItMoves() {
    task.wish();
    run("usual", usual);
    task.wish();
    task.wish();
    assertEquals(1, device.size());
    run("usual", usual);
    run("device", device);
    assertEquals(List.of("leaves usual", "turn device"), told);
  }

  @Test
  void shouldBeToldWhenTheOtherLaneRefuses() {
    isRefusing = true;
    task.wish();
    run("usual", usual);
    assertEquals(List.of("leaves usual", "refused"), told);
  }

  @Test
  void shouldTakeTasksThatSayItFromTheBeginning() {
    lane.give(LaneTask.always(true, () -> told.add(here)));
    lane.give(LaneTask.always(() -> told.add(here)));
    run("device", device);
    run("usual", usual);
    assertEquals(List.of("device", "usual"), told);
  }
}
