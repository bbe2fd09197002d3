package io.millrace.samples.tutorial;

import io.millrace.api.Transport;
import io.millrace.api.TypedRoute;
import io.millrace.api.TypedStreamingCall;
import io.millrace.api.TypedStreamingResponse;
import io.millrace.api.codec.jackson.JacksonCodec;
import io.millrace.config.TransportSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A mill that runs until it is told to end. */
final class MillServer {
  private static final int CENTS_A_SACK = 1_250;
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(20);

  static final TypedRoute<Inquiry, Price> PRICES =
      TypedRoute.of("mill.prices", JacksonCodec.of(Inquiry.class), JacksonCodec.of(Price.class));

  private MillServer() {}

  /** What so many sacks cost. */
  record Inquiry(int sacks) {}

  record Price(int sacks, int cents) {}

  public static void main(String[] arguments) {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "mill");
    try {
      System.out.println("listening on " + start(system).address());
    } catch (RuntimeException e) {
      system.terminate();
      throw e;
    }
  }

  static Transport start(ActorSystem<?> system) {
    TransportSettings settings = TransportSettings.from(system.settings().config());
    Transport transport = Transport.builder(settings).system(system).start();
    endInOrder(system, transport);
    transport.serveBidirectional(PRICES, MillServer::prices);
    return transport;
  }

  private static TypedStreamingResponse<Price> prices(TypedStreamingCall<Inquiry> call) {
    return TypedStreamingResponse.of(
        call.elements().map(inquiry -> new Price(inquiry.sacks(), inquiry.sacks() * CENTS_A_SACK)));
  }

  private static void endInOrder(ActorSystem<?> system, Transport transport) {
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    shutdown.addTask(
        CoordinatedShutdown.PhaseServiceRequestsDone(),
        "drain the transport",
        () -> transport.drain(DRAIN_LIMIT).thenApply(report -> Done.getInstance()));
    shutdown.addTask(
        CoordinatedShutdown.PhaseServiceStop(),
        "close the transport",
        () ->
            CompletableFuture.supplyAsync(
                () -> {
                  transport.close();
                  return Done.getInstance();
                }));
  }
}
