package io.millrace.api;

import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.RetryPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.util.ByteString;

/**
 * A node of {@link KilledProcessRetriesTest}. The caller makes 1,000 calls a second to the two
 * other nodes by turns, each second call on an idempotent route. The other nodes write the number
 * of each executed call to a file, which survives the death of its writer.
 *
 * @param directory of the files
 */
record RetryingNode(String directory) implements NodeProgram {
  static final String CALLER = "caller";
  static final String KEPT = "kept";
  static final String DOOMED = "doomed";
  static final String IN_THE_MIDDLE = "calls in the middle";
  static final int CALLS = 1_500;

  /** The times of a machine of the node's own: the load is short. */
  private static final String QUICK =
      "millrace.recovery { probe-period = 100 ms, fail-after = 750 ms, silence = 150 ms }";

  private static final int KILLED_AT = 400;
  private static final long PERIOD_NS = 1_000_000;
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final TransferOptions WITHIN = TransferOptions.DEFAULTS.withDeadline(DEADLINE);
  private static final Route<ByteString, ByteString> ONCE =
      Route.bytes("once").withRetry(RetryPolicy.DEFAULTS);
  private static final Route<ByteString, ByteString> AGAIN = Route.bytes("again").idempotent();

  @Override
  public void run(NodeHandle self) throws Exception {
    try (Transport transport = Transport.start(TwoNodes.settings(QUICK))) {
      if (self.name().equals(CALLER)) {
        Peer kept = transport.peer(self.await(KEPT));
        Peer doomed = transport.peer(self.await(DOOMED));
        kept.connect().get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        doomed.connect().get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        self.result(new Load(kept, doomed).run(self));
      } else {
        serve(transport, self);
      }
    }
  }

  private void serve(Transport transport, NodeHandle self) throws Exception {
    try (FileChannel executed =
        FileChannel.open(
            Path.of(directory, self.name()),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND)) {
      for (Route<ByteString, ByteString> route : List.of(ONCE, AGAIN)) {
        transport.serve(route, request -> executed(request, executed));
      }
      self.publish(self.name(), transport.address());
      self.awaitStop();
    }
  }

  private static CompletableFuture<ByteString> executed(ByteString request, FileChannel to) {
    try {
      to.write(request.asByteBuffer());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return CompletableFuture.completedFuture(request);
  }

  /** The calls and their results. */
  private static final class Load {
    private final Peer doomed;
    private final List<Peer> peers;
    private final List<CompletableFuture<ByteString>> calls = new ArrayList<>();

    Load(Peer kept, Peer doomed) {
      this.doomed = doomed;
      peers = List.of(kept.withFallbacks(List.of(doomed)), doomed.withFallbacks(List.of(kept)));
    }

    /** The calls at the even numbers are idempotent; two of four calls go to each node. */
    private static Route<ByteString, ByteString> route(int id) {
      return id % 2 == 0 ? AGAIN : ONCE;
    }

    private int openOnce() {
      int open = 0;
      for (int id = 3; id < calls.size(); id += 4) {
        open += calls.get(id).isDone() ? 0 : 1;
      }
      return open;
    }

    String run(NodeHandle self) throws Exception {

      int open = 0;
      long startNs = System.nanoTime();
      for (int id = 0; id < CALLS; id++) {
        if (id == KILLED_AT) {
          self.publish(IN_THE_MIDDLE, "");
        }
        byte[] request = ByteBuffer.allocate(Integer.BYTES).putInt(id).array();
        calls.add(peers.get(id / 2 % 2).unary(route(id), ByteString.fromArray(request), WITHIN));
        int before = doomed.health().state().takesCalls() ? openOnce() : 0;
        open = Math.max(open, before);
        long nextNs = startNs + (id + 1) * PERIOD_NS;
        while (nextNs - System.nanoTime() > 0) {
          LockSupport.parkNanos(nextNs - System.nanoTime());
        }
      }
      CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
          .handle((_, _) -> "")
          .get(2 * DEADLINE.toSeconds(), TimeUnit.SECONDS);
      return result(open);
    }

    private String result(int open) {
      int[] failed = new int[2];
      int known = 0;
      int attempts = 0;
      for (int id = 0; id < CALLS; id++) {
        CompletableFuture<ByteString> call = calls.get(id);
        if (call.isCompletedExceptionally()) {
          CallException failure = (CallException) call.exceptionNow();
          failed[id % 2]++;
          known += failure.wasExecuted() == CallOutcome.Execution.UNKNOWN ? 0 : 1;
          attempts = Math.max(attempts, failure.attempts());
        }
      }
      return failed[0] + " " + failed[1] + " " + known + " " + open + " " + attempts;
    }
  }
}
