package io.millrace.samples.tutorial;

import io.millrace.api.Call;
import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.DirectoryPlacement;
import io.millrace.api.codec.jackson.JacksonCodec;
import io.millrace.config.TransportSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** The first application: a mill sells flour, a baker buys flour. */
final class FirstApplication {
  private FirstApplication() {}

  record Order(String customer, int sacks) {}

  record Receipt(int number, String customer, int sacks) {}

  record Question(String customer) {}

  static final Route<Order, Receipt> ORDERS =
      Route.of("orders", JacksonCodec.of(Order.class), JacksonCodec.of(Receipt.class));

  static final Route<Question, Receipt> RECEIPTS =
      Route.of("receipts", JacksonCodec.of(Question.class), JacksonCodec.of(Receipt.class));

  static final Route<?, ?> LETTERS = Route.bytes("letters");

  /** The seller's node: serves the three routes. Handlers run on several threads at once. */
  static final class Mill {
    private final List<Receipt> receipts = new CopyOnWriteArrayList<>();

    static void serve(Transport transport, Path directory) throws IOException {
      Mill mill = new Mill();
      transport.serve(ORDERS, mill::sell);
      transport.serveStreamingResponse(RECEIPTS, mill::receiptsOf);
      DirectoryPlacement letters = DirectoryPlacement.under(directory);
      transport.serveBulkWrites(
          LETTERS,
          offer -> {
            Path file = letters.forWriting(offer.headers().text("name").orElseThrow());
            return CompletableFuture.completedStage(BulkTarget.file(file));
          });
    }

    private synchronized CompletionStage<Receipt> sell(Order order) {
      if (order.sacks() < 1) {
        throw new IllegalArgumentException("we sell whole sacks");
      }
      Receipt receipt = new Receipt(receipts.size() + 1, order.customer(), order.sacks());
      receipts.add(receipt);
      return CompletableFuture.completedStage(receipt);
    }

    private Source<Receipt, NotUsed> receiptsOf(Question question) {
      return Source.from(receipts)
          .filter(receipt -> receipt.customer().equals(question.customer()));
    }
  }

  /** The buyer's node. */
  static final class Baker {
    private final Transport transport;
    private final Peer mill;
    private final String name;

    Baker(Transport transport, String millAddress, String name) {
      this.transport = transport;
      this.name = name;
      mill = transport.peer(millAddress);
    }

    Call<Receipt> buy(int sacks) {
      return mill.unary(ORDERS, new Order(name, sacks));
    }

    CompletionStage<Integer> sacksBought() {
      return mill.streamingResponse(RECEIPTS, new Question(name))
          .map(Receipt::sacks)
          .runWith(Sink.fold(0, Integer::sum), transport.materializer());
    }

    Call<BulkReceipt> write(Path letter) throws IOException {
      TransferOptions named = TransferOptions.DEFAULTS.withHeader("name", name + ".txt");
      return mill.bulkWrite(LETTERS, BulkSource.file(letter), named);
    }
  }

  /** Runs both nodes in one process; returns the outcomes, line by line. */
  static List<String> run(String psk, Path directory, Path letter) throws IOException {
    TransportSettings settings = TransportSettings.defaults().withPsk(psk);
    try (Transport first = Transport.start(settings);
        Transport second = Transport.start(settings)) {
      Mill.serve(first, directory);
      Baker baker = new Baker(second, first.address(), "anna");
      return List.of(
          told(baker.buy(3)),
          told(baker.buy(4)),
          told(baker.buy(0)),
          baker.sacksBought().toCompletableFuture().join() + " sacks",
          baker.write(letter).join().bytes() + " bytes of a letter");
    }
  }

  private static String told(Call<Receipt> purchase) {
    try {
      return purchase.join().toString();
    } catch (CompletionException e) {
      return e.getCause() instanceof CallException failure
          ? "not sold: " + failure.outcome() + ": " + failure.reason()
          : e.toString();
    }
  }
}
