package com.acme.quickstart;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.DirectoryPlacement;
import io.millrace.api.codec.jackson.JacksonCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/** The server of the quickstart: greets guests, counts numbers and keeps files. */
final class GreetingServer {
  record Name(String name) {}

  /** A greeting; guests are numbered in the order of their calls. */
  record Greeting(int guest, String text) {}

  record Limit(int last) {}

  static final Route<Name, Greeting> GREET =
      Route.of("greet", JacksonCodec.of(Name.class), JacksonCodec.of(Greeting.class));

  static final Route<Limit, Integer> COUNT =
      Route.of("count", JacksonCodec.of(Limit.class), JacksonCodec.of(Integer.class));

  static final Route<?, ?> FILES = Route.bytes("files");

  private final AtomicInteger guests = new AtomicInteger();

  private GreetingServer() {}

  /** Serves calls and streams; handlers run on several threads at once. */
  static void serve(Transport transport) {
    GreetingServer server = new GreetingServer();
    transport.serve(GREET, server::greet);
    transport.serveStreamingResponse(COUNT, server::count);
  }

  /** Takes files into this directory; the sender names the file in a header of the transfer. */
  static void serveFiles(Transport transport, Path directory) throws IOException {
    DirectoryPlacement placement = DirectoryPlacement.under(directory);
    transport.serveBulkWrites(
        FILES,
        offer -> {
          Path file = placement.forWriting(offer.headers().text("name").orElseThrow());
          return CompletableFuture.completedStage(BulkTarget.file(file));
        });
  }

  private CompletionStage<Greeting> greet(Name name) {
    Greeting greeting = new Greeting(guests.incrementAndGet(), "hello " + name.name());
    return CompletableFuture.completedStage(greeting);
  }

  private Source<Integer, NotUsed> count(Limit limit) {
    return Source.range(1, limit.last());
  }
}
