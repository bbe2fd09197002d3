package io.millrace.samples.tutorial;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.codec.jackson.JacksonCodec;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Source;

/** A mill that runs until its process is told to end. */
final class MillServer {
  private static final int CENTS_A_SACK = 1_250;

  static final Route<Inquiry, Price> PRICES =
      Route.of("mill.prices", JacksonCodec.of(Inquiry.class), JacksonCodec.of(Price.class));

  private MillServer() {}

  /** A question about the price of this number of sacks. */
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
    Transport transport = Transport.create(system);
    transport.serveBidirectional(PRICES, MillServer::prices);
    return transport;
  }

  private static Source<Price, NotUsed> prices(Source<Inquiry, NotUsed> inquiries) {
    return inquiries.map(inquiry -> new Price(inquiry.sacks(), inquiry.sacks() * CENTS_A_SACK));
  }
}
