package io.millrace.api;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.junit.SimulationTest;
import io.millrace.testkit.sim.net.LossSettings;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.node.SimCluster;
import io.millrace.testkit.sim.scenario.SimRun;
import io.millrace.wire.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.ThrottleMode;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** Correct applications of users, with the default settings, break no rule of the simulator. */
final class UserApplicationsSimulationTest {
  private static final Route CALL = Route.of("call");
  private static final Route WORKER = Route.of("worker");
  private static final Route STREAM = Route.of("stream");
  private static final Route BULK = Route.of("bulk");
  private static final int CALLS = 50;
  private static final int ELEMENTS = 500;
  private static final long DELAY_NS = 50_000;
  private static final long SECOND_NS = 1_000_000_000;
  private static final TransportSettings DEFAULTS =
      TransportSettings.parse(
          "millrace.handshake.psk = \"" + "0123456789abcdef".repeat(4) + "\"");

  private static Transport[] start(SimRun run, int count, int lossPpm, Consumer<Transport> serve) {
    NetworkSettings clean = NetworkSettings.clean(DELAY_NS);
    run.network(clean.withLink(clean.link().withLoss(LossSettings.random(lossPpm))));
    Transport[] nodes = new Transport[count];
    run.add(
        count,
        node -> {
          Transport transport =
              Transport.builder(SimCluster.settings(node.number(), DEFAULTS))
                  .environment(node.environment())
                  .start();
          serve.accept(transport);
          nodes[node.number()] = transport;
        });
    return nodes;
  }

  private static void end(SimRun run, Transport[] nodes) {
    run.awaitIdle(10 * SECOND_NS);
    for (Transport node : nodes) {
      node.close();
    }
    run.awaitClosed(10 * SECOND_NS);
    run.cluster().nodes().forEach(node -> node.system().terminate());
    run.quiesce();
  }

  private static Peer peer(Transport[] nodes, int from, int to) {
    return nodes[from].peer(SimCluster.handshakeAddress(to));
  }

  @SimulationTest(seeds = "1..40", shrinkRuns = 1)
  void a(SimRun run) {
    Transport[] nodes =
        start(
            run,
            2,
            50_000,
            transport -> {
              transport.serve(
                  CALL,
                  call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
              transport.serveStreamingResponse(
                  STREAM,
                  call ->
                      new StreamingResponse(
                          new byte[0], Source.range(1, ELEMENTS).map(i -> new byte[100])));
            });
    AtomicInteger answered = new AtomicInteger();
    AtomicInteger elements = new AtomicInteger();
    Peer peer = peer(nodes, 0, 1);
    for (int i = 0; i < CALLS; i++) {
      var _ = peer.unary(CALL, new byte[20]).thenAccept(answer -> answered.incrementAndGet());
    }
    var _ =
        peer.streamingResponse(
                UnaryRequest.of(STREAM, new byte[0]))
            .runWith(
                Sink.foreach(element -> elements.incrementAndGet()),
                SystemMaterializer.get(run.node(0).system()).materializer());
    run.within(
        60 * SECOND_NS,
        "all is answered",
        () -> answered.get() == CALLS && elements.get() == ELEMENTS);
    end(run, nodes);
  }

  /** A consumer that takes elements one by one, rarely. */
  @SimulationTest(seeds = "1..6", shrinkRuns = 1)
  void b(SimRun run) {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport ->
                transport.serveStreamingResponse(
                    STREAM,
                    call ->
                        new StreamingResponse(
                            new byte[0],
                            Source.range(1, 5000).map(i -> new byte[10]))));
    AtomicInteger elements = new AtomicInteger();
    for (int s = 0; s < 4; s++) {
      var _ =
          peer(nodes, 0, 1)
              .streamingResponse(UnaryRequest.of(STREAM, new byte[0]))
              .throttle(1, Duration.ofNanos(20_000), 1, ThrottleMode.shaping())
              .runWith(
                  Sink.foreach(element -> elements.incrementAndGet()),
                  SystemMaterializer.get(run.node(0).system()).materializer());
    }
    run.within(600 * SECOND_NS, "all came", () -> elements.get() == 20000);
    end(run, nodes);
  }

  /** Large payloads that the test's own code sends. */
  @SimulationTest(seeds = "1..6", shrinkRuns = 1)
  void c(SimRun run) {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport ->
                transport.serve(
                    CALL,
                    call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload()))));
    AtomicInteger answered = new AtomicInteger();
    for (int i = 0; i < 10; i++) {
      var _ =
          peer(nodes, 0, 1)
              .unary(CALL, new byte[500_000])
              .thenAccept(answer -> answered.incrementAndGet());
    }
    run.within(60 * SECOND_NS, "all is answered", () -> answered.get() == 10);
    end(run, nodes);
  }

  /** Many large answers at once. */
  @SimulationTest(seeds = "1..4", shrinkRuns = 1)
  void f(SimRun run) {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport ->
                transport.serve(
                    CALL,
                    call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[8_000_0]))));
    AtomicInteger answered = new AtomicInteger();
    List<Throwable> failures = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      var _ =
          peer(nodes, 0, 1)
              .unary(CALL, new byte[100])
              .whenComplete(
                  (answer, failure) -> {
                    answered.incrementAndGet();
                    if (failure != null) {
                      failures.add(failure);
                    }
                  });
    }
    run.within(600 * SECOND_NS, "all is answered", () -> answered.get() == 500);
    System.out.println(failures.size() + " failed " + (failures.isEmpty() ? "" : failures.get(0)));
    end(run, nodes);
  }

  /** Handlers, completions and subscribers that throw. */
  @SimulationTest(seeds = "1..4", shrinkRuns = 1)
  void g(SimRun run) {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport -> {
              transport.serve(
                  CALL,
                  call -> {
                    throw new IllegalStateException("on purpose");
                  });
              transport.serveStreamingResponse(
                  STREAM,
                  call ->
                      new StreamingResponse(
                          new byte[0],
                          Source.range(1, ELEMENTS)
                              .map(
                                  i -> {
                                    if (i == 100) {
                                      throw new IllegalStateException("on purpose");
                                    }
                                    return new byte[100];
                                  })));
            });
    AtomicInteger answered = new AtomicInteger();
    for (int i = 0; i < CALLS; i++) {
      var _ =
          peer(nodes, 0, 1)
              .unary(CALL, new byte[20])
              .whenComplete((answer, failure) -> answered.incrementAndGet());
    }
    var _ =
        peer(nodes, 0, 1)
            .streamingResponse(UnaryRequest.of(STREAM, new byte[0]))
            .runWith(
                Sink.foreach(element -> {}),
                SystemMaterializer.get(run.node(0).system()).materializer())
            .whenComplete((done, failure) -> answered.incrementAndGet());
    run.within(60 * SECOND_NS, "all is answered", () -> answered.get() == CALLS + 1);
    end(run, nodes);
  }

  /** A transport is closed and another one started in the same life. */
  @SimulationTest(seeds = "1..4", shrinkRuns = 1)
  void h(SimRun run) throws Exception {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport ->
                transport.serve(
                    CALL,
                    call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload()))));
    AtomicInteger answered = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      int before = answered.get();
      var _ =
          peer(nodes, 0, 1)
              .unary(CALL, new byte[200_00])
              .thenAccept(answer -> answered.incrementAndGet());
      run.within(60 * SECOND_NS, "is answered", () -> answered.get() == before + 1);
      nodes[0].close();
      nodes[0] =
          run.node(0)
              .call(
                  () ->
                      Transport.builder(SimCluster.settings(0, DEFAULTS))
                          .environment(run.node(0).environment())
                          .start());
    }
    end(run, nodes);
  }

  /** An actor of the application fails and is started again. */
  @SimulationTest(seeds = "1..2", shrinkRuns = 1)
  void e(SimRun run) throws Exception {
    Transport[] nodes = start(run, 2, 0, transport -> {});
    AtomicInteger started = new AtomicInteger();
    var ref =
        run.node(0)
            .call(
                () ->
                    run.node(0)
                        .system()
                        .systemActorOf(
                            Behaviors.supervise(
                                    Behaviors.<String>setup(
                                        context -> {
                                          started.incrementAndGet();
                                          return Behaviors.receiveMessage(
                                              text -> {
                                                throw new IllegalStateException(text);
                                              });
                                        }))
                                .onFailure(
                                    org.apache.pekko.actor.typed.SupervisorStrategy.restart()),
                            "mine",
                            org.apache.pekko.actor.typed.Props.empty()));
    ref.tell("on purpose");
    run.within(SECOND_NS, "is started again", () -> started.get() == 2);
    end(run, nodes);
  }

  /** Calls to a node that is down. */
  @SimulationTest(seeds = "1..4", shrinkRuns = 1)
  void l(SimRun run) {
    Transport[] nodes = start(run, 2, 0, transport -> {});
    run.crash(1);
    AtomicInteger answered = new AtomicInteger();
    for (int i = 0; i < 3000; i++) {
      run.at(
          1000 + i * 5_000,
          0,
          "call",
          () ->
              peer(nodes, 0, 1)
                  .unary(CALL, new byte[20])
                  .whenComplete((answer, failure) -> answered.incrementAndGet()));
    }
    run.within(60 * SECOND_NS, "all is answered", () -> answered.get() == 3000);
    nodes[0].close();
    run.awaitClosed(10 * SECOND_NS);
    run.quiesce();
  }

  /** Handlers that answer late, all at different times, while the path waits for loss. */
  @SimulationTest(seeds = "1..4", shrinkRuns = 1)
  void m(SimRun run) {
    List<CompletableFuture<UnaryResponse>> open = new ArrayList<>();
    Transport[] nodes = start(run, 2, 0, transport -> transport.serve(CALL, call -> {
      CompletableFuture<UnaryResponse> f = new CompletableFuture<>();
      open.add(f);
      return f;
    }));
    AtomicInteger answered = new AtomicInteger();
    for (int i = 0; i < 900; i++) {
      var _ = peer(nodes, 0, 1)
                  .unary(CALL, new byte[20])
                  .whenComplete((answer, failure) -> answered.incrementAndGet());
    }
    run.within(60 * SECOND_NS, "all is there", () -> open.size() >= 400);
    System.out.println(open.size());
    int n = open.size();
    for (int i = 0; i < n; i++) {
      CompletableFuture<UnaryResponse> f = open.get(i);
      run.at(run.simulation().nowNs() + i * 2_000L, 1, "answers", () -> f.complete(UnaryResponse.of(new byte[10])));
    }
    run.runUntil(run.simulation().nowNs() + SECOND_NS);
    nodes[0].close();
    nodes[1].close();
    run.awaitClosed(10 * SECOND_NS);
    run.quiesce();
  }

  /** Callers that have stopped when their answer comes. */
  @SimulationTest(seeds = "1..4", shrinkRuns = 1)
  void d(SimRun run) throws Exception {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport ->
                transport.serve(
                    CALL,
                    call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload()))));
    run.node(0)
        .call(
            () -> {
              var system = run.node(0).system();
              var transport =
                  system.systemActorOf(
                      io.millrace.api.actor.TransportActor.create(nodes[0]),
                      "transport",
                      org.apache.pekko.actor.typed.Props.empty());
              var asker =
                  system.systemActorOf(
                      Behaviors.<io.millrace.api.actor.CallReply>setup(
                          context -> {
                            transport.tell(
                                new io.millrace.api.actor.TransportCommand.Call(
                                    SimCluster.handshakeAddress(1),
                                    UnaryRequest.of(CALL, new byte[3]),
                                    1,
                                    context.getSelf()));
                            return Behaviors.stopped();
                          }),
                      "asker",
                      org.apache.pekko.actor.typed.Props.empty());
              return asker;
            });
    run.runUntil(SECOND_NS);
    end(run, nodes);
  }

  /** A stream stage that logs its failure. */
  @SimulationTest(seeds = "1..2", shrinkRuns = 1)
  void n(SimRun run) throws Exception {
    Transport[] nodes = start(run, 2, 0, transport -> {});
    AtomicInteger ended = new AtomicInteger();
    var _ =
        Source.range(1, 10)
            .map(i -> 10 / (5 - i))
            .log("mine")
            .runWith(
                Sink.ignore(), SystemMaterializer.get(run.node(0).system()).materializer())
            .whenComplete((done, failure) -> ended.incrementAndGet());
    run.within(SECOND_NS, "it fails", () -> ended.get() == 1);
    end(run, nodes);
  }

  /** What runs on workers throws. */
  @SimulationTest(seeds = "1..3", shrinkRuns = 1)
  void o(SimRun run) {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport -> {
              transport.serveOnWorker(
                  WORKER,
                  call -> {
                    throw new IllegalStateException("on purpose");
                  });
              transport.serve(
                  CALL,
                  request -> {
                    throw new IllegalStateException("on purpose");
                  },
                  call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
            });
    AtomicInteger answered = new AtomicInteger();
    for (Route route : List.of(WORKER, CALL)) {
      for (int i = 0; i < 3; i++) {
        var _ =
            peer(nodes, 0, 1)
                .unary(route, new byte[200])
                .whenComplete((answer, failure) -> answered.incrementAndGet());
      }
    }
    run.within(60 * SECOND_NS, "all is answered", () -> answered.get() == 6);
    end(run, nodes);
  }

  /** Completions on workers throw. */
  @SimulationTest(seeds = "1..3", shrinkRuns = 1)
  void p(SimRun run) {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport -> {
              transport.serve(
                  CALL,
                  call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
            });
    AtomicInteger answered = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      peer(nodes, 0, 1)
          .unary(
              UnaryRequest.of(CALL, new byte[200]),
              new WorkerCompletion() {
                @Override
                public void onResponse(org.agrona.DirectBuffer response, int at, int length) {
                  answered.incrementAndGet();
                  throw new IllegalStateException("on purpose");
                }

                @Override
                public void onFailure(CallException failure) {
                  answered.incrementAndGet();
                }
              });
    }
    run.within(60 * SECOND_NS, "all is answered", () -> answered.get() == 3);
    end(run, nodes);
  }

  /** The test's own code seals. */
  @SimulationTest(seeds = "1..3", shrinkRuns = 1)
  void q(SimRun run) {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport -> {
              transport.serve(
                  CALL,
                  call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
            });
    AtomicInteger answered = new AtomicInteger();
    var _ =
        nodes[0]
            .sealAll(List.of(new byte[300_000], new byte[10], new byte[70_000]), new byte[0])
            .thenAccept(
                sealed -> {
                  sealed.forEach(SealedPayload::close);
                  answered.incrementAndGet();
                });
    run.within(60 * SECOND_NS, "all is answered", () -> answered.get() == 1);
    end(run, nodes);
  }

  /** Subscribers throw. */
  @SimulationTest(seeds = "1..3", shrinkRuns = 1)
  void r(SimRun run) {
    Transport[] nodes =
        start(
            run,
            2,
            0,
            transport -> {
              transport.subscribe(
                  new io.millrace.event.TransportEvents() {
                    @Override
                    public void onPeerHealthChanged(
                        int worker, String peer, String from, String to) {
                      throw new IllegalStateException("on purpose");
                    }
                  });
              transport.serve(
                  CALL,
                  call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
            });
    AtomicInteger answered = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      var _ =
          peer(nodes, 0, 1)
              .unary(CALL, new byte[200])
              .whenComplete((answer, failure) -> answered.incrementAndGet());
    }
    run.within(60 * SECOND_NS, "all is answered", () -> answered.get() == 3);
    run.crash(1);
    run.runUntil(20 * SECOND_NS);
    nodes[0].close();
    run.awaitClosed(10 * SECOND_NS);
    run.quiesce();
  }
}
