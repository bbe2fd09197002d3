package io.millrace.api;

import static io.millrace.api.StreamChecks.CLEAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.loop.BlockingRefusedException;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.AbruptStageTerminationException;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of {@link Transport#materializer} end with the transport, in each actor system. */
@Timeout(60)
final class StreamsOfTransportTest {
  private static final RouteId ROUTE = RouteId.of("mirror");

  private static CompletableFuture<Done> endless(Materializer materializer) {
    return Source.<Integer>never().runWith(Sink.ignore(), materializer).toCompletableFuture();
  }

  @Test
  void shouldEndWithTheTransportInASystemOfTheApplication() throws Exception {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "application");
    try {
      Transport node = Transport.builder(TwoNodes.settings("")).system(system).start();
      CompletableFuture<Done> own = endless(node.materializer());
      CompletableFuture<Done> other = endless(SystemMaterializer.get(system).materializer());
      node.close();
      assertInstanceOf(
          AbruptStageTerminationException.class,
          own.handle((_, failure) -> failure).get(20, TimeUnit.SECONDS));
      assertFalse(other.isDone());
    } finally {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldTellABusyStreamOfTheClose() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    try (TwoNodes nodes = new TwoNodes("")) {
      Peer peer = nodes.peer();
      Raw.serveBidirectional(
          nodes.server, ROUTE, call -> Raw.StreamingResponse.of(call.elements()));
      CompletableFuture<Done> stream =
          Source.single(new byte[1])
              .concat(Source.never())
              .map(
                  element -> {
                    busy.countDown();
                    held.await();
                    return element;
                  })
              .via(Raw.bidirectional(peer, ROUTE, TransferOptions.DEFAULTS))
              .runWith(Sink.ignore(), nodes.client.materializer())
              .toCompletableFuture();
      assertTrue(busy.await(20, TimeUnit.SECONDS));
      Thread closing =
          Thread.ofPlatform()
              .start(
                  () -> {
                    Thread.currentThread().interrupt();
                    nodes.client.close();
                  });
      while (closing.isAlive() && !isAwaitingStreams(closing)) {
        Thread.onSpinWait();
      }
      held.countDown();
      Throwable failure = stream.handle((_, thrown) -> thrown).get(20, TimeUnit.SECONDS);
      assertEquals(CallOutcome.CLOSED, assertInstanceOf(CallException.class, failure).outcome());
      closing.join();
      assertThrows(
          IllegalStateException.class,
          () -> Source.empty().runWith(Sink.ignore(), nodes.client.materializer()));
    }
  }

  private static boolean isAwaitingStreams(Thread closing) {
    return Arrays.stream(closing.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals(NodeExecutors.Streams.class.getName()));
  }

  @Test
  void shouldRefuseToCloseOnTheThreadOfAWorker() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Raw.serveOnWorker(
          nodes.server,
          ROUTE,
          call -> {
            thrown.complete(assertThrows(BlockingRefusedException.class, nodes.server::close));
            call.reply(0, 1).putByte(0, (byte) 1);
          });
      nodes.await(Raw.unary(nodes.peer(), UnaryRequest.of(ROUTE, new byte[1])));
      assertInstanceOf(BlockingRefusedException.class, thrown.get(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void shouldHaveNoNewMaterializerAfterTheClose() throws Exception {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "application");
    try {
      Transport node = Transport.builder(TwoNodes.settings("")).system(system).start();
      node.close();
      assertThrows(IllegalStateException.class, node::materializer);
    } finally {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldEndWithTheTransportInASimulation() throws Exception {
    World.SIMULATED.run(
        CLEAN,
        (nodes, driver) -> {
          CompletableFuture<Done> own = endless(nodes.server().materializer());
          nodes.server().close();
          assertTrue(nodes.awaitUntil(own::isCompletedExceptionally));
        });
  }
}
