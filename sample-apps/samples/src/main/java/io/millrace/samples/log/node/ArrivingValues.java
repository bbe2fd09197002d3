package io.millrace.samples.log.node;

import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.samples.log.core.SizeLimits;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Large proposals received by bulk, until the call that has the proposal accepted. The oldest
 * proposals are forgotten beyond a bound: their leader proposes these values again. Any thread.
 */
final class ArrivingValues {
  private static final int MOST_VALUES = 64;
  private static final int LARGEST_BYTES = SizeLimits.MOST_OPERATION + 64 * 1024;

  /** The limit of the bytes of all values here. */
  private static final long MOST_BYTES = SizeLimits.MOST_OPEN;

  private record Key(long round, int replica, long slot) {
    static Key of(Chosen which) {
      return new Key(which.ballot().round(), which.ballot().replica(), which.slot());
    }
  }

  private final Map<Key, Accept> arrived = new LinkedHashMap<>();
  private long arrivedBytes;

  /** Returns the target of a proposal's bytes. */
  CompletionStage<BodyTarget> accept(BulkOffer offer) {
    if (offer.lengthBytes() < 0 || offer.lengthBytes() > LARGEST_BYTES) {
      throw new IllegalArgumentException("a proposal has not " + offer.lengthBytes() + " bytes");
    }
    return CompletableFuture.completedFuture(new Target(new byte[(int) offer.lengthBytes()]));
  }

  private synchronized void add(Accept accept) {
    Chosen which = new Chosen(accept.entry().ballot(), accept.entry().slot(), 0);
    remove(Key.of(which));
    arrived.put(Key.of(which), accept);
    arrivedBytes += accept.entry().value().size();
    while (arrived.size() > MOST_VALUES || arrivedBytes > MOST_BYTES) {
      remove(arrived.keySet().iterator().next());
    }
  }

  /** Removes and returns a proposal that has arrived. */
  synchronized @Nullable Accept take(Chosen which) {
    return remove(Key.of(which));
  }

  private @Nullable Accept remove(Key key) {
    Accept removed = arrived.remove(key);
    if (removed != null) {
      arrivedBytes -= removed.entry().value().size();
    }
    return removed;
  }

  private final class Target implements BodyTarget {
    private final byte[] bytes;
    private final BodyTarget into;

    private Target(byte[] bytes) {
      this.bytes = bytes;
      into = BulkTarget.into(bytes);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      into.write(from, offset, length);
    }

    @Override
    public void complete() throws IOException {
      into.complete();
      add(Accept.decode(ByteString.fromArrayUnsafe(bytes)));
    }

    @Override
    public void abort(Throwable cause) {
      into.abort(cause);
    }
  }
}
