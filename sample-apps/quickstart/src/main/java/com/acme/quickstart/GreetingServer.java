package com.acme.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Transport;
import io.millrace.api.TypedCall;
import io.millrace.api.TypedResponse;
import io.millrace.api.TypedRoute;
import io.millrace.api.TypedStreamingResponse;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.DirectoryPlacement;
import io.millrace.api.codec.jackson.JacksonCodec;
import io.millrace.wire.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.stream.javadsl.Source;

/** The node that serves: it greets, counts and keeps files. */
final class GreetingServer {
  record Name(String name) {}

  /** The guests are numbered as they come. */
  record Greeting(int guest, String text) {}

  record Limit(int last) {}

  static final TypedRoute<Name, Greeting> GREET =
      TypedRoute.of("greet", JacksonCodec.of(Name.class), JacksonCodec.of(Greeting.class));

  static final TypedRoute<Limit, Integer> COUNT =
      TypedRoute.of("count", JacksonCodec.of(Limit.class), JacksonCodec.of(Integer.class));

  static final Route FILES = Route.of("files");

  private final AtomicInteger guests = new AtomicInteger();

  private GreetingServer() {}

  /** Serves calls and streams; handlers run on several threads at once. */
  static void serve(Transport transport) {
    GreetingServer server = new GreetingServer();
    transport.serve(GREET, server::greet);
    transport.serveStreamingResponse(COUNT, server::count);
  }

  /** Takes files into this directory; whoever sends one names it in its headers. */
  static void serveFiles(Transport transport, Path directory) throws IOException {
    DirectoryPlacement placement = DirectoryPlacement.under(directory);
    transport.serveBulkWrites(
        FILES,
        offer -> {
          Path file = placement.forWriting(new String(offer.headers(), UTF_8));
          return CompletableFuture.completedStage(BulkTarget.file(file));
        });
  }

  private CompletionStage<TypedResponse<Greeting>> greet(TypedCall<Name> call) {
    Greeting greeting = new Greeting(guests.incrementAndGet(), "hello " + call.value().name());
    return CompletableFuture.completedStage(TypedResponse.of(greeting));
  }

  private TypedStreamingResponse<Integer> count(TypedCall<Limit> call) {
    return TypedStreamingResponse.of(Source.range(1, call.value().last()));
  }
}
