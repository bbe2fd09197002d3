package io.millrace.samples.store;

import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.samples.store.StoreRoutes.Complete;
import io.millrace.samples.store.StoreRoutes.Request;
import io.millrace.samples.store.StoreRoutes.Session;
import io.millrace.transfer.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Reads from other daemons: claims a source, reads the missing bytes, ends the claim in any case,
 * and goes on with the next source. A source that failed this load is not asked again by the same
 * load. A source with a replica evicted between claim and read is asked once more: the replica may
 * have been loaded again. Blocks its thread.
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
    /** Waits a little; returns false after enough waits. */
    boolean waited(int times) throws InterruptedException;

    /** Returns a patience that waits this step between tries until the limit is over. */
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

  /** Returns the claims under way, for heartbeats. */
  List<String> claims() {
    return List.copyOf(claims);
  }

  /** See {@link Sources#fromPeers}. */
  void read(LoadJob job, ArrivingBytes arriving, boolean mayWait)
      throws StoreException, InterruptedException {
    List<String> notFrom = new ArrayList<>();
    Set<String> evicted = new HashSet<>();
    int waits = 0;
    while (!arriving.isComplete() && notFrom.size() < ClaimTable.MOST_EXCLUDED) {
      Optional<Session> claimed =
          coordinator.request(
              new Request(job.id().artifact(), transport.address(), List.copyOf(notFrom)), mayWait);
      if (claimed.isPresent()) {
        Session session = claimed.get();
        Read read = use(session, job, arriving);
        if (read == Read.FAILED || read == Read.GONE && !evicted.add(session.daemon())) {
          notFrom.add(session.daemon());
        }
      } else if (mayWait && patience.waited(waits)) {
        waits++;
      } else {
        return;
      }
    }
  }

  /** The end of a read from a source. */
  private enum Read {
    GOOD,
    FAILED,
    GONE
  }

  private Read use(Session session, LoadJob job, ArrivingBytes arriving)
      throws InterruptedException {
    long before = arriving.arrived();
    boolean isCorrupt = false;
    claims.add(session.transport());
    try {
      // A route to this daemon itself is stale.
      Read read = session.daemon().equals(transport.address()) ? Read.FAILED : Read.GOOD;
      while (read == Read.GOOD && !arriving.isComplete()) {
        ArrivingBytes.Arrival arrival = arriving.begin();
        read = read(session, job, arriving, arrival);
        if (arrival.isMixed()) {
          read = Read.GOOD;
        }
        isCorrupt = arrival.isCorrupt();
      }
      return read;
    } finally {
      claims.remove(session.transport());
      if (arriving.arrived() > before) {
        job.onSource(session.daemon());
      }
      end(session, isCorrupt);
    }
  }

  /**
   * Reads a range, as far as this source has the bytes; a source without the first byte has failed.
   */
  private Read read(
      Session session, LoadJob job, ArrivingBytes arriving, ArrivingBytes.Arrival arrival)
      throws InterruptedException {
    long from = arriving.arrived();
    long length = session.ranges().contiguousFrom(from);
    if (length == 0) {
      return Read.FAILED;
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
      return arriving.arrived() == from + slice.length() ? Read.GOOD : Read.FAILED;
    } catch (ExecutionException e) {
      arrival.ended().join();
      return StoreException.isGone(e) ? Read.GONE : Read.FAILED;
    } catch (InterruptedException e) {
      // The load gives its memory back next: no more bytes may arrive there.
      read.cancel(true);
      arrival.ended().join();
      throw e;
    }
  }

  /**
   * Returns half a minute, and a second for each MiB: a source that stands still is left for
   * another source.
   */
  static Duration deadline(long lengthBytes) {
    return LEAST_DEADLINE.plusSeconds(lengthBytes >> 20);
  }

  static Headers headers(String artifact, KeyedRanges.Slice slice) {
    return Headers.of(StoreRoutes.ARTIFACT, artifact)
        .with(StoreRoutes.KEY, slice.key())
        .with(StoreRoutes.OFFSET, Long.toString(slice.offsetInKey()))
        .with(StoreRoutes.LENGTH, Long.toString(slice.length()));
  }

  /** A claim ends by itself if its end cannot be told. */
  private void end(Session session, boolean isCorrupt) throws InterruptedException {
    try {
      coordinator.complete(new Complete(session.transport(), isCorrupt));
    } catch (StoreException e) {
      claims.remove(session.transport());
    }
  }
}
