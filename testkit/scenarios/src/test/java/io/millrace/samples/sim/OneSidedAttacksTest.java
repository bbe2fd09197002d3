package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.Records;
import io.millrace.ends.PathCounters;
import io.millrace.engine.NodeEnvironment;
import io.millrace.engine.TransportPool;
import io.millrace.event.RecordingEvents;
import io.millrace.path.region.WorkerRegions;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Protection;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * On a fabric, a node with right keys writes into the memory of a node that grants regions, while a
 * third node sends bodies there. The victim's adapter refuses forbidden writes, and tags reveal
 * landed writes. Each attempt is counted and told, and every delivered byte is a byte sealed by its
 * sender. The rules of {@code SimRun} do not hold for attacked memory.
 */
@Timeout(120)
final class OneSidedAttacksTest {
  private static final Route<?, ?> STORE = Route.bytes("store");
  private static final long MS = 1_000_000;
  private static final int NODES = 3;
  private static final int VICTIM = 0;
  private static final int HONEST = 1;
  private static final int ATTACKER = 2;
  private static final int CALLS = 6;
  private static final int REGIONS = 6;
  private static final int BYTES = 150_000;
  private static final long ATTACK_NS = 200 * MS;
  private static final TransportSettings SETTINGS =
      SimTransportSettings.parse(
          """
          millrace.regions {
            sizes = [64 KiB], counts = [6], idle-revoke = 1 ms, idle-timeout = 20 ms
            stall-timeout = 20 ms
          }
          """);

  /** Three nodes on a fabric; the bytes delivered to the victim must be the sealed bytes. */
  private static final class World {
    private final Simulation simulation;
    private final FullCluster cluster;
    private final Transport[] transports = new Transport[NODES];
    private final Pattern pattern;
    private final RecordingEvents events = new RecordingEvents(100_000);
    private final List<String> violations = new ArrayList<>();
    private final int[] arrived = new int[NODES];
    private int over;
    private int done;

    World(Simulation simulation) {
      this.simulation = simulation;
      pattern = new Pattern(simulation.seed(), "bytes");
      cluster = new FullCluster(simulation, NetworkSettings.clean(10_000), FabricSettings.DEFAULT);
    }

    void start(UnaryOperator<NodeEnvironment> victim) {
      cluster.add(NODES, NodeSettings.DEFAULT);
      for (int node = 0; node < NODES; node++) {
        cluster.node(node).boot();
        NodeEnvironment usual = cluster.node(node).environment();
        Transport.Builder builder =
            Transport.builder(SimCluster.settings(node, SETTINGS))
                .environment(node == VICTIM ? victim.apply(usual) : usual);
        transports[node] = (node == VICTIM ? builder.events(events) : builder).start();
        transports[node].serveBulkWrites(STORE, this::onOffer);
      }
    }

    private CompletionStage<BodyTarget> onOffer(BulkOffer offer) {
      PlannedCall call = call(PlannedMessages.id(offer.headers()));
      return CompletableFuture.completedFuture(
          new PatternTarget(
              pattern,
              call,
              what -> violations.add(call + ": " + what),
              () -> arrived[call.from()]++));
    }

    private static boolean waitsForDevice(long id) {
      return new PatternTarget(new Pattern(0, "bytes"), call(id), what -> {}, () -> {})
          .waitsForDevice();
    }

    private static PlannedCall call(long id) {
      int from = id < CALLS ? HONEST : ATTACKER;
      return new PlannedCall(id, from, VICTIM, Kind.WRITE, Fate.PLAIN, BYTES, 0, Long.BYTES, 3, 0);
    }

    void write(long id) {
      PlannedCall call = call(id);
      Protection protection = (id & 2) == 0 ? Protection.SEALED : Protection.AUTHENTICATED;
      TransferOptions options =
          TransferOptions.DEFAULTS
              .withHeaders(PlannedMessages.headers(id))
              .withProtection(protection);
      var _ =
          transports[call.from()]
              .peer(SimCluster.handshakeAddress(VICTIM))
              .bulkWrite(STORE, new PatternSource(pattern, call), options)
              .whenComplete(
                  (receipt, failure) -> {
                    over++;
                    done += call.from() == HONEST && failure == null ? 1 : 0;
                  });
    }

    TransportPool pool() {
      return cluster.node(VICTIM).life().pools().getFirst();
    }

    PathCounters counters() {
      return pool().port(0).counters();
    }

    /** Honest bodies have arrived, byte for byte, and all counted attempts were told. */
    void check() {
      assertEquals(List.of(), violations, "delivered was what was sealed");
      assertEquals(CALLS, done, "honest bodies arrive");
      assertEquals(CALLS, arrived[HONEST]);
      assertEquals(events.count("WriteRejected"), counters().writesRejected);
      assertEquals(events.count("RecordNotAuthentic"), counters().recordsNotAuthentic);
      assertEquals(events.count("ProtocolViolation"), counters().protocolViolations);
    }
  }

  /** The first two bodies of each sender are right; then the attack begins. */
  private static void attack(World world, OneSidedAttack attack) throws Exception {
    OneSidedAttacker attacker = new OneSidedAttacker(world.cluster, attack, ATTACKER, HONEST);
    world.cluster.tamper(attacker);
    world.cluster.fabric().observe(attacker);
    world.start(builder -> builder);
    for (long id = 0; id < CALLS; id++) {
      long atNs = id < 2 ? id * 20 * MS : ATTACK_NS + id * MS;
      long honest = id;
      world.simulation.at(atNs, () -> world.write(honest));
      world.simulation.at(atNs, () -> world.write(CALLS + honest));
    }
    world.simulation.runUntil(ATTACK_NS);
    assertTrue(attacker.isReady(), "it knows what it needs");
    attacker.begin(world.pool().workers().getFirst().address());
    world.simulation.runUntil(() -> world.over == 2 * CALLS, 20_000 * MS);
    world.simulation.runFor(300 * MS);
    attacker.end();

    world.check();
    assertEquals(2 * CALLS, world.over, "every transfer ended");
    assertTrue(attacker.posted() > 0);
    assertEquals(attacker.posted(), attacker.ended());
    // A right key lets writes land until its region is taken back.
    assertEquals(attack.isRefused(), attacker.posted() == attacker.refused());
    assertEquals(attack.isRefused(), attacker.landed() == 0);
    assertEquals(!attack.isRefused(), world.counters().recordsNotAuthentic > 0);
    assertEquals(attack == OneSidedAttack.OVERLONG_NOTIFY, world.counters().protocolViolations > 0);
    List<String> lines = world.events.lines();
    assertTrue(lines.stream().anyMatch(attack::isToldBy), lines::toString);
  }

  private interface Scenario {
    void run(World world) throws Exception;
  }

  private static void run(long seed, Scenario scenario) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            scenario.run(new World(simulation));
          }
          return null;
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseOrFindWhatIsWritten(OneSidedAttack attack) throws Exception {
    for (long seed = 1; seed <= 5; seed++) {
      run(seed, world -> attack(world, attack));
    }
  }

  /** Writes over the region of the record under opening. */
  private static final class Scribbler {
    private final World world;
    private @Nullable MemorySegment open;
    private int scribbled;

    Scribbler(World world) {
      this.world = world;
    }

    void scribble(byte[] sealed, int offset, int length) {
      MemorySegment known = open;
      if (known == null) {
        known = find(MemorySegment.ofArray(sealed).asSlice(offset, length));
        open = known;
      } else {
        open = null;
      }
      known.fill((byte) ++scribbled);
    }

    private MemorySegment find(MemorySegment record) {
      WorkerRegions regions = Objects.requireNonNull(world.pool().port(0).regions());
      for (int i = 0; i < REGIONS; i++) {
        ByteBuffer memory = Objects.requireNonNull(regions.memory(i).buffer().byteBuffer());
        MemorySegment bytes = MemorySegment.ofBuffer(memory).asSlice(0, record.byteSize());
        if (bytes.mismatch(record) < 0) {
          return bytes;
        }
      }
      throw new AssertionError("what is opened is in no region");
    }
  }

  /** Returns the usual environment with other ciphers. */
  private static NodeEnvironment withCipher(NodeEnvironment usual, AeadProvider cipher) {
    AeadProviders only = new AeadProviders(List.of(cipher));
    return (NodeEnvironment)
        Proxy.newProxyInstance(
            NodeEnvironment.class.getClassLoader(),
            new Class<?>[] {NodeEnvironment.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("ciphers")) {
                return only;
              }
              try {
                return method.invoke(usual, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Checked memory, and delivered memory, is not the sender's memory. */
  @Test
  void shouldDeliverWhatWasCheckedThoughItChangesWhileItIsOpened() throws Exception {
    run(
        1,
        world -> {
          Scribbler scribbler = new Scribbler(world);
          world.start(usual -> withCipher(usual, new DisturbedAead(scribbler::scribble)));
          for (long id = 0; id < CALLS; id++) {
            world.write(id);
          }
          world.simulation.runUntil(() -> world.over == CALLS, 20_000 * MS);

          world.check();
          // The first record is opened a second time if its target is called on another thread, and
          // is found changed then. After a further write the record is opened for the third time.
          int again = (int) IntStream.range(0, CALLS).filter(World::waitsForDevice).count();
          assertTrue(again > 0 && again < CALLS);
          assertEquals(again, world.counters().recordsNotAuthentic);
          int records = (int) Records.count(BYTES + Long.BYTES);
          assertEquals(2 * (CALLS * records + 2 * again), scribbler.scribbled);
        });
  }
}
