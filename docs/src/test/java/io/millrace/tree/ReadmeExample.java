package io.millrace.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.api.UnaryResponse;
import io.millrace.config.TransportSettings;
import io.millrace.wire.Route;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Two nodes in one process: one serves a route, the other calls it. */
final class ReadmeExample {
  private static final Route UPPER = Route.of("upper");

  /** The key, 64 hexadecimal digits or more, is the secret that admits a node to the cluster. */
  static String call(String psk, String text) {
    TransportSettings settings =
        TransportSettings.parse("millrace.handshake.psk = \"" + psk + "\"");
    try (Transport server = Transport.start(settings);
        Transport client = Transport.start(settings)) {
      server.serve(UPPER, call -> answer(new String(call.payload(), UTF_8)));
      Peer peer = client.peer(server.address());
      CompletableFuture<UnaryResponse> response = peer.unary(UPPER, text.getBytes(UTF_8));
      return new String(response.join().payload(), UTF_8);
    }
  }

  private static CompletionStage<UnaryResponse> answer(String text) {
    byte[] answer = text.toUpperCase(Locale.ROOT).getBytes(UTF_8);
    return CompletableFuture.completedStage(UnaryResponse.of(answer));
  }
}
