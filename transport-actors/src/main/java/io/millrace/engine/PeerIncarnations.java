package io.millrace.engine;

import io.millrace.path.packet.PeerIncarnation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The newest life of each peer that proved itself to this node, and the workers that may still have
 * paths to the life before; rule L-3. A path that a handshake settled with a new life waits here
 * until no worker has a path to the life before.
 *
 * <p>Incarnations are random, so the order of lives is the order of their proofs: a life is newer
 * than another if its handshake began here after the other's first handshake had ended. An {@link
 * #epoch} counts the ends of such handshakes. Peers with paths are remembered, other peers up to a
 * number; of each peer a few lives before the newest. Any thread; control plane.
 *
 * @param <T> the paths that wait
 */
final class PeerIncarnations<T> {
  private static final int FORMER_LIVES = 8;

  private final int workers;
  private final int peerLimit;
  private final BitSet ended = new BitSet();

  /** By the peer's own name, the longest unused first. */
  private final Map<String, Known<T>> peers = new LinkedHashMap<>(16, 0.75f, true);

  private long epoch;

  /** No forgotten peer had a life that proved itself first after this epoch. */
  private long forgottenEpoch;

  /** The decision on a path that a handshake settled. */
  enum Decision {
    /** The path may be opened. */
    OPEN,
    /** The path waits; the workers were told to fence before. */
    WAIT,
    /** The path waits; all workers are to be told to fence. */
    FENCE,
    /** The path may lead to an earlier life: only a handshake that begins now can tell. */
    DOUBTFUL,
    /** The path leads to an earlier life. */
    FORMER;

    /** Whether the path is counted until its end. */
    boolean isTaken() {
      return this == OPEN || this == WAIT || this == FENCE;
    }
  }

  private static final class Known<T> {
    private final List<Long> former = new ArrayList<>();
    private final BitSet unfenced = new BitSet();
    private final List<T> waiting = new ArrayList<>();
    private long incarnation;
    private long sinceEpoch;

    /** Paths that were taken and have not ended, to whichever life. */
    private int paths;

    private List<T> pollFenced() {
      if (!unfenced.isEmpty()) {
        return List.of();
      }
      List<T> polled = List.copyOf(waiting);
      waiting.clear();
      return polled;
    }
  }

  /** Nobody is known; the limit of peers is the usual maximum. */
  PeerIncarnations(int workers, int peerLimit) {
    this.workers = workers;
    this.peerLimit = peerLimit;
  }

  /** How many lives have proved themselves as the newest of their peers. */
  synchronized long epoch() {
    return epoch;
  }

  /** The number of remembered peers. */
  synchronized int size() {
    return peers.size();
  }

  /** Whether this is the newest life of its peer. */
  synchronized boolean isNewest(PeerIncarnation peer) {
    Known<T> known = peers.get(peer.identity());
    return known != null && known.incarnation == peer.incarnation();
  }

  /**
   * A handshake ended well. A taken path counts until {@link #onPathEnded}.
   *
   * @param begunEpoch the epoch at the handshake's begin
   * @param opening kept if the path has to wait
   */
  synchronized Decision admit(PeerIncarnation peer, long begunEpoch, T opening) {
    Known<T> known = peers.get(peer.identity());
    Decision decision = decide(known, peer, begunEpoch);
    if (!decision.isTaken()) {
      return decision;
    }
    if (known == null) {
      forgetBeyond(peerLimit - 1);
      known = new Known<>();
      peers.put(peer.identity(), known);
    }
    if (known.incarnation != peer.incarnation() || known.sinceEpoch == 0) {
      succeed(known, peer.incarnation());
    }
    known.paths++;
    if (known.unfenced.isEmpty()) {
      return Decision.OPEN;
    }
    known.waiting.add(opening);
    return decision;
  }

  private Decision decide(@Nullable Known<T> known, PeerIncarnation peer, long begunEpoch) {
    if (known == null) {
      return begunEpoch < forgottenEpoch ? Decision.DOUBTFUL : Decision.OPEN;
    }
    if (known.incarnation == peer.incarnation()) {
      return Decision.WAIT;
    }
    if (known.former.contains(peer.incarnation())) {
      return Decision.FORMER;
    }
    return begunEpoch < known.sinceEpoch ? Decision.DOUBTFUL : Decision.FENCE;
  }

  private void succeed(Known<T> known, long incarnation) {
    if (known.sinceEpoch != 0) {
      if (known.former.size() == FORMER_LIVES) {
        known.former.removeFirst();
      }
      known.former.add(known.incarnation);
    }
    known.incarnation = incarnation;
    known.sinceEpoch = ++epoch;
    known.unfenced.clear();
    if (known.paths > 0) {
      known.unfenced.set(0, workers);
      known.unfenced.andNot(ended);
    }
  }

  private void forgetBeyond(int most) {
    Iterator<Known<T>> oldest = peers.values().iterator();
    while (peers.size() > most && oldest.hasNext()) {
      Known<T> known = oldest.next();
      if (known.paths == 0) {
        forgottenEpoch = Math.max(forgottenEpoch, known.sinceEpoch);
        oldest.remove();
      }
    }
  }

  /** A path that was taken has ended, or is not opened after all. */
  synchronized void onPathEnded(PeerIncarnation peer) {
    Known<T> known = peers.get(peer.identity());
    if (known != null) {
      known.paths--;
    }
  }

  /**
   * A worker has no path to an earlier life of this peer; returns the paths that need not wait any
   * more.
   */
  synchronized List<T> onFenced(PeerIncarnation newest, int worker) {
    Known<T> known = peers.get(newest.identity());
    if (known == null || known.incarnation != newest.incarnation()) {
      return List.of();
    }
    known.unfenced.clear(worker);
    return known.pollFenced();
  }

  /** A worker has no path at all, for good; returns the paths that need not wait any more. */
  synchronized List<T> onWorkerEnded(int worker) {
    ended.set(worker);
    List<T> polled = new ArrayList<>();
    for (Known<T> known : peers.values()) {
      known.unfenced.clear(worker);
      polled.addAll(known.pollFenced());
    }
    return polled;
  }

  /**
   * Takes back a path that has waited for too long, which does not count then; false for a path
   * that does not wait.
   */
  synchronized boolean giveUp(PeerIncarnation peer, T opening) {
    Known<T> known = peers.get(peer.identity());
    if (known == null || !known.waiting.remove(opening)) {
      return false;
    }
    known.paths--;
    return true;
  }

  /** Takes back all waiting paths: the node has closed. */
  synchronized List<T> pollWaiting() {
    List<T> polled = new ArrayList<>();
    for (Known<T> known : peers.values()) {
      polled.addAll(known.waiting);
      known.waiting.clear();
    }
    return polled;
  }
}
