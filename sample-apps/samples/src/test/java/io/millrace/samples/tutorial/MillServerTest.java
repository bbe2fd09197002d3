package io.millrace.samples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.tutorial.MillServer.Inquiry;
import io.millrace.samples.tutorial.MillServer.Price;
import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MillServerTest {
  private static final String PSK =
      "millrace.handshake.provider = psk, millrace.handshake.psk = " + "0123456789abcdef".repeat(4);

  private static Config config() {
    // Like an application.conf, but without a hook that ends the tests' JVM.
    return ConfigFactory.parseString(PSK + "\npekko.jvm-shutdown-hooks = off")
        .withFallback(ConfigFactory.load())
        .resolve();
  }

  private static CompletionStage<List<Price>> ask(Transport baker, Peer mill) {
    return Source.from(List.of(new Inquiry(1), new Inquiry(4)))
        .via(mill.bidirectional(MillServer.PRICES))
        .runWith(Sink.seq(), baker.materializer());
  }

  /** Opens a stream that still takes inquiries. */
  private static Pair<CompletableFuture<List<Inquiry>>, SinkQueueWithCancel<Price>> open(
      Transport baker, Peer mill) {
    CompletableFuture<List<Inquiry>> last = new CompletableFuture<>();
    SinkQueueWithCancel<Price> prices =
        Source.single(new Inquiry(1))
            .concat(Source.completionStage(last).mapConcat(all -> all))
            .via(mill.bidirectional(MillServer.PRICES))
            .toMat(Sink.queue(), Keep.right())
            .run(baker.materializer());
    return Pair.create(last, prices);
  }

  @Test
  void shouldFinishWhatRunsAndTakeNothingNewWhenItsSystemEnds() {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "mill", config());
    Transport transport = MillServer.start(system);
    try (Transport baker = Transport.start(TransportSettings.parse(PSK))) {
      Peer mill = baker.peer(transport.address());
      List<Price> prices = List.of(new Price(1, 1_250), new Price(4, 5_000));
      assertEquals(prices, ask(baker, mill).toCompletableFuture().join());
      var running = open(baker, mill);
      assertTrue(running.second().pull().toCompletableFuture().join().isPresent());

      CompletionStage<?> ended =
          CoordinatedShutdown.get(system).runAll(CoordinatedShutdown.unknownReason());

      assertEquals(CallOutcome.SHUTTING_DOWN, refusal(baker, mill));
      running.first().complete(List.of(new Inquiry(2)));
      assertEquals(
          new Price(2, 2_500), running.second().pull().toCompletableFuture().join().orElseThrow());
      assertTrue(running.second().pull().toCompletableFuture().join().isEmpty());
      ended.toCompletableFuture().join();
      assertTrue(system.getWhenTerminated().toCompletableFuture().isDone());
    } finally {
      system.terminate();
    }
  }

  /** Returns the outcome of the first stream that the mill refuses. */
  private static CallOutcome refusal(Transport baker, Peer mill) {
    while (true) {
      CompletableFuture<List<Price>> asked = ask(baker, mill).toCompletableFuture();
      if (asked.handle((prices, failure) -> failure != null).join()) {
        CompletionException failure = assertThrows(CompletionException.class, asked::join);
        return assertInstanceOf(CallException.class, failure.getCause()).outcome();
      }
    }
  }
}
