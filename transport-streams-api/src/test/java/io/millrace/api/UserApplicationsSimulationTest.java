package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.scenario.LastDatagrams;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.Program;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;

/** Correct applications of all kinds, with the default settings, break no rule of the simulator. */
final class UserApplicationsSimulationTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId STREAM = RouteId.of("stream");
  private static final int CALLS = 50;
  private static final int ELEMENTS = 500;
  private static final long DELAY_NS = 50_000;
  private static final long SECOND_NS = 1_000_000_000;
  private static final TransportSettings DEFAULTS =
      TransportSettings.parse(
          "millrace.handshake.provider = psk, millrace.handshake.psk = \""
              + "0123456789abcdef".repeat(4)
              + "\"");

  /** Two nodes that echo requests and send a stream on request. */
  private static final class Nodes {
    private final SimRun run;
    private final Transport[] all = new Transport[2];
    private final AtomicInteger ended = new AtomicInteger();

    Nodes(SimRun run, int lossPpm) {
      this.run = run;
      NetworkSettings clean = NetworkSettings.clean(DELAY_NS);
      run.network(clean.withLink(clean.link().withLoss(LossSettings.random(lossPpm))));
    }

    Nodes start() {
      run.add(2, this::start);
      return this;
    }

    void start(SimNode node) {
      Transport transport =
          Transport.builder(SimCluster.settings(node.number(), DEFAULTS))
              .environment(node.environment())
              .start();
      Raw.serve(
          transport,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      Raw.serveStreamingResponse(
          transport,
          STREAM,
          call ->
              new Raw.StreamingResponse(
                  new byte[0], Source.range(1, ELEMENTS).map(each -> new byte[100])));
      all[node.number()] = transport;
    }

    void call() {
      var _ =
          Raw.unary(all[0].peer(SimCluster.handshakeAddress(1)), ECHO, new byte[20])
              .whenComplete((answer, failure) -> ended.incrementAndGet());
    }

    <T> void run(Source<T, ?> source) {
      var _ =
          source
              .runWith(Sink.ignore(), SystemMaterializer.get(run.node(0).system()).materializer())
              .whenComplete((done, failure) -> ended.incrementAndGet());
    }

    void await(int count) {
      run.within(60 * SECOND_NS, "all has ended", () -> ended.get() == count);
    }

    void close() {
      run.awaitIdle(10 * SECOND_NS);
      for (Transport transport : all) {
        transport.close();
      }
      run.awaitClosed(10 * SECOND_NS);
      run.cluster().nodes().forEach(node -> node.system().terminate());
      run.quiesce();
    }
  }

  private static void manySmallAnswers(SimRun run) {
    Nodes nodes = new Nodes(run, 50_000).start();
    for (int i = 0; i < CALLS; i++) {
      nodes.call();
    }
    Peer peer = nodes.all[0].peer(SimCluster.handshakeAddress(1));
    nodes.run(Raw.streamingResponse(peer, UnaryRequest.of(STREAM, new byte[0])));
    nodes.await(CALLS + 1);
    nodes.close();
  }

  /** One lost datagram has dozens of frames. */
  @SimulationTest(seeds = {"5", "8", "20"})
  void shouldSendAgainAllThatALostDatagramCarried(SimRun run) {
    manySmallAnswers(run);
  }

  @Test
  void shouldTellOfTheLastDatagrams() throws Exception {
    LastDatagrams last = new LastDatagrams();
    SimRunner runner = new SimRunner(UserApplicationsSimulationTest::manySmallAnswers, 1);
    RunResult told = runner.run(RunSettings.of(5).withLast(last));
    RunResult untold = runner.run(RunSettings.of(5));
    assertEquals(untold.traceHash(), told.traceHash(), "who looks changes nothing");
    assertEquals(8, last.words().size());
    assertTrue(
        last.words().getLast().endsWith(" is lost (NO_ENDPOINT), PATH_CLOSE"),
        last.words()::toString);
  }

  /** Each call wakes the worker, which finds no packet to receive. */
  @SimulationTest(seeds = "1")
  void shouldLetItCallSomebodyWhoIsDownAgainAndAgain(SimRun run) {
    Nodes nodes = new Nodes(run, 0).start();
    run.crash(1);
    for (int i = 0; i < 1_000; i++) {
      run.at(i * 5_000L, 0, "calls", nodes::call);
    }
    nodes.await(1_000);
  }

  @SimulationTest(seeds = "1..2")
  void shouldLetItStopAnActorBeforeItsAnswerComes(SimRun run) throws Exception {
    Nodes nodes = new Nodes(run, 0).start();
    Behavior<String> asker =
        Behaviors.setup(
            context -> {
              Peer peer = nodes.all[0].peer(SimCluster.handshakeAddress(1));
              context.pipeToSelf(
                  Raw.unary(peer, ECHO, new byte[3]), (answer, failure) -> "answered");
              return Behaviors.stopped();
            });
    ActorSystem<?> system = run.node(0).system();
    var _ = run.node(0).call(() -> system.systemActorOf(asker, "asker", Props.empty()));
    run.runUntil(SECOND_NS);
    nodes.close();
  }

  @SimulationTest(seeds = "1")
  void shouldLetItLogErrors(SimRun run) {
    Nodes nodes = new Nodes(run, 0).start();
    nodes.run(Source.range(1, 10).map(each -> 10 / (5 - each)).log("mine"));
    nodes.await(1);
    nodes.close();
  }

  /** The new transport must not have the secrets of the previous transport. */
  @SimulationTest(seeds = "1..2")
  void shouldLetItStartAnotherTransportInTheSameLife(SimRun run) throws Exception {
    Nodes nodes = new Nodes(run, 0).start();
    for (int i = 1; i <= 2; i++) {
      nodes.call();
      Peer peer = nodes.all[0].peer(SimCluster.handshakeAddress(1));
      var _ =
          Raw.unary(peer, ECHO, new byte[200_000])
              .thenAccept(answer -> nodes.ended.incrementAndGet());
      nodes.await(2 * i);
      nodes.all[0].close();
      run.node(0)
          .call(
              () -> {
                nodes.start(run.node(0));
                return null;
              });
    }
    nodes.close();
  }

  @SimulationTest(seeds = "1")
  void shouldLetItTakeItsTimeBeforeItCloses(SimRun run) {
    Nodes nodes = new Nodes(run, 0);
    Program slow =
        new Program() {
          @Override
          public void start(SimNode node) {
            nodes.start(node);
          }

          @Override
          public void stop(SimNode node) throws Exception {
            try {
              node.environment().await(new CompletableFuture<>(), 20 * SECOND_NS);
            } catch (TimeoutException e) {
              node.closeTransports();
            }
          }
        };
    run.add(NodeSettings.DEFAULT, slow);
    run.add(NodeSettings.DEFAULT, slow);
    nodes.call();
    nodes.await(1);
    run.stop(0);
    run.boot(0);
    nodes.close();
  }
}
