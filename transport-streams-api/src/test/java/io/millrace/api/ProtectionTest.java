package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bytes visible to a listener on the wire, and the payloads that a node with required sealing
 * accepts.
 */
@Timeout(120)
class ProtectionTest {
  private static final RouteId CALL = RouteId.of("call");
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId FETCH = RouteId.of("fetch");
  private static final RouteId FETCH_UNSEALED = RouteId.of("fetch-unsealed");
  private static final long DELAY_NS = 20_000;
  private static final byte[] HEADERS = repeated("a-header-nobody-may-read/", 200);
  private static final byte[] PAYLOAD = repeated("bytes-of-a-payload~", 300_000);
  private static final byte[] HEADERS_MARK = "a-header-nobody-may-read".getBytes(UTF_8);
  private static final byte[] PAYLOAD_MARK = "bytes-of-a-payload".getBytes(UTF_8);

  /** The patterns that send a body. */
  enum Pattern {
    WRITE,
    UNARY,
    READ,
    BROADCAST,
    KEPT_BROADCAST
  }

  /** The way in which a body travels. */
  enum Carriage {
    DATAGRAMS,
    WRITES,
    COVERED;

    @Nullable FabricSettings fabric() {
      return this == WRITES ? FabricSettings.DEFAULT : null;
    }
  }

  private interface Scenario {
    void run(World world) throws Exception;
  }

  /** Two nodes, a listener on the wire, and the payload at the server. */
  private static final class World implements NetworkObserver, FabricObserver {
    private final SimulatedNodes nodes;
    private final List<BodyTest.Collector> stored = new ArrayList<>();
    private int headersSeen;
    private int payloadsSeen;
    private int asked;

    World(SimulatedNodes nodes, Carriage carriage) {
      this.nodes = nodes;
      if (carriage.fabric() == null) {
        nodes.cluster.network().observe(this);
      } else {
        nodes.cluster.fabric().observe((NetworkObserver) this);
        nodes.cluster.fabric().observe((FabricObserver) this);
      }
      Transport server = nodes.server();
      Raw.serve(
          server,
          CALL,
          call -> {
            asked++;
            assertArrayEquals(HEADERS, call.headers());
            keep(call.payload());
            return CompletableFuture.completedFuture(UnaryResponse.of(new byte[] {1}));
          });
      Raw.serveBulkWrites(
          server,
          STORE,
          offer -> {
            asked++;
            assertArrayEquals(HEADERS, offer.headers().encode());
            BodyTest.Collector target = new BodyTest.Collector();
            stored.add(target);
            return CompletableFuture.completedFuture(target);
          });
      Raw.serveBulkReads(server, FETCH, offer -> CompletableFuture.completedFuture(source()));
      Raw.serveBulkReads(
          server,
          FETCH_UNSEALED,
          offer -> CompletableFuture.completedFuture(source()),
          Protection.AUTHENTICATED);
    }

    private void keep(byte[] payload) {
      BodyTest.Collector kept = new BodyTest.Collector();
      kept.write(payload, 0, payload.length);
      stored.add(kept);
    }

    @Override
    public void onSent(PacketView packet, long nowNs) {
      byte[] bytes = new byte[packet.length()];
      packet.bytes().getBytes(0, bytes);
      look(bytes);
    }

    @Override
    public void onPosted(WriteView write, long nowNs) {
      look(write.source().asSlice(0, write.length()).toArray(ValueLayout.JAVA_BYTE));
    }

    private void look(byte[] bytes) {
      headersSeen += holds(bytes, HEADERS_MARK) ? 1 : 0;
      payloadsSeen += holds(bytes, PAYLOAD_MARK) ? 1 : 0;
    }

    /** Makes one transfer; returns its result as a future. */
    CompletableFuture<?> make(Pattern pattern, Protection protection) throws Exception {
      TransferOptions options =
          TransferOptions.DEFAULTS.withHeaders(HEADERS).withProtection(protection);
      Peer peer = nodes.peer();
      Transport client = nodes.client();
      List<Destination> all = List.of(Destination.of(peer));
      return switch (pattern) {
        case WRITE -> Raw.bulkWrite(peer, STORE, source(), options);
        case UNARY -> Raw.unary(peer, new UnaryRequest(CALL, PAYLOAD, options));
        case READ -> {
          BodyTest.Collector target = new BodyTest.Collector();
          stored.add(target);
          RouteId route = protection == Protection.SEALED ? FETCH : FETCH_UNSEALED;
          yield Raw.bulkRead(peer, route, target, options);
        }
        case BROADCAST -> told(Raw.broadcast(client, STORE, source(), HEADERS, protection, all));
        case KEPT_BROADCAST -> {
          try (SealedPayload kept = nodes.await(Raw.seal(client, source(), HEADERS, protection))) {
            yield told(Raw.broadcast(client, STORE, kept, all));
          }
        }
      };
    }

    private static CompletableFuture<?> told(Broadcast broadcast) {
      return broadcast
          .outcomes()
          .thenAccept(
              outcomes -> {
                DeliveryOutcome only = outcomes.getFirst();
                if (!only.isDelivered()) {
                  throw new CallException(only.outcome(), only.text());
                }
              });
    }

    /** Checks that the single transfer is complete, and that no resources are kept. */
    void assertWhole() {
      assertEquals(1, stored.size());
      assertArrayEquals(PAYLOAD, stored.getFirst().bytes.toByteArray());
      assertNothingKept();
    }

    void assertNothingKept() {
      for (Transport transport : List.of(nodes.client(), nodes.server())) {
        var buffers = transport.pool().buffers();
        var regions = Objects.requireNonNull(transport.pool().port(0).regions());
        nodes.awaitUntil(() -> buffers.usedBytes() == 0 && regions.busyRegions() == 0);
        assertEquals(0, buffers.usedBytes());
        assertEquals(0, regions.busyRegions());
      }
    }
  }

  private static ArraySource source() {
    return new ArraySource(PAYLOAD, 0, PAYLOAD.length);
  }

  private static byte[] repeated(String text, int length) {
    byte[] part = text.getBytes(UTF_8);
    byte[] all = new byte[length];
    for (int i = 0; i < length; i++) {
      all[i] = part[i % part.length];
    }
    return all;
  }

  private static boolean holds(byte[] bytes, byte[] mark) {
    for (int at = 0; at + mark.length <= bytes.length; at++) {
      int same = 0;
      while (same < mark.length && bytes[at + same] == mark[same]) {
        same++;
      }
      if (same == mark.length) {
        return true;
      }
    }
    return false;
  }

  private static void run(Carriage carriage, LinkSettings link, String overrides, Scenario scenario)
      throws Exception {
    NetworkSettings network = NetworkSettings.clean(DELAY_NS).withLink(link);
    String settings =
        "millrace.transfers { buffer-pool = 4 MiB, cover-broadcasts = "
            + (carriage == Carriage.COVERED)
            + " }\n"
            + overrides;
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1);
              SimulatedNodes nodes =
                  new SimulatedNodes(simulation, network, carriage.fabric(), settings)) {
            scenario.run(new World(nodes, carriage));
          }
          return null;
        });
  }

  private static Stream<Arguments> everyWay() {
    return Combinations.of(Pattern.values(), Carriage.values(), Protection.values());
  }

  @ParameterizedTest
  @MethodSource("everyWay")
  void shouldShowThePayloadOnTheWireOnlyIfItIsNotSealedAndHeadersNever(
      Pattern pattern, Carriage carriage, Protection protection) throws Exception {
    run(
        carriage,
        LinkSettings.clean(DELAY_NS),
        "",
        world -> {
          world.nodes.await(world.make(pattern, protection));
          world.assertWhole();
          boolean isBroadcast = pattern == Pattern.BROADCAST || pattern == Pattern.KEPT_BROADCAST;
          boolean isCovered = carriage == Carriage.COVERED && isBroadcast;
          boolean isVisible = protection == Protection.AUTHENTICATED && !isCovered;
          assertEquals(isVisible, world.payloadsSeen > 0, "seen " + world.payloadsSeen);
          if (isVisible && carriage == Carriage.DATAGRAMS) {
            assertTrue(world.payloadsSeen >= PAYLOAD.length / 1_472, "" + world.payloadsSeen);
          }
          assertEquals(0, world.headersSeen);
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldSealWhatTravelsInline(Protection protection) throws Exception {
    run(
        Carriage.DATAGRAMS,
        LinkSettings.clean(DELAY_NS),
        "",
        world -> {
          byte[] small = repeated("bytes-of-a-payload~", 500);
          TransferOptions options =
              TransferOptions.DEFAULTS.withHeaders(HEADERS).withProtection(protection);
          world.nodes.await(Raw.unary(world.nodes.peer(), new UnaryRequest(CALL, small, options)));
          assertArrayEquals(small, world.stored.getFirst().bytes.toByteArray());
          assertEquals(0, world.payloadsSeen);
          assertEquals(0, world.headersSeen);
        });
  }

  private static Stream<Arguments> everySealing() {
    return Combinations.of(Pattern.values(), Protection.values());
  }

  @ParameterizedTest
  @MethodSource("everySealing")
  void shouldTakeOnlySealedBodiesWhereThatIsAskedFor(Pattern pattern, Protection protection)
      throws Exception {
    for (Carriage carriage : List.of(Carriage.DATAGRAMS, Carriage.WRITES)) {
      run(
          carriage,
          LinkSettings.clean(DELAY_NS),
          "millrace.crypto.accept-unsealed = off",
          world -> {
            CompletableFuture<?> made = world.make(pattern, protection);
            if (protection == Protection.SEALED) {
              world.nodes.await(made);
              world.assertWhole();
              return;
            }
            var thrown = assertThrows(ExecutionException.class, () -> world.nodes.await(made));
            CallException failure = assertInstanceOf(CallException.class, thrown.getCause());
            assertEquals(CallOutcome.REFUSED, failure.outcome());
            assertTrue(
                String.valueOf(failure.getMessage()).contains("millrace.crypto.accept-unsealed"));
            assertEquals(0, world.asked);
            world.assertNothingKept();
            world.stored.clear();
            world.nodes.await(world.make(pattern, Protection.SEALED));
            world.assertWhole();
          });
    }
  }

  /**
   * Bits flip behind the seal of packets: the tags of the records detect the change, as for sealed
   * records.
   */
  @ParameterizedTest
  @MethodSource("everySealing")
  void shouldAskAgainForRecordsThatWereChanged(Pattern pattern, Protection protection)
      throws Exception {
    LinkSettings link =
        LinkSettings.clean(DELAY_NS).withDamage(new DamageSettings(0, 0, 0, 20_000, 0));
    run(
        Carriage.DATAGRAMS,
        link,
        "",
        world -> {
          world.nodes.await(world.make(pattern, protection));
          world.assertWhole();
          Transport sender = pattern == Pattern.READ ? world.nodes.server() : world.nodes.client();
          assertTrue(CheckedBodies.counted(sender).records().repeated() > 0);
          assertEquals(0, world.headersSeen);
        });
  }

  @Test
  void shouldSealUnlessOtherwiseIsChosen() {
    assertEquals(Protection.SEALED, TransferOptions.DEFAULTS.protection());
    assertEquals(Protection.SEALED, new TransferOptions(3, HEADERS).protection());
    TransferOptions chosen = TransferOptions.DEFAULTS.withProtection(Protection.AUTHENTICATED);
    assertEquals(
        Protection.AUTHENTICATED, chosen.withPriority(1).withHeaders(HEADERS).protection());
  }
}
