package io.millrace.samples.bench;

import com.typesafe.config.ConfigFactory;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.config.TransportSettings;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Nodes in one process that receive bulk writes and keep no bytes; {@link BroadcastCost} measures
 * against this child process. A node of usual settings takes 64 MiB of heap for sending and 32 MiB
 * for receiving, too much for many nodes in one process. These nodes send no payload, receive
 * little at once, and share an actor system and an executor.
 */
final class BroadcastSink {
  static final Route<?, ?> ROUTE = Route.bytes("sink");

  /** The headers of a payload that the first node is to receive slowly. */
  static final Headers SLOWLY = Headers.of("pace", "slow");

  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int PARALLELISM = 4;
  private static final String COMMON =
      """
      millrace.handshake { listen = "127.0.0.1:0", provider = psk, psk = "%s" }
      millrace.nic.driver = udp
      """
          .formatted("5a".repeat(32));
  private static final String SMALL =
      """
      millrace.transfers.buffer-pool = 512 KiB
      millrace.regions { counts = [16, 8], grant-budget = 512 KiB }
      """;

  private BroadcastSink() {}

  /** Starts a node that sends to such nodes. */
  static Transport startSender() {
    return Transport.start(TransportSettings.parse(COMMON));
  }

  /**
   * Argument: the number of nodes. Prints the addresses of the nodes in one line; ends with the end
   * of input.
   */
  public static void main(String[] args) throws IOException {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "sinks", ConfigFactory.load());
    ExecutorService executor = Executors.newFixedThreadPool(PARALLELISM);
    TransportSettings settings = TransportSettings.parse(COMMON + SMALL);
    StringBuilder addresses = new StringBuilder("addresses");
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      boolean isFirst = i == 0;
      Transport.Builder builder = Transport.builder(settings).system(system);
      // The first node may block its executor, and therefore must have an executor of its own.
      Transport node = isFirst ? builder.start() : builder.executor(executor, PARALLELISM).start();
      node.serveBulkWrites(ROUTE, offer -> target(offer, isFirst));
      addresses.append(' ').append(node.address());
    }
    System.out.println(addresses);
    int read = System.in.read();
    System.exit(read < 0 ? 0 : 1);
  }

  private static CompletionStage<BodyTarget> target(BulkOffer offer, boolean isFirst) {
    long pauseNs = isFirst && !offer.headers().isEmpty() ? PAUSE_NS : 0;
    return CompletableFuture.completedFuture(new ForgetfulTarget(pauseNs));
  }

  private record ForgetfulTarget(long pauseNs) implements BodyTarget {
    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (pauseNs > 0) {
        LockSupport.parkNanos(pauseNs);
      }
    }

    @Override
    public void complete() {
      // A target that keeps no bytes has no work here.
    }

    @Override
    public void abort(Throwable cause) {
      // A target that keeps no bytes has no work here.
    }
  }
}
