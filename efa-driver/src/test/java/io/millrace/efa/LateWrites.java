package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static io.millrace.driver.CompletionHandler.STATUS_REMOTE_ACCESS;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * A writer that goes on writing with the key of a region after the revocation, on the thread of the
 * region's owner: the order of all calls follows from the seed.
 */
final class LateWrites implements AutoCloseable {
  private static final int LONGEST_BYTES = 48 << 10;

  /** Providers of shared memory copy messages up to this length at the post. */
  private static final int SHORT_BYTES = 4_096;

  private static final int MOST_WRITES = 24;
  private static final long PATIENCE_NS = 20_000_000_000L;

  /** Turns for the owner to see writes that never end. */
  private static final int TURNS_WITHOUT_END = 300;

  /** A write posted before the revocation. */
  private static final long EARLY = 1;

  /** A write posted after the revocation. */
  private static final long LATE = 2;

  /** A write with the key of a grant that is valid. */
  private static final long VALID = 3;

  private final Arena arena = Arena.ofShared();
  private final RegionHandover region;
  private final boolean endsStale;
  private final Random random;
  private final Peer former;
  private final int toOwner;
  private final MemoryRegion source;
  private final Tally tally = new Tally();
  private int earlyPosted;
  private int latePosted;
  private int mostBytes;

  /** The writes so far. */
  static final class Tally {
    /** Writes posted after the revocation of their key. */
    long late;

    /** Late writes that the target refused for the key. */
    long refused;

    /** Late writes that failed otherwise, for example with the connection. */
    long failed;

    /** Writes posted before the revocation that did not end well: late at the target. */
    long overtaken;

    @Override
    public String toString() {
      return "%d late writes: %d refused, %d failed; of earlier writes %d were late, too"
          .formatted(late, refused, failed, overtaken);
    }
  }

  /**
   * Opens all endpoints.
   *
   * @param endsStale whether the provider ends writes with a revoked key
   */
  LateWrites(String provider, boolean endsStale, Random random) throws DriverException {
    this.endsStale = endsStale;
    this.random = random;
    region = new RegionHandover(provider, random);
    former = Peer.open(provider);
    toOwner = former.resolve(region.owner);
    MemorySegment bytes = arena.allocate(LONGEST_BYTES, 4_096).fill((byte) 0xEE);
    source = former.endpoint.remoteMemory().register(bytes, false);
  }

  Tally tally() {
    return tally;
  }

  /** Takes the region from the former writer, and gives it to the next writer. */
  void pass() throws DriverException {
    mostBytes = random.nextInt(4) == 0 ? LONGEST_BYTES : SHORT_BYTES;
    MemoryRegion granted = region.grant();
    reachAgain(granted);
    earlyPosted = post(granted, EARLY);
    turn(random.nextInt(8));
    region.revoke(granted);
    latePosted = random.nextBoolean() ? post(granted, LATE) : 0;
    // a write that the target has begun to take before the revocation may go on
    awaitEnds(EARLY, earlyPosted);
    MemoryRegion renewed = region.handOver(former);
    region.assertIntact();
    latePosted += post(granted, LATE);
    awaitEnds(LATE, latePosted);
    region.assertIntact();
    region.revoke(renewed);
    count();
  }

  /** The former writer writes with a valid key; after a lost connection, again and again. */
  private void reachAgain(MemoryRegion granted) {
    RemoteWrite write = Peer.write(source, SHORT_BYTES, granted, 0);
    long startNs = System.nanoTime();
    do {
      former.writes.clear();
      assertTrue(System.nanoTime() - startNs < PATIENCE_NS, "the owner is out of reach");
      assertTrue(former.write(toOwner, write, VALID, region.owner), "no write was taken");
    } while (former.awaitWrite(VALID, region.owner, region.next) != STATUS_OK);
    former.writes.clear();
  }

  /** Posts writes with this key, with hardly a poll in between, and returns their number. */
  private int post(MemoryRegion granted, long context) {
    int wanted = 1 + random.nextInt(MOST_WRITES);
    int posted = 0;
    for (int i = 0; i < wanted; i++) {
      int length = 1 + random.nextInt(mostBytes);
      int offset = random.nextInt(RegionHandover.REGION_BYTES - length + 1);
      RemoteWrite write = Peer.write(source, length, granted, offset);
      if (former.endpoint.remoteMemory().postWrite(toOwner, write, context)) {
        posted++;
      }
      turn(random.nextInt(2));
    }
    return posted;
  }

  private void awaitEnds(long context, int posted) {
    if (!endsStale) {
      turn(TURNS_WITHOUT_END);
    } else if (!Peer.turnUntil(() -> ended(context) == posted, region.owner, former, region.next)) {
      throw new AssertionError("writes never ended");
    }
  }

  private int ended(long context) {
    int ended = 0;
    for (Peer.Completion completion : former.writes) {
      ended += completion.context() == context ? 1 : 0;
    }
    return ended;
  }

  private void turn(int turns) {
    for (int i = 0; i < turns; i++) {
      region.owner.endpoint.poll(region.owner, 64);
      former.endpoint.poll(former, 64);
      region.next.endpoint.poll(region.next, 64);
    }
  }

  private void count() {
    tally.late += latePosted;
    tally.overtaken += earlyPosted;
    for (Peer.Completion completion : former.writes) {
      int status = completion.status();
      if (completion.context() == EARLY) {
        tally.overtaken -= status == STATUS_OK ? 1 : 0;
      } else {
        assertTrue(status != STATUS_OK, "a late write was reported as written");
        tally.refused += status == STATUS_REMOTE_ACCESS ? 1 : 0;
        tally.failed += status == STATUS_REMOTE_ACCESS ? 0 : 1;
      }
    }
    former.writes.clear();
    former.unreachable.clear();
  }

  @Override
  public void close() {
    former.close();
    region.close();
    arena.close();
  }
}
