package io.millrace.samples.log.node;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.disk.Checkpoint;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;

/**
 * Fetches missed entries from another replica. Chosen entries come by a streaming response, held
 * back by this replica's disk; a checkpoint comes by bulk if the other replica has dropped the
 * entries. One fetch at a time.
 */
final class CatchUp {
  private static final int LARGEST_BYTES = 1 << 30;

  /** The number of entries waiting for the disk at once: all these entries are forced together. */
  private static final int MOST_UNFORCED = 64;

  private static final TransferOptions STREAM =
      TransferOptions.DEFAULTS.withDeadline(Duration.ofSeconds(10));
  private static final TransferOptions BULK =
      TransferOptions.DEFAULTS.withDeadline(Duration.ofSeconds(60));

  private final Transport transport;
  private final Turns turns;
  private final Supplier<Replica> replica;
  private final SharedKillSwitch ending = KillSwitches.shared("log-catch-up");
  private boolean isUnderWay;

  CatchUp(Transport transport, Turns turns, Supplier<Replica> replica) {
    this.transport = transport;
    this.turns = turns;
    this.replica = replica;
  }

  /** Ends the fetch under way, and each later fetch. Any thread. */
  void close() {
    ending.shutdown();
  }

  /** Begins a fetch, in a turn; nothing happens during another fetch. */
  void begin(Peer from, long slot) {
    if (isUnderWay) {
      return;
    }
    isUnderWay = true;
    CompletionStage<Done> entries =
        from.streamingResponse(LogRoutes.CATCH_UP, slot, STREAM)
            .mapAsync(MOST_UNFORCED, entry -> learn(from, entry))
            .via(ending.flow())
            .runWith(Sink.ignore(), transport.materializer());
    var _ = entries.whenCompleteAsync((done, failure) -> isUnderWay = false, turns);
  }

  private CompletionStage<Done> learn(Peer from, Entry entry) {
    if (!entry.ballot().equals(Ballot.NONE)) {
      return CompletableFuture.supplyAsync(() -> replica.get().onLearnt(entry), turns)
          .thenCompose(forced -> forced)
          .thenApply(forced -> Done.getInstance());
    }
    return fetch(from)
        .thenApplyAsync(
            checkpoint -> {
              replica.get().onSnapshot(checkpoint);
              return Done.getInstance();
            },
            turns::executeLong);
  }

  private static CompletionStage<Checkpoint> fetch(Peer from) {
    CompletableFuture<byte[]> bytes = new CompletableFuture<>();
    return from.bulkRead(
            LogRoutes.SNAPSHOT,
            offer -> {
              if (offer.lengthBytes() < 0 || offer.lengthBytes() > LARGEST_BYTES) {
                throw new IllegalArgumentException(
                    "a checkpoint has not " + offer.lengthBytes() + " bytes");
              }
              byte[] room = new byte[(int) offer.lengthBytes()];
              bytes.complete(room);
              return CompletableFuture.completedFuture(BulkTarget.into(room));
            },
            BULK)
        .thenApply(receipt -> Checkpoint.decode(ByteString.fromArrayUnsafe(bytes.join())));
  }
}
