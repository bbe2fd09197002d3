package io.millrace.actor.dispatcher;

/**
 * Spins, then yields, then parks, doubling the park from the least to the most; work resets it.
 *
 * <p>A park ends early when a task is submitted or somebody calls {@link EventLoop#wakeUp()}, and
 * never lasts beyond the loop's next deadline. What arrives from the network is found when the park
 * ends: the longest park is the price in latency for leaving the core to others.
 */
final class BackoffIdle implements IdleStrategy {
  private final LoopSettings.Backoff settings;
  private final Parker parker;
  private final LoopBody loop;

  private int spins;
  private int yields;
  private long parkNs;

  BackoffIdle(LoopSettings.Backoff settings, Parker parker, LoopBody loop) {
    this.settings = settings;
    this.parker = parker;
    this.loop = loop;
    this.parkNs = settings.minParkNs();
  }

  @Override
  public void onStart() {
    parker.adopt();
  }

  @SuppressWarnings("ThreadPriorityCheck") // yielding a shared core is what this class is for
  @Override
  public void onTurn(int work) {
    if (work > 0) {
      spins = 0;
      yields = 0;
      parkNs = settings.minParkNs();
    } else if (spins < settings.spins()) {
      spins++;
      Thread.onSpinWait();
    } else if (yields < settings.yields()) {
      yields++;
      Thread.yield();
    } else {
      park();
    }
  }

  private void park() {
    parker.announce();
    long timeoutNs = timeoutNs();
    if (timeoutNs <= 0 || loop.isClosing() || loop.hasWork()) {
      parker.stayAwake();
      return;
    }
    loop.counters().onPark();
    parker.sleep(timeoutNs);
    parkNs = Math.min(2 * parkNs, settings.maxParkNs());
  }

  private long timeoutNs() {
    long deadlineNs = loop.nextDeadlineNs();
    return deadlineNs == DutyCycle.NO_DEADLINE_NS
        ? parkNs
        : Math.min(parkNs, deadlineNs - loop.nowNs());
  }
}
