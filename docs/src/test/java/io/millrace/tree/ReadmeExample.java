package io.millrace.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.UnaryResponse;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.DirectoryPlacement;
import io.millrace.config.TransportSettings;
import io.millrace.wire.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Two nodes in one process: one serves routes, the other calls them. */
final class ReadmeExample {
  private static final Route UPPER = Route.of("upper");
  private static final Route KEEP = Route.of("keep");

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

  /** Writes all of {@code file} to a peer, which keeps it in {@code directory}; its length. */
  static long copy(String psk, Path file, Path directory) throws IOException {
    TransportSettings settings =
        TransportSettings.parse("millrace.handshake.psk = \"" + psk + "\"");
    DirectoryPlacement placement = DirectoryPlacement.under(directory);
    try (Transport server = Transport.start(settings);
        Transport client = Transport.start(settings)) {
      server.serveBulkWrites(
          KEEP,
          offer -> {
            Path target = placement.forWriting(new String(offer.headers(), UTF_8));
            return CompletableFuture.completedStage(BulkTarget.file(target));
          });
      TransferOptions named = TransferOptions.DEFAULTS.withHeaders("copy".getBytes(UTF_8));
      Peer peer = client.peer(server.address());
      return peer.bulkWrite(KEEP, BulkSource.file(file), named).join().bytes();
    }
  }
}
