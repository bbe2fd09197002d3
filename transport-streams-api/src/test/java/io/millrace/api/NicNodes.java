package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One node that calls several other nodes, each with several NICs, under virtual time. */
final class NicNodes {
  static final RouteId ECHO = RouteId.of("echo");
  static final long MILLI_NS = 1_000_000;
  static final long SECOND_NS = 1_000_000_000;

  private static final int ANSWER_BYTES = 5_000;
  private static final String ROOM =
      """
      millrace.limits { answer-budget = 64 MiB, inline-budget = 64 MiB }
      millrace.transfers { buffer-pool = 64 MiB, assembly = 64 MiB }
      """;

  final Simulation simulation;
  final FullCluster cluster;
  final List<Throwable> failures = new ArrayList<>();
  private final Transport[] nodes;
  private final int nics;
  private final String overrides;
  private final IntFunction<List<String>> entries;
  long longestNs;
  private int begun;
  private int done;

  /** The actions of a test with the nodes. */
  interface Body {
    void with(NicNodes nodes) throws Exception;
  }

  /**
   * Creates the nodes.
   *
   * @param servers the number of called nodes
   * @param entries further settings of each NIC of the node of a number
   * @param overrides further settings
   * @param preparation changes the network ahead of the nodes' start
   */
  private NicNodes(
      Simulation simulation,
      NetworkSettings network,
      int servers,
      IntFunction<List<String>> entries,
      String overrides,
      Consumer<FullCluster> preparation) {
    this.simulation = simulation;
    nics = entries.apply(0).size();
    this.overrides = overrides;
    this.entries = entries;
    nodes = new Transport[servers + 1];
    cluster = new FullCluster(simulation, network, null);
    cluster.add(nodes.length, NodeSettings.DEFAULT);
    preparation.accept(cluster);
    for (int i = 0; i < nodes.length; i++) {
      start(cluster.node(i));
    }
  }

  /** Runs a test with a caller and this number of servers. */
  static void run(NetworkSettings network, int servers, int nics, String overrides, Body body)
      throws Exception {
    run(network, servers, Collections.nCopies(nics, ""), overrides, body);
  }

  /** Runs such a test with further settings for each NIC. */
  static void run(
      NetworkSettings network, int servers, List<String> entries, String overrides, Body body)
      throws Exception {
    run(network, servers, node -> entries, overrides, prepared -> {}, body);
  }

  /** Runs such a test with other settings for each node, in a network prepared beforehand. */
  static void run(
      NetworkSettings network,
      int servers,
      IntFunction<List<String>> entries,
      String overrides,
      Consumer<FullCluster> preparation,
      Body body)
      throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            body.with(new NicNodes(simulation, network, servers, entries, overrides, preparation));
            return null;
          }
        });
  }

  private void start(FullNode node) {
    node.boot();
    String listed =
        IntStream.range(0, nics)
            .mapToObj(
                nic ->
                    "{name = %s, address = \"127.0.0.1:0\", %s}"
                        .formatted(name(nic), entries.apply(node.number()).get(nic)))
            .collect(Collectors.joining(","));
    Transport transport =
        Transport.builder(
                SimCluster.settings(
                    node.number(),
                    SimTransportSettings.parse(
                        overrides + "\n" + ROOM + "millrace.nics = [" + listed + "]")))
            .environment(node.environment())
            .start();
    Raw.serve(
        transport,
        ECHO,
        call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[ANSWER_BYTES])));
    nodes[node.number()] = transport;
  }

  private static String name(int nic) {
    return String.valueOf((char) ('a' + nic));
  }

  Transport caller() {
    return nodes[0];
  }

  Transport server(int number) {
    return nodes[number];
  }

  Peer peer(int server) {
    return nodes[0].peer(SimCluster.handshakeAddress(server));
  }

  /** Sets the state of a NIC: dead, silent or working. */
  void nic(int node, int nic, NicState state) {
    cluster.network().nic(node, nic).state(state);
  }

  /** Makes this number of calls, one call in each interval; all calls end. */
  void calls(int count, long everyNs) {
    int wanted = begun + count;
    while (begun < wanted) {
      call(1 + begun % (nodes.length - 1));
      pass(everyNs);
    }
    assertTrue(
        simulation.runUntil(() -> done == begun, simulation.nowNs() + 60 * SECOND_NS),
        this::figures);
  }

  private void call(int server) {
    long startNs = simulation.nowNs();
    begun++;
    var _ =
        Raw.unary(peer(server), ECHO, new byte[ANSWER_BYTES])
            .whenComplete((answer, failure) -> onDone(startNs, failure));
  }

  /** Lets time pass. */
  void pass(long ns) {
    simulation.runUntil(() -> false, simulation.nowNs() + ns);
  }

  /** Returns the result of the stage, which must complete within a minute. */
  <T> T await(CompletionStage<T> stage) throws Exception {
    CompletableFuture<T> future = stage.toCompletableFuture();
    assertTrue(
        simulation.runUntil(future::isDone, simulation.nowNs() + 60 * SECOND_NS), this::figures);
    return future.get(0, TimeUnit.NANOSECONDS);
  }

  /** Returns the failure of a call, which must not succeed. */
  CallException failureOf(CompletionStage<?> stage) throws Exception {
    try {
      throw new AssertionError("it came well: " + await(stage));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CallException failure) {
        return failure;
      }
      throw e;
    }
  }

  private void onDone(long startNs, @Nullable Throwable failure) {
    done++;
    longestNs = Math.max(longestNs, simulation.nowNs() - startNs);
    if (failure != null) {
      failures.add(failure);
    }
  }

  /** Returns the bytes sent by node 0 through this NIC. */
  long bytesOf(int nic) {
    return nodes[0].snapshot().workers().stream()
        .flatMap(worker -> worker.nics().stream())
        .filter(endpoint -> endpoint.nic().equals(name(nic)))
        .mapToLong(WorkerSnapshot.Nic::bytesSent)
        .sum();
  }

  /** Returns the NIC through which node 0 has sent most bytes. */
  int busiest() {
    return IntStream.range(0, nics)
        .boxed()
        .max((one, other) -> Long.compare(bytesOf(one), bytesOf(other)))
        .orElseThrow();
  }

  /** Returns the number of moves of node 0's paths to another NIC. */
  long moves() {
    return nodes[0].snapshot().workers().stream()
        .mapToLong(worker -> worker.recovery().railMoves())
        .sum();
  }

  /** Returns how often a worker of node 0 waited for the send rate of a NIC. */
  long rateWaits() {
    long waits = 0;
    for (int worker = 0; worker < nodes[0].pool().workers().size(); worker++) {
      waits += nodes[0].pool().port(worker).counters().sendRateWaits;
    }
    return waits;
  }

  /** Returns the bytes waiting or in flight at all workers of all nodes. */
  long load() {
    long bytes = 0;
    for (Transport node : nodes) {
      for (int worker = 0; worker < node.pool().workers().size(); worker++) {
        bytes += node.pool().port(worker).loadBytes();
      }
    }
    return bytes;
  }

  String figures() {
    return done
        + " of "
        + begun
        + " calls, the longest "
        + longestNs / MILLI_NS
        + " ms, bytes "
        + IntStream.range(0, nics).mapToLong(this::bytesOf).boxed().toList()
        + ", moves "
        + moves()
        + failures.stream().limit(3).map(each -> ", " + each.getMessage()).toList();
  }
}
