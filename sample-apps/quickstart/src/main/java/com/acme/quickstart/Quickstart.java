package com.acme.quickstart;

import com.acme.quickstart.GreetingServer.Greeting;
import com.acme.quickstart.GreetingServer.Limit;
import com.acme.quickstart.GreetingServer.Name;
import io.millrace.api.Call;
import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkSource;
import io.millrace.config.TransportSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Sink;

/** Two nodes in one process: the first serves; the second calls, counts and copies a file. */
public final class Quickstart {
  /**
   * The secret that admits a node to the cluster. Draw your own secret, for example by openssl rand
   * -hex 32.
   */
  private static final String PSK = "00112233445566778899aabbccddeeff".repeat(2);

  private Quickstart() {}

  /** Prints the result of each step, a line each. */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createTempDirectory("quickstart");
    Path letter =
        Files.writeString(directory.resolve("letter.txt"), "Dear reader.\n".repeat(9_000));
    TransportSettings settings = TransportSettings.defaults().withPsk(PSK);
    try (Transport first = Transport.start(settings);
        Transport second = Transport.start(settings)) {
      GreetingServer.serve(first);
      GreetingServer.serveFiles(first, directory);
      Peer server = second.peer(first.address());

      Greeting greeting = greet(server, "anna").join();
      System.out.println("call: " + greeting.text() + ", guest " + greeting.guest());
      int sum = sumTo(server, 1_000, second).toCompletableFuture().join();
      System.out.println("stream: 1 to 1000 sums to " + sum);
      long bytes = copy(server, letter, "copy.txt").join();
      boolean isSame = Files.mismatch(letter, directory.resolve("copy.txt")) < 0;
      System.out.println("file: " + bytes + " bytes, " + (isSame ? "the same" : "different"));
    } finally {
      Files.deleteIfExists(letter);
      Files.deleteIfExists(directory.resolve("copy.txt"));
      Files.delete(directory);
    }
  }

  /** Sends a request; the response is a greeting. */
  static Call<Greeting> greet(Peer server, String name) {
    return server.unary(GreetingServer.GREET, new Name(name));
  }

  /** Sends a request; sums up a stream of responses. */
  private static CompletionStage<Integer> sumTo(Peer server, int last, Transport transport) {
    return server
        .streamingResponse(GreetingServer.COUNT, new Limit(last))
        .runWith(Sink.fold(0, Integer::sum), transport.materializer());
  }

  /** Bulk: the file appears at the receiver when all of its bytes are verified. */
  private static CompletableFuture<Long> copy(Peer server, Path file, String name)
      throws IOException {
    TransferOptions named = TransferOptions.DEFAULTS.withHeader("name", name);
    return server
        .bulkWrite(GreetingServer.FILES, BulkSource.file(file), named)
        .thenApply(BulkReceipt::bytes);
  }
}
