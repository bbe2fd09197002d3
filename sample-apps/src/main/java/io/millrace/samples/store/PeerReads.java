package io.millrace.samples.store;

import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.samples.store.StoreRoutes.Complete;
import io.millrace.samples.store.StoreRoutes.Request;
import io.millrace.samples.store.StoreRoutes.Session;
import io.millrace.transfer.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Reads from other daemons: claims a source, reads what is missing, ends the claim whatever
 * happened, and goes on with the next source. A source that failed this load is not asked again by
 * it. Blocks its thread.
 */
final class PeerReads {
  private static final Duration LEAST_DEADLINE = Duration.ofSeconds(30);
  private static final int BULK_PRIORITY = 5;

  private final Transport transport;
  private final CoordinatorClient coordinator;
  private final Patience patience;
  private final Set<String> claims = ConcurrentHashMap.newKeySet();

  /** Waits between two tries for a source. */
  interface Patience {
    /** Waits a little; false when so many waits are enough. */
    boolean waited(int times) throws InterruptedException;

    /** Waits this step between tries until the limit is over. */
    static Patience of(Duration step, Duration limit) {
      return times -> {
        if (step.multipliedBy(times + 1L).compareTo(limit) > 0) {
          return false;
        }
        return !new CountDownLatch(1).await(step.toNanos(), TimeUnit.NANOSECONDS);
      };
    }
  }

  PeerReads(Transport transport, CoordinatorClient coordinator, Patience patience) {
    this.transport = transport;
    this.coordinator = coordinator;
    this.patience = patience;
  }

  /** Claims under way, for heartbeats. */
  List<String> claims() {
    return List.copyOf(claims);
  }

  /** See {@link Sources#fromPeers}. */
  void read(LoadJob job, ArrivingBytes arriving, boolean mayWait)
      throws StoreException, InterruptedException {
    List<String> notFrom = new ArrayList<>();
    int waits = 0;
    while (!arriving.isComplete() && notFrom.size() < ClaimTable.MOST_EXCLUDED) {
      Optional<Session> claimed =
          coordinator.request(
              new Request(job.id().artifact(), transport.address(), List.copyOf(notFrom)), mayWait);
      if (claimed.isPresent()) {
        use(claimed.get(), job, arriving, notFrom);
      } else if (mayWait && patience.waited(waits)) {
        waits++;
      } else {
        return;
      }
    }
  }

  private void use(Session session, LoadJob job, ArrivingBytes arriving, List<String> notFrom)
      throws InterruptedException {
    long before = arriving.arrived();
    boolean isCorrupt = false;
    claims.add(session.transport());
    try {
      // A route to oneself is a stale one.
      boolean isGood = !session.daemon().equals(transport.address());
      while (isGood && !arriving.isComplete()) {
        ArrivingBytes.Arrival arrival = arriving.begin();
        isGood = isRead(session, job, arriving, arrival) || arrival.isMixed();
        isCorrupt = arrival.isCorrupt();
      }
      if (!isGood) {
        notFrom.add(session.daemon());
      }
    } finally {
      claims.remove(session.transport());
      if (arriving.arrived() > before) {
        job.onSource(session.daemon());
      }
      end(session, isCorrupt);
    }
  }

  /** Reads one range as far as this source has it; false if it has not, or it failed. */
  private boolean isRead(
      Session session, LoadJob job, ArrivingBytes arriving, ArrivingBytes.Arrival arrival)
      throws InterruptedException {
    long from = arriving.arrived();
    long length = session.ranges().contiguousFrom(from);
    if (length == 0) {
      return false;
    }
    KeyedRanges.Slice slice = session.ranges().slices(from, length).getFirst();
    TransferOptions options =
        TransferOptions.DEFAULTS
            .withPriority(BULK_PRIORITY)
            .withDeadline(deadline(slice.length()))
            .withHeaders(headers(job.id().artifact(), slice));
    var read = transport.peer(session.daemon()).bulkRead(StoreRoutes.READ, arrival, options);
    try {
      read.get();
      return arriving.arrived() == from + slice.length();
    } catch (ExecutionException e) {
      arrival.ended().join();
      return false;
    } catch (InterruptedException e) {
      // Nothing may arrive any more in what the load gives back next.
      read.cancel(true);
      arrival.ended().join();
      throw e;
    }
  }

  /** Half a minute, and a second for each MiB: a source that stands still is left for another. */
  static Duration deadline(long lengthBytes) {
    return LEAST_DEADLINE.plusSeconds(lengthBytes >> 20);
  }

  static Headers headers(String artifact, KeyedRanges.Slice slice) {
    return Headers.of(StoreRoutes.ARTIFACT, artifact)
        .with(StoreRoutes.KEY, slice.key())
        .with(StoreRoutes.OFFSET, Long.toString(slice.offsetInKey()))
        .with(StoreRoutes.LENGTH, Long.toString(slice.length()));
  }

  /** A claim whose end cannot be told ends by itself. */
  private void end(Session session, boolean isCorrupt) throws InterruptedException {
    try {
      coordinator.complete(new Complete(session.transport(), isCorrupt));
    } catch (StoreException e) {
      claims.remove(session.transport());
    }
  }
}
