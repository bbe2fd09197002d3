package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.concurrent.Await;
import scala.concurrent.Promise;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkerDispatcherTest {
  private static final Config CONFIG =
      ConfigFactory.parseString("pekko.loglevel = OFF, pekko.jvm-shutdown-hooks = off")
          .withFallback(ConfigFactory.load());

  private final ActorTestKit kit = ActorTestKit.create("node", CONFIG);

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  @ParameterizedTest
  @EnumSource(names = {"BUSY_SPIN", "BACKOFF"})
  void shouldRunEverythingOfAnActorOnTheOneThread(IdleKind idle) throws InterruptedException {
    Map<String, String> threadOf = new ConcurrentSkipListMap<>();
    CountDownLatch seen = new CountDownLatch(7);
    Mark mark =
        what -> {
          if (threadOf.put(what, Thread.currentThread().getName()) == null) {
            seen.countDown();
          }
        };
    ActorRef<String> actor = spawn(everything(mark), register("w0", idle));
    actor.tell("message");
    assertTrue(seen.await(60, TimeUnit.SECONDS), threadOf.toString());
    assertEquals(Set.of("node-w0"), Set.copyOf(threadOf.values()), threadOf.toString());
  }

  @Test
  void shouldServeMailboxesWhileLoopSpinsAndParkOnlyWhenBackingOff() {
    EventLoop spinning = loopOf(register("spinning", IdleKind.BUSY_SPIN));
    EventLoop backing = loopOf(register("backing", IdleKind.BACKOFF));
    assertNotSame(spinning, backing);
    long turns = spinning.counters().iterations();
    Spin.until(() -> spinning.counters().iterations() >= turns + 1_000_000);
    Spin.until(() -> backing.counters().parks() >= 10);
    assertSame(spinning, loopOf("spinning"), "a mailbox was served");
    assertEquals(0, spinning.counters().parks());
  }

  @Test
  void shouldRefuseToBlockItsThread() {
    TestProbe<Throwable> probe = kit.createTestProbe();
    spawn(
        Behaviors.setup(
            context -> {
              try {
                Await.result(
                    Promise.<String>apply().future(), scala.concurrent.duration.Duration.Inf());
              } catch (BlockingRefusedException | TimeoutException e) {
                probe.ref().tell(e);
              }
              return Behaviors.empty();
            }),
        register("w0", IdleKind.BUSY_SPIN));
    Throwable refusal = probe.receiveMessage();
    assertInstanceOf(BlockingRefusedException.class, refusal);
    assertEquals(
        "blocking call refused on node-w0: this thread drives a worker and must never wait; block"
            + " on a dispatcher of your own",
        refusal.getMessage());
  }

  @Test
  void shouldGiveEachWorkerItsOwnThread() {
    EventLoop first = loopOf(register("w0", IdleKind.BACKOFF));
    EventLoop second = loopOf(register("w1", IdleKind.BACKOFF));
    assertEquals("node-w0", first.name());
    assertEquals("node-w1", second.name());
    assertSame(first, loopOf("w0"));
  }

  @Test
  void shouldGoOnWhenActorOrCycleThrows() {
    String id = register("w0", IdleKind.BACKOFF);
    TestProbe<Object> probe = kit.createTestProbe();
    ActorRef<String> failing =
        spawn(
            Behaviors.receiveMessage(
                message -> {
                  throw new IllegalArgumentException(message);
                }),
            id);
    EventLoop loop = loopOf(id);
    RecordingCycle cycle = new RecordingCycle();
    cycle.work =
        now -> {
          if (cycle.failures.size() == 3) {
            EventLoop.current().unregister(cycle);
            probe.ref().tell("unregistered");
            return 0;
          }
          throw new IllegalStateException("planted");
        };
    failing.tell("planted");
    probe.expectTerminated(failing, Duration.ofSeconds(30));
    loop.execute(() -> loop.register(cycle));
    probe.expectMessage(Duration.ofSeconds(30), "unregistered");
    assertEquals(3, loop.counters().cycleFailures());
    assertEquals(0, loop.counters().taskFailures());
    assertSame(loop, loopOf(id));
  }

  @Test
  void shouldCloseCyclesOnLoopAndEndThreadWhenSystemTerminates() throws InterruptedException {
    String id = register("w0", IdleKind.BUSY_SPIN);
    EventLoop loop = loopOf(id);
    SynchronousQueue<Thread> thread = new SynchronousQueue<>();
    CountDownLatch closedOnLoop = new CountDownLatch(1);
    RecordingCycle cycle =
        new RecordingCycle() {
          @Override
          public void onClose() {
            if (loop.inLoop()) {
              closedOnLoop.countDown();
            }
          }
        };
    Thread[] carrier = new Thread[1];
    CountDownLatch registered = new CountDownLatch(1);
    loop.execute(
        () -> {
          loop.register(cycle);
          carrier[0] = Thread.currentThread();
          registered.countDown();
        });
    registered.await();
    kit.shutdownTestKit();
    carrier[0].join();
    assertEquals(0, closedOnLoop.getCount());
    assertTrue(((LoopBody) loop).isClosed());
    assertThrows(RejectedExecutionException.class, () -> loop.execute(() -> {}));
    assertTrue(thread.isEmpty());
  }

  @Test
  void shouldStartNewLoopForActorsThatComeAfterItEnded() {
    WorkerDispatchers.register(
        kit.system(), "w0", ConfigFactory.parseString("shutdown-timeout = 1ms"));
    EventLoop first = loopOf("w0");
    Spin.until(((LoopBody) first)::isClosed);
    EventLoop second = loopOf("w0");
    assertNotSame(first, second);
    assertEquals(first.name(), second.name());
  }

  @ParameterizedTest
  @EnumSource(names = {"BUSY_SPIN", "BACKOFF"})
  void shouldLoseNoMessageOfTenMillionFromFourThreads(IdleKind idle) throws InterruptedException {
    Flood flood = new Flood(4, 2_500_000);
    ActorRef<Integer> actor = spawn(flood.counter(), register("w0", idle));
    flood.send(actor);
    assertEquals(10_000_000, flood.received());
  }

  @Test
  void shouldLoseNoMailboxWhenRingOverflows() throws InterruptedException {
    WorkerDispatchers.register(
        kit.system(), "w0", ConfigFactory.parseString("task-queue-capacity = 4"));
    EventLoop loop = loopOf("w0");
    int actors = 1_000;
    CountDownLatch all = new CountDownLatch(actors);
    Set<String> threads = new ConcurrentSkipListSet<>();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch holding = new CountDownLatch(1);
    loop.execute(
        () -> {
          holding.countDown();
          awaitUninterruptibly(held);
        });
    holding.await();
    for (int i = 0; i < actors; i++) {
      spawn(
          Behaviors.setup(
              context -> {
                threads.add(Thread.currentThread().getName());
                all.countDown();
                return Behaviors.empty();
              }),
          "w0");
    }
    // The ring is full of mailboxes, and the overflow list is beyond the bound for other tasks.
    assertThrows(RejectedExecutionException.class, () -> loop.execute(() -> {}));
    held.countDown();
    all.await();
    assertEquals(Set.of("node-w0"), threads);
    assertTrue(loop.counters().overflows() >= actors - 4, "" + loop.counters().overflows());
    assertEquals(1, loop.counters().rejections());
  }

  @Test
  void shouldTerminateSystemAlthoughNobodyDrivesItsLoop() {
    String id = register("w0", IdleKind.CALLER_RUNS);
    DrivenLoop caller = WorkerDispatchers.callerLoop(kit.system(), id);
    AtomicReference<String> handled = new AtomicReference<>();
    ActorRef<String> actor =
        spawn(
            Behaviors.receiveMessage(
                message -> {
                  handled.set(message + Thread.currentThread().getName());
                  return Behaviors.same();
                }),
            id);
    actor.tell("on ");
    assertEquals(0, caller.eventLoop().counters().tasks(), "nobody drives it");
    Spin.until(() -> caller.runUntil(() -> handled.get() != null, caller.eventLoop().nowNs()));
    assertEquals("on " + Thread.currentThread().getName(), handled.get());
    assertSame(caller, WorkerDispatchers.callerLoop(kit.system(), id));
    kit.shutdownTestKit(); // throws if the system does not terminate
    assertTrue(((LoopBody) caller.eventLoop()).isClosed());
  }

  @Test
  void shouldPinThreadToItsCoreOrSayWhyNot() {
    int cpu = CpuAffinity.ofProcess().isEmpty() ? 0 : CpuAffinity.ofProcess().toList().getLast();
    WorkerDispatchers.register(kit.system(), "w0", ConfigFactory.parseString("core = " + cpu));
    WorkerDispatchers.register(kit.system(), "w1", ConfigFactory.parseString("core = 8000"));
    Pinning pinned = loopOf("w0").pinning();
    Pinning refused = loopOf("w1").pinning();
    assertEquals(cpu, pinned.requestedCpu());
    assertTrue(pinned.isPinned() || pinned.refusal() != null, pinned.toString());
    if (pinned.isPinned()) {
      assertEquals(CpuSet.of(cpu), pinned.actual());
    }
    assertFalse(refused.isPinned());
    assertTrue(String.valueOf(refused.refusal()).length() > 10, refused.toString());
  }

  @Test
  void shouldRejectOtherSettingsForTheSameIdAndBadOnes() {
    assertTrue(WorkerDispatchers.register(kit.system(), "w0", idle(IdleKind.BACKOFF)));
    assertFalse(WorkerDispatchers.register(kit.system(), "w0", idle(IdleKind.BACKOFF)));
    Config other = idle(IdleKind.BUSY_SPIN);
    assertThrows(
        IllegalStateException.class, () -> WorkerDispatchers.register(kit.system(), "w0", other));
    Config bad = ConfigFactory.parseString("idle-strategy = SLEEPY");
    ConfigException refusal =
        assertThrows(
            ConfigException.class, () -> WorkerDispatchers.register(kit.system(), "w1", bad));
    assertTrue(refusal.toString().contains("idle-strategy"), refusal.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> WorkerDispatchers.callerLoop(kit.system(), "w0"));
  }

  private String register(String id, IdleKind idle) {
    WorkerDispatchers.register(kit.system(), id, idle(idle));
    return id;
  }

  private static Config idle(IdleKind idle) {
    return ConfigFactory.parseString("idle-strategy = " + idle);
  }

  private <T> ActorRef<T> spawn(Behavior<T> behavior, String dispatcher) {
    return kit.spawn(behavior, DispatcherSelector.fromConfig(dispatcher));
  }

  /** Asks an actor on the dispatcher for the actor's loop. */
  private EventLoop loopOf(String dispatcher) {
    TestProbe<EventLoop> probe = kit.createTestProbe();
    spawn(
        Behaviors.<Void>setup(
            context -> {
              probe.ref().tell(EventLoop.current());
              return Behaviors.stopped();
            }),
        dispatcher);
    return probe.receiveMessage(Duration.ofSeconds(30));
  }

  private static Behavior<String> everything(Mark mark) {
    return Behaviors.setup(
        context -> {
          mark.here("setup");
          EventLoop loop = EventLoop.current();
          RecordingCycle cycle = new RecordingCycle();
          cycle.work =
              now -> {
                mark.here("duty cycle");
                return 0;
              };
          loop.register(cycle);
          loop.execute(() -> mark.here("task"));
          context.getExecutionContext().execute(() -> mark.here("execution context"));
          context.spawn(
              Behaviors.setup(
                  child -> {
                    mark.here("child");
                    return Behaviors.empty();
                  }),
              "child",
              DispatcherSelector.sameAsParent());
          return Behaviors.withTimers(
              timers -> {
                timers.startSingleTimer("timer", Duration.ofMillis(1));
                return Behaviors.receiveMessage(
                    message -> {
                      mark.here(message);
                      return Behaviors.same();
                    });
              });
        });
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private interface Mark {
    void here(String what);
  }
}
