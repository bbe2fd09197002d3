package io.millrace.actor.dispatcher;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.agrona.concurrent.SystemNanoClock;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** What a loop costs, printed in nanoseconds; run by hand on a machine that is otherwise quiet. */
public final class LoopBench {
  private static final int REPETITIONS = 7;
  private static final int TASKS = 2_000_000;
  private static final int ROUND_TRIPS = 200_000;

  private static final List<String> WANTED = new ArrayList<>();

  /** Where results go, so that nothing measured can be optimised away. */
  private static long sink;

  private LoopBench() {}

  /**
   * Prints every measurement once.
   *
   * @param args words; only measurements whose name contains one of them are made, or all
   */
  public static void main(String[] args) {
    WANTED.addAll(List.of(args));
    print("empty turn, no duty cycle", () -> turns(0));
    print("empty turn, one duty cycle (reads the clock)", () -> turns(1));
    print("empty turn of a CallerLoop, no duty cycle", LoopBench::callerTurns);
    print("empty turn of a CallerLoop in runUntil", LoopBench::callerRunsUntil);
    print("task submitted and run by the loop itself", LoopBench::ownTasks);
    print("task submitted by another thread, pipelined, onSpinWait", () -> foreign(spin()));
    print("task submitted by another thread, pipelined, plain spin", () -> foreign(work -> {}));
    print("round trip thread - loop, onSpinWait", () -> roundTrips(spin()));
    print("round trip thread - loop, plain spin", () -> roundTrips(work -> {}));
    ActorTestKit kit = ActorTestKit.create("bench", ConfigFactory.load());
    for (String id : new String[] {"w0", "w1"}) {
      Config spin = ConfigFactory.parseString("idle-strategy = BUSY_SPIN");
      WorkerDispatchers.register(kit.system(), id, spin);
    }
    print("actor round trip, both on one loop", () -> actors(kit, "w0", "w0"));
    print("actor round trip, on two loops", () -> actors(kit, "w0", "w1"));
    kit.shutdownTestKit();
    System.out.println("(" + sink + ")");
  }

  private static void print(String what, LongSupplier nanoseconds) {
    if (!WANTED.isEmpty() && WANTED.stream().noneMatch(what::contains)) {
      return;
    }
    long[] picoseconds = new long[REPETITIONS];
    for (int i = 0; i < REPETITIONS; i++) {
      picoseconds[i] = nanoseconds.getAsLong();
    }
    Arrays.sort(picoseconds);
    System.out.printf(
        "%-60s best %9.1f ns   median %9.1f ns%n",
        what, picoseconds[0] / 1e3, picoseconds[REPETITIONS / 2] / 1e3);
  }

  private static IdleStrategy spin() {
    return IdleStrategy.BUSY_SPIN;
  }

  private static long turns(int cycles) {
    LoopBody loop = loop();
    loop.enter();
    for (int i = 0; i < cycles; i++) {
      loop.register(new IdleCycle());
    }
    long beginNs = System.nanoTime();
    for (int i = 0; i < TASKS; i++) {
      sink += loop.runTurn();
    }
    long tookNs = System.nanoTime() - beginNs;
    loop.exit();
    return tookNs * 1000 / TASKS;
  }

  private static long callerTurns() {
    CallerLoop caller = new CallerLoop(loop());
    long beginNs = System.nanoTime();
    for (int i = 0; i < TASKS; i++) {
      sink += caller.runTurn();
    }
    return (System.nanoTime() - beginNs) * 1000 / TASKS;
  }

  private static long callerRunsUntil() {
    CallerLoop caller = new CallerLoop(loop());
    int[] left = {TASKS};
    long beginNs = System.nanoTime();
    caller.runUntil(() -> --left[0] == 0, Long.MAX_VALUE);
    return (System.nanoTime() - beginNs) * 1000 / TASKS;
  }

  private static long ownTasks() {
    LoopBody loop = loop();
    loop.enter();
    Runnable task = () -> sink++;
    long beginNs = System.nanoTime();
    for (int i = 0; i < TASKS / 32; i++) {
      for (int j = 0; j < 32; j++) {
        loop.execute(task);
      }
      sink += loop.runTurn();
    }
    long tookNs = System.nanoTime() - beginNs;
    loop.exit();
    return tookNs * 1000 / TASKS;
  }

  private static long foreign(IdleStrategy idle) {
    LoopBody loop = loop();
    LoopThread thread = new LoopThread(loop, idle, LoopSettings.ANY_CORE);
    AtomicInteger done = new AtomicInteger();
    Runnable task = () -> done.setRelease(done.getPlain() + 1);
    thread.start();
    long beginNs = System.nanoTime();
    for (int i = 0; i < TASKS; i++) {
      if ((i & 1023) == 0) {
        await(done, i - 16_384);
      }
      loop.execute(task);
    }
    await(done, TASKS);
    long tookNs = System.nanoTime() - beginNs;
    loop.close();
    return tookNs * 1000 / TASKS;
  }

  private static long roundTrips(IdleStrategy idle) {
    LoopBody loop = loop();
    LoopThread thread = new LoopThread(loop, idle, LoopSettings.ANY_CORE);
    AtomicInteger done = new AtomicInteger();
    Runnable task = () -> done.setRelease(done.getPlain() + 1);
    thread.start();
    long beginNs = System.nanoTime();
    for (int i = 1; i <= ROUND_TRIPS; i++) {
      loop.execute(task);
      await(done, i);
    }
    long tookNs = System.nanoTime() - beginNs;
    loop.close();
    return tookNs * 1000 / ROUND_TRIPS;
  }

  private static void await(AtomicInteger done, int count) {
    while (done.getAcquire() < count) {
      Thread.onSpinWait();
    }
  }

  private static long actors(ActorTestKit kit, String first, String second) {
    CountDownLatch end = new CountDownLatch(1);
    ActorRef<Ball> a = kit.spawn(player(end), DispatcherSelector.fromConfig(first));
    ActorRef<Ball> b = kit.spawn(player(end), DispatcherSelector.fromConfig(second));
    int rounds = first.equals(second) ? 10 * ROUND_TRIPS : ROUND_TRIPS;
    long beginNs = System.nanoTime();
    a.tell(new Ball(b, new Countdown(2 * rounds)));
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return (System.nanoTime() - beginNs) * 1000 / rounds;
  }

  private static Behavior<Ball> player(CountDownLatch end) {
    return Behaviors.setup(
        context ->
            Behaviors.receiveMessage(
                ball -> {
                  if (--ball.left().left == 0) {
                    end.countDown();
                  } else {
                    ball.from().tell(new Ball(context.getSelf(), ball.left()));
                  }
                  return Behaviors.same();
                }));
  }

  private static LoopBody loop() {
    return new LoopBody(
        "bench",
        new LoopLimits(65_536, 32),
        SystemNanoClock.INSTANCE,
        LoopWaker.NONE,
        (thread, failure) -> failure.printStackTrace());
  }

  private record Ball(ActorRef<Ball> from, Countdown left) {}

  /** Handed from actor to actor with the ball. */
  private static final class Countdown {
    int left;

    Countdown(int left) {
      this.left = left;
    }
  }

  private static final class IdleCycle implements DutyCycle {
    @Override
    public int doWork(long nowNs) {
      return nowNs == 0 ? 1 : 0;
    }

    @Override
    public boolean hasWork() {
      return false;
    }

    @Override
    public long nextDeadlineNs() {
      return NO_DEADLINE_NS;
    }

    @Override
    public void onClose() {}
  }
}
