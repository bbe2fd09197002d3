package io.millrace.api;

import static io.millrace.api.NicNodes.ECHO;
import static io.millrace.api.NicNodes.MILLI_NS;
import static io.millrace.api.NicNodes.SECOND_NS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nodes with one, two and three driver families on one NIC, under virtual time. Each pair meets on
 * the best family of both, and writes one-sided by each fabric.
 */
final class FamiliesSimulationTest {
  private static final RouteId BODY = RouteId.of("body");
  private static final NetworkSettings FAST = NetworkSettings.clean(20_000);
  private static final List<String> FABRICS = List.of("sim-fabric", "sim-other");
  private static final String ALL = "driver = [sim-fabric, sim-other, sim]";
  private static final int BODY_BYTES = 600_000;

  /** The regions rest for longer than the fabric repeats writes. */
  private static final String REST = "millrace.regions.quarantine = 250 ms";

  private static String drivers(int node) {
    return switch (node) {
      case 0, 1 -> ALL;
      case 2 -> "driver = [sim-other, sim]";
      default -> "driver = sim";
    };
  }

  private static void run(int servers, NicNodes.Body body) throws Exception {
    NicNodes.run(
        FAST,
        servers,
        node -> List.of(drivers(node)),
        REST,
        cluster -> FABRICS.forEach(family -> cluster.addFabric(family, FabricSettings.DEFAULT)),
        body);
  }

  /** Sends a body to the server and back, and returns the bytes written by each fabric. */
  private static List<Long> written(NicNodes nodes, int server) throws Exception {
    List<Long> before = writes(nodes);
    await(nodes, body(nodes, server));
    List<Long> after = writes(nodes);
    return List.of(after.get(0) - before.get(0), after.get(1) - before.get(1));
  }

  private static List<Long> writes(NicNodes nodes) {
    return nodes.cluster.fabrics().stream().map(fabric -> fabric.counters().writeBytes).toList();
  }

  private static CompletableFuture<byte[]> body(NicNodes nodes, int server) {
    byte[] sent = new byte[BODY_BYTES];
    new Random(server).nextBytes(sent);
    return Raw.unary(nodes.peer(server), BODY, sent)
        .thenApply(
            answer -> {
              assertArrayEquals(sent, answer.payload());
              return sent;
            })
        .toCompletableFuture();
  }

  private static void await(NicNodes nodes, CompletableFuture<?> all) throws Exception {
    nodes.await(all);
  }

  private static void serve(NicNodes nodes, int servers) {
    for (int server = 1; server <= servers; server++) {
      Raw.serve(
          nodes.server(server),
          BODY,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
    }
  }

  @Test
  void shouldWriteByTheBestFamilyOfEachPair() throws Exception {
    run(
        3,
        nodes -> {
          serve(nodes, 3);
          List<Long> first = written(nodes, 1);
          assertTrue(first.get(0) >= 2 * BODY_BYTES, first::toString);
          assertEquals(0, first.get(1), "the best family alone");
          List<Long> second = written(nodes, 2);
          assertTrue(second.get(1) >= 2 * BODY_BYTES, second::toString);
          assertEquals(0, second.get(0));
          assertEquals(List.of(0L, 0L), written(nodes, 3), "datagrams alone");
          assertEquals(0, nodes.moves());
        });
  }

  /** The best family dies under load: writes go on by the second family, and come back. */
  @ParameterizedTest
  @EnumSource(
      value = NicState.class,
      names = {"DOWN", "SILENT"})
  void shouldWriteByAnotherFamilyAndComeBack(NicState state) throws Exception {
    run(
        1,
        nodes -> {
          serve(nodes, 1);
          written(nodes, 1);
          List<CompletableFuture<?>> calls = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            calls.add(body(nodes, 1));
            nodes.pass(MILLI_NS / 10);
            if (i == 10) {
              nodes.cluster.fabrics().get(0).state(1, state);
            }
          }
          await(nodes, CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0])));
          nodes.pass(SECOND_NS);
          List<Long> elsewhere = written(nodes, 1);
          assertTrue(elsewhere.get(1) >= 2 * BODY_BYTES, elsewhere::toString);
          assertEquals(0, elsewhere.get(0));

          nodes.cluster.fabrics().get(0).state(1, NicState.UP);
          for (int i = 0; i < 300; i++) {
            nodes.pass(SECOND_NS / 100);
            await(nodes, Raw.unary(nodes.peer(1), ECHO, new byte[1]).toCompletableFuture());
          }
          written(nodes, 1);
          nodes.pass(SECOND_NS);
          List<Long> back = written(nodes, 1);
          assertTrue(back.get(0) >= 2 * BODY_BYTES, back::toString);
          assertEquals(0, back.get(1));
        });
  }

  /** Both fabrics die: bodies go as chunks in datagrams. */
  @Test
  void shouldFallBackToDatagrams() throws Exception {
    run(
        1,
        nodes -> {
          serve(nodes, 1);
          written(nodes, 1);
          nodes.cluster.fabrics().forEach(fabric -> fabric.state(0, NicState.SILENT));
          written(nodes, 1);
          nodes.pass(SECOND_NS);
          assertEquals(List.of(0L, 0L), written(nodes, 1));
        });
  }

  /**
   * Calls of one packet of the fabric are under way when the fabric dies, and do not fit the
   * datagrams of the other family; rules T-8 and N-9.
   */
  @ParameterizedTest
  @EnumSource(
      value = NicState.class,
      names = {"DOWN", "SILENT"})
  void shouldExecuteCallsOnceThatNoLongerFitADatagram(NicState state) throws Exception {
    NicNodes.run(
        FAST.withLink(FAST.link().withMtu(1_472, false)),
        1,
        node -> List.of("driver = [sim-fabric, sim]"),
        REST + "\nmillrace.nic.max-datagram = 8972",
        cluster -> cluster.addFabric("sim-fabric", FabricSettings.DEFAULT),
        nodes -> {
          int[] executed = new int[1];
          Raw.serve(
              nodes.server(1),
              BODY,
              call -> {
                executed[0]++;
                return CompletableFuture.completedFuture(UnaryResponse.of(call.payload()));
              });
          await(nodes, packet(nodes, 0));
          nodes.pass(SECOND_NS / 10);
          List<CompletableFuture<?>> calls = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            calls.add(packet(nodes, i));
            nodes.pass(MILLI_NS / 100);
            if (i == 50) {
              assertEquals(0, nodes.cluster.fabrics().getFirst().counters().writeBytes);
              nodes.cluster.fabrics().getFirst().state(1, state);
            }
          }
          await(nodes, CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0])));
          assertEquals(1 + calls.size(), executed[0]);
          assertEquals(1, nodes.moves());
        });
  }

  private static CompletableFuture<byte[]> packet(NicNodes nodes, int seed) {
    Random random = new Random(seed);
    byte[] sent = new byte[2_000 + random.nextInt(5_000)];
    random.nextBytes(sent);
    return Raw.unary(nodes.peer(1), BODY, sent)
        .thenApply(
            answer -> {
              assertArrayEquals(sent, answer.payload());
              return sent;
            })
        .toCompletableFuture();
  }
}
