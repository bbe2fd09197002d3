package io.millrace.tree;

import io.millrace.api.Call;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.transfer.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.util.ByteString;

/** The example of retries in docs/failure-handling.md. */
final class RetriesExample {
  private RetriesExample() {}

  // begin of the example
  static final Route<ByteString, ByteString> PRICE = Route.bytes("price").idempotent();
  static final Route<ByteString, ByteString> ORDER =
      Route.bytes("order")
          .withRetry(
              RetryPolicy.DEFAULTS
                  .withAttempts(10)
                  .withBackoff(Duration.ofMillis(50), Duration.ofSeconds(2))
                  .withBudget(10, 500));

  static Call<ByteString> price(Peer first, Peer second, ByteString item) {
    TransferOptions within = TransferOptions.DEFAULTS.withDeadline(Duration.ofSeconds(3));
    return first.withFallbacks(List.of(second)).unary(PRICE, item, within);
  }
  // end of the example
}
