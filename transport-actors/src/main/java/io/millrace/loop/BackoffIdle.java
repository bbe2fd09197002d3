package io.millrace.loop;

/**
 * Spins, then yields, then sleeps; new work begins the sequence anew. A sleep ends early when a
 * task is submitted or somebody calls {@link EventLoop#wakeUp()}, and never lasts beyond the loop's
 * next deadline.
 *
 * <p>Where the system can tell that something came from the network, the thread waits for this
 * event. Elsewhere the thread parks, doubling the park from the least to the most, and finds new
 * arrivals when the park ends. The longest park is the price in latency for leaving the core to
 * other threads. The thread also parks when the system told of something and a turn found nothing:
 * such a wait may end at once, for ever.
 *
 * <p>The strategy learns how long to spin: half as long after a pause with a sleep, twice as long
 * after a pause that ended before the sleep. Two loops that sleep answer each other so late that
 * both sleep again. So in one of 16 pauses the thread spins as long as allowed, and goes on so if
 * the spinning was long enough.
 */
final class BackoffIdle implements IdleStrategy {
  /** The least number of turns without work before a sleep; fewer if fewer are allowed. */
  private static final int LEAST_TURNS = 8;

  /** In one pause of this number the thread spins as long as allowed. */
  private static final int TRY_EVERY = 16;

  private final LoopSettings.Backoff settings;
  private final Parker parker;
  private final LoopBody loop;

  private final int mostTurns;

  /** Turns without work since the last work. */
  private int idleTurns;

  /** The number of idle turns before this sleep. */
  private int patience;

  /** The number of idle turns before a sleep, learnt from recent pauses. */
  private int learnt;

  private int pauses;

  private long parkNs;
  private boolean isFalseAlarm;

  BackoffIdle(LoopSettings.Backoff settings, Parker parker, LoopBody loop) {
    this.settings = settings;
    this.parker = parker;
    this.loop = loop;
    this.parkNs = settings.minParkNs();
    mostTurns = (int) Math.min(Integer.MAX_VALUE, (long) settings.spins() + settings.yields());
    learnt = mostTurns;
    patience = mostTurns;
  }

  @Override
  public void onStart() {
    parker.adopt();
  }

  @Override
  public void onEnd() {
    parker.retire();
  }

  @SuppressWarnings("ThreadPriorityCheck") // the purpose of this class is to yield a shared core
  @Override
  public void onTurn(int work) {
    if (work > 0) {
      onWork();
    } else if (idleTurns >= patience) {
      park();
    } else if (idleTurns++ < settings.spins()) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  private void onWork() {
    if (idleTurns > 0) {
      boolean isFound = idleTurns < patience;
      boolean wasTried = patience > learnt;
      if (isFound) {
        learnt = wasTried ? mostTurns : Math.min(mostTurns, 2 * learnt);
      } else {
        learnt = Math.min(mostTurns, Math.max(LEAST_TURNS, learnt / 2));
      }
      patience = ++pauses % TRY_EVERY == 0 ? mostTurns : learnt;
    }
    idleTurns = 0;
    parkNs = settings.minParkNs();
    isFalseAlarm = false;
  }

  private void park() {
    int[] arrivals = isFalseAlarm || !parker.canAwait() ? null : loop.arrivalDescriptors();
    parker.announce(arrivals != null);
    long timeoutNs = timeoutNs(arrivals != null ? settings.maxWaitNs() : parkNs);
    if (timeoutNs <= 0 || loop.isClosing() || loop.hasWork()) {
      parker.stayAwake();
      return;
    }
    loop.counters().onPark();
    if (arrivals != null) {
      isFalseAlarm = parker.await(arrivals, timeoutNs);
    } else {
      isFalseAlarm = false;
      parker.sleep(timeoutNs);
      parkNs = Math.min(2 * parkNs, settings.maxParkNs());
    }
  }

  private long timeoutNs(long mostNs) {
    long nowNs = loop.nowNs();
    long deadlineNs = loop.nextDeadlineNs(nowNs);
    return deadlineNs == DutyCycle.NO_DEADLINE_NS ? mostNs : Math.min(mostNs, deadlineNs - nowNs);
  }
}
