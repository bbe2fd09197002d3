package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.loop.EventLoop;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimingWheel;
import io.millrace.testkit.internal.core.Occupant;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.patch.Surroundings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.Oracle;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import scala.Function0;

/**
 * The state of a worker: the rule looks at this state, and the test touches it from elsewhere on
 * purpose.
 */
final class ConfinementOracleTest {
  private static final int KEY_BYTES = 16;
  private static final long FAR_NS = 1_000 * TimingWheel.DEFAULT_TICK_NS;

  /** An occupant of the thread: a lane of a node, a worker's lane if the occupant has a loop. */
  private record Lane(NodeLife life, @Nullable EventLoop eventLoop) implements Occupant {
    @Override
    public Surroundings surroundings() {
      return life.surroundings();
    }

    @Override
    public <T> T blockOn(Function0<T> thunk) {
      return thunk.apply();
    }
  }

  /** A touch of the state of the first worker of node 0. */
  private interface Touch {
    void run();
  }

  private static EventLoop loop() {
    return (EventLoop)
        Proxy.newProxyInstance(
            EventLoop.class.getClassLoader(),
            new Class<?>[] {EventLoop.class},
            (proxy, method, arguments) -> null);
  }

  private static void as(@Nullable Occupant lane, Touch touch) {
    SimThread thread = SimThread.current();
    Occupant before = thread.enter(lane);
    try {
      touch.run();
    } finally {
      thread.enter(before);
    }
  }

  /** The touches of a scene, with at most one wrong touch. */
  private interface Scene {
    void play(NodeLife first, NodeLife second, TimingWheel wheel, Timer timer);
  }

  private static String violation(Scene scene) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            Oracle oracle = new ConfinementOracle(nodes.cluster);
            NodeLife first = nodes.cluster.node(0).boot();
            NodeLife second = nodes.cluster.node(1).boot();
            TimingWheel wheel =
                FullNode.of(first.node())
                    .environment()
                    .wheels()
                    .make(
                        TimingWheel.DEFAULT_TICK_NS,
                        TimingWheel.DEFAULT_SLOTS,
                        first.clock().nowNs());
            scene.play(first, second, wheel, new Timer((timer, nowNs) -> {}, 0));
            SimViolation violation = simulation.violation();
            if (violation == null) {
              return "none";
            }
            assertEquals(oracle.name(), violation.rule());
            return String.valueOf(violation.getMessage());
          }
        });
  }

  private static void assertFound(String where, String violation) {
    assertTrue(violation.endsWith(where), violation);
  }

  @Test
  void shouldLookAtTimersAndPacketsOfARun() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(7)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(50_000));
            ConfinementOracle oracle = new ConfinementOracle(nodes.cluster);
            nodes.start(Oracles.of(List.of(oracle)), SimTransportSettings.parse(""));
            nodes.exchange(20).awaitCalls();
            nodes.finish();
            assertTrue(oracle.looked() > 500, oracle.looked() + " touches");
            return null;
          }
        });
  }

  @Test
  void shouldLetAWorkerTouchWhatIsItsOwn() throws Exception {
    EventLoop worker = loop();
    String violation =
        violation(
            (first, second, wheel, timer) -> {
              as(new Lane(first, worker), () -> wheel.schedule(timer, FAR_NS));
              as(new Lane(first, worker), () -> wheel.cancel(timer));
              as(new Lane(first, worker), () -> seal(first));
            });
    assertEquals("none", violation);
  }

  @Test
  void shouldFindTimersThatTheApplicationSets() throws Exception {
    assertFound(
        "n0#1: the timers of a worker are touched outside of the turns of workers",
        violation(
            (first, second, wheel, timer) ->
                as(new Lane(first, null), () -> wheel.schedule(timer, FAR_NS))));
  }

  @Test
  void shouldFindTimersThatAnotherWorkerEnds() throws Exception {
    assertFound(
        "are touched in the turn of another worker",
        violation(
            (first, second, wheel, timer) -> {
              as(new Lane(first, loop()), () -> wheel.schedule(timer, FAR_NS));
              as(new Lane(first, loop()), () -> wheel.cancel(timer));
            }));
  }

  @Test
  void shouldFindTimersThatAnotherNodeLetsFire() throws Exception {
    EventLoop worker = loop();
    assertFound(
        "are touched by another life of a node",
        violation(
            (first, second, wheel, timer) -> {
              as(new Lane(first, worker), () -> wheel.schedule(timer, FAR_NS));
              as(new Lane(second, worker), () -> wheel.advance(2 * FAR_NS));
            }));
  }

  @Test
  void shouldFindPacketsThatAreSealedByNobodyOrByTheApplication() throws Exception {
    assertFound(
        "keys of a path that seals are touched outside of all nodes",
        violation((first, second, wheel, timer) -> as(null, () -> seal(first))));
    assertFound(
        "keys of a path that seals are touched outside of the turns of workers",
        violation((first, second, wheel, timer) -> as(new Lane(first, null), () -> seal(first))));
  }

  private static void seal(NodeLife life) {
    AeadKey key = new AeadKey(new byte[KEY_BYTES + AeadKey.IV_LENGTH]);
    PacketCipher cipher =
        FullNode.of(life.node())
            .environment()
            .ciphers()
            .select(0)
            .cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
    cipher.seal(new SegmentBuffer(ByteBuffer.allocateDirect(200)), 0, 40, 100, 1);
  }
}
