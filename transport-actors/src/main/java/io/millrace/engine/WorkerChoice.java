package io.millrace.engine;

import java.util.function.IntToLongFunction;
import org.agrona.collections.Hashing;

/**
 * Decides which worker a new peer gets. The peer's address gives two different workers, and the
 * peer gets the less loaded of both; of equally loaded workers the worker with fewer peers. Load is
 * the number of bytes that wait or are on their way. A worker with its NIC down comes last, a
 * stopped worker only if all workers have stopped. Decisions stay: nothing here moves a peer. Owned
 * by the peer directory, under the directory's lock.
 */
final class WorkerChoice {
  /** No worker. */
  static final int NONE = -1;

  /** Loads that differ by less count as equal: a train or so, which is gone in a moment. */
  private static final int LOAD_SHIFT = 16;

  private final IntToLongFunction loadBytes;
  private final int[] peers;
  private final boolean[] stopped;

  /** Workers with their own NIC down: these workers have other ways, but not for new peers. */
  private final boolean[] down;

  private int turn;

  /**
   * This number of workers, all up.
   *
   * @param loadBytes the load of each, now
   */
  WorkerChoice(int workers, IntToLongFunction loadBytes) {
    this.loadBytes = loadBytes;
    peers = new int[workers];
    stopped = new boolean[workers];
    down = new boolean[workers];
  }

  /** A worker has a peer more or fewer. */
  void onPeer(int worker, int change) {
    peers[worker] += change;
  }

  void onStopped(int worker) {
    stopped[worker] = true;
  }

  void onNic(int worker, boolean isUp) {
    down[worker] = !isUp;
  }

  boolean isStopped(int worker) {
    return stopped[worker];
  }

  /** Whether the number is a worker that has not stopped and has its NIC up. */
  boolean isUsable(int worker) {
    return worker != NONE && !stopped[worker] && !down[worker];
  }

  boolean hasWorker() {
    for (boolean each : stopped) {
      if (!each) {
        return true;
      }
    }
    return false;
  }

  /** The worker for a peer that this node calls. */
  int forPeer(String identity) {
    int workers = peers.length;
    if (workers == 1) {
      return 0;
    }
    int hash = Hashing.hash(identity.hashCode());
    int first = Math.floorMod(hash, workers);
    // Certainly another worker, so that no peer has to take a worker that is overloaded or down.
    int second = (first + 1 + Math.floorMod(Hashing.hash(hash), workers - 1)) % workers;
    int chosen = isBetter(second, first) ? second : first;
    return isUsable(chosen) ? chosen : forCaller();
  }

  /** The least loaded worker; equally loaded workers take turns, as many peers may call at once. */
  int forCaller() {
    int workers = peers.length;
    turn = (turn + 1) % workers;
    int least = turn;
    for (int i = 1; i < workers; i++) {
      int worker = (turn + i) % workers;
      if (isBetter(worker, least)) {
        least = worker;
      }
    }
    return least;
  }

  private boolean isBetter(int worker, int than) {
    if (stopped[worker] != stopped[than]) {
      return stopped[than];
    }
    if (down[worker] != down[than]) {
      return down[than];
    }
    long load = loadBytes.applyAsLong(worker) >>> LOAD_SHIFT;
    long other = loadBytes.applyAsLong(than) >>> LOAD_SHIFT;
    return load == other ? peers[worker] < peers[than] : load < other;
  }
}
