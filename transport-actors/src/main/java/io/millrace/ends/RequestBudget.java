package io.millrace.ends;

import io.millrace.protocol.transfer.FrameQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of the unanswered requests of peers at a node: the requests that wait for a handler and the
 * requests that handlers have, {@code millrace.limits.request-budget} in all. No peer has more
 * bytes than all peers leave free, so a peer that asks without end leaves room for the others. The
 * same holds for the places of requests in the executor's queue, for each priority. Rule C-9. Any
 * thread; does not allocate after a path has its share.
 */
public final class RequestBudget {
  /** The reason for refusing a request beyond its peer's share. */
  public static final String FULL =
      "requests that are not answered take all that millrace.limits.request-budget has for this"
          + " peer";

  private static final String QUEUE_FULL = "the executor's queue is full";

  /** A caller comes back when one of so many parts of the bytes may be free. */
  private static final int FREE_PART = 4;

  /** The cost of a request without bytes. */
  private static final int PER_REQUEST_BYTES = 256;

  private final long mostBytes;
  private final AtomicLong usedBytes = new AtomicLong();
  private final AtomicLong answeringBytes = new AtomicLong();

  /** All bytes ever given back. */
  private final LongAdder drainedBytes = new LongAdder();

  private final DrainRate drain = new DrainRate();
  private final ConcurrentHashMap<String, Share> shares = new ConcurrentHashMap<>();

  /** Creates a budget with all bytes free. */
  public RequestBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Bytes set aside, of all peers. */
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Bytes of answers that handlers have given and workers have not taken, of all peers. */
  public long answeringBytes() {
    return answeringBytes.get();
  }

  /**
   * The time after which a refused request may find room: in which a quarter of the requests is
   * answered at the present rate; rule C-11. To be asked at each refusal.
   *
   * @param nowNs the time of the worker's turn
   * @return ms, at least 1; 0 if the rate is not known yet
   */
  public int retryAfterMs(long nowNs) {
    return drain.timeMs(usedBytes.get() / FREE_PART, drainedBytes.sum(), nowNs);
  }

  /** The number of peers with a share now. */
  int shares() {
    return shares.size();
  }

  /**
   * A further path of a peer brings requests.
   *
   * @param peer the identity that counts as a single peer
   */
  public Share open(String peer) {
    return shares.compute(
        peer,
        (key, known) -> {
          Share share = known == null ? new Share(peer) : known;
          share.paths.incrementAndGet();
          return share;
        });
  }

  /** The bytes of the requests of one peer, over all its paths. Any thread. */
  public final class Share {
    private final String peer;
    private final AtomicInteger paths = new AtomicInteger();
    private final AtomicLong ownBytes = new AtomicLong();
    private final AtomicIntegerArray queued = new AtomicIntegerArray(FrameQueue.LEVELS);
    private final AtomicLong ownAnsweringBytes = new AtomicLong();

    private Share(String peer) {
      this.peer = peer;
    }

    /**
     * Sets memory aside for a request.
     *
     * @return bytes to be given back, or 0 without room
     */
    public long reserve(long contentBytes) {
      long bytes = PER_REQUEST_BYTES + contentBytes;
      long used = usedBytes.get();
      while (bytes <= mostBytes - used && ownBytes.get() <= mostBytes - used - bytes) {
        long seen = usedBytes.compareAndExchange(used, used + bytes);
        if (seen == used) {
          ownBytes.addAndGet(bytes);
          return bytes;
        }
        used = seen;
      }
      return 0;
    }

    /** As {@link #reserve}, for a request with several owners; null without room. */
    public @Nullable RequestHold hold(long contentBytes) {
      long bytes = reserve(contentBytes);
      return bytes == 0 ? null : new RequestHold(this, bytes);
    }

    /** Gives back reserved bytes. */
    public void giveBack(long bytes) {
      drainedBytes.add(bytes);
      usedBytes.addAndGet(-bytes);
      ownBytes.addAndGet(-bytes);
      forgetIfUnused();
    }

    /**
     * Hands a request over to the executor, where {@link #onTaken} follows.
     *
     * @return the reason of a refusal, or null
     */
    public @Nullable String handOver(ExecutorLane lane, LaneTask task) {
      int level = task.level();
      if (queued.getAndIncrement(level) <= lane.requestRoom(level) && lane.offer(task)) {
        return null;
      }
      queued.decrementAndGet(level);
      return QUEUE_FULL;
    }

    /** A request of this priority has left the executor's queue, to be run or refused. */
    public void onTaken(int priority) {
      queued.decrementAndGet(priority);
    }

    /**
     * A handler has given an answer that the worker has not taken yet; negative once the worker
     * has.
     */
    public void onAnswering(long bytes) {
      answeringBytes.addAndGet(bytes);
      ownAnsweringBytes.addAndGet(bytes);
    }

    /** The part of {@link RequestBudget#answeringBytes} for this peer. */
    public long ownAnsweringBytes() {
      return ownAnsweringBytes.get();
    }

    /** A path of the peer has ended. */
    public void close() {
      paths.decrementAndGet();
      forgetIfUnused();
    }

    private boolean isUnused() {
      return paths.get() == 0 && ownBytes.get() == 0;
    }

    private void forgetIfUnused() {
      if (isUnused()) {
        shares.computeIfPresent(peer, (key, known) -> known == this && isUnused() ? null : known);
      }
    }
  }
}
