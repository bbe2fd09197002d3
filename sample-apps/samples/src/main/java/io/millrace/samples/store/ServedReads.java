package io.millrace.samples.store;

import io.millrace.api.bulk.BulkOffer;
import io.millrace.body.ForwardingSource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.Headers;
import io.millrace.transfer.LentBytes;
import io.millrace.transfer.OverloadedException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives parts of replicas to any reader that asks by key. The coordinator's claims keep the crowd
 * away; a limit here holds even when claims have expired during their reads.
 */
final class ServedReads {
  private final LocalReplicas replicas;
  private final Semaphore free;
  private final AtomicLong servedBytes = new AtomicLong();
  private volatile LongConsumer onServed = _ -> {};

  ServedReads(LocalReplicas replicas, int mostOpen) {
    this.replicas = replicas;
    free = new Semaphore(mostOpen);
  }

  /** Returns the number of payload bytes read from this daemon. */
  long servedBytes() {
    return servedBytes.get();
  }

  /** Tells the number of bytes served so far, after each read and on the reading thread. */
  void onServed(LongConsumer told) {
    onServed = told;
  }

  private void served(int bytes) {
    onServed.accept(servedBytes.addAndGet(bytes));
  }

  CompletionStage<BodySource> open(BulkOffer offer) throws IOException {
    Headers headers = offer.headers();
    Replica replica =
        replicas
            .byKey(text(headers, StoreRoutes.ARTIFACT), text(headers, StoreRoutes.KEY))
            .orElseThrow(StoreException::gone);
    long offset = number(headers, StoreRoutes.OFFSET);
    long length = number(headers, StoreRoutes.LENGTH);
    if (offset < 0 || length < 0 || length > replica.manifest().sizeBytes() - offset) {
      throw new StoreException("the key has no " + length + " bytes at " + offset);
    }
    if (!free.tryAcquire()) {
      throw new OverloadedException("this daemon serves as many reads as it may");
    }
    try {
      return CompletableFuture.completedFuture(
          new OpenRead(replica.bytes().source(offset, length)));
    } catch (IOException | RuntimeException | Error e) {
      free.release();
      throw e;
    }
  }

  private static String text(Headers headers, String name) throws StoreException {
    return headers
        .text(name)
        .orElseThrow(() -> new StoreException("the header '" + name + "' is missing"));
  }

  private static long number(Headers headers, String name) throws StoreException {
    String text = text(headers, name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new StoreException("the header '" + name + "' is no number", e);
    }
  }

  /** Counts the bytes, and frees its place when closed. */
  private final class OpenRead extends ForwardingSource {
    private final AtomicBoolean isOpen = new AtomicBoolean(true);

    OpenRead(BodySource source) {
      super(source);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      served(Math.max(0, read));
      return read;
    }

    @Override
    public @Nullable LentBytes lend(int most) throws IOException {
      LentBytes lent = super.lend(most);
      served(lent == null ? 0 : lent.length());
      return lent;
    }

    @Override
    public void close() {
      if (isOpen.compareAndSet(true, false)) {
        try {
          super.close();
        } finally {
          free.release();
        }
      }
    }
  }
}
