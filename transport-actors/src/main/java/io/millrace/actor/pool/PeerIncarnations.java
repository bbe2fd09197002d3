package io.millrace.actor.pool;

import io.millrace.actor.peer.PeerIncarnation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which life of each peer is the newest that proved itself to this node, and which workers may
 * still have paths to the one before; rule L-3. What a handshake settled with a new life waits here
 * until no worker has.
 *
 * <p>Incarnations are random, so their order is that of proofs: a life is newer than another if its
 * handshake began here after the first one of the other had ended. An {@link #epoch} counts those
 * ends. The newest lives of as many peers are remembered as there may be peers, and of each a few
 * lives before. Any thread; control plane.
 *
 * @param <T> what waits
 */
final class PeerIncarnations<T> {
  private static final int FORMER_LIVES = 8;

  private final int workers;
  private final int peerLimit;
  private final BitSet ended = new BitSet();

  /** By the name that a peer gives itself, the one that was longest not asked for first. */
  private final Map<String, Known<T>> peers = new LinkedHashMap<>(16, 0.75f, true);

  private long epoch;

  /** No peer that was forgotten had proved itself after this; 0 while none was. */
  private long forgottenEpoch;

  /** What becomes of a path that a handshake settled. */
  enum Decision {
    /** It may be opened. */
    OPEN,
    /** It waits; the workers were told to fence before. */
    WAIT,
    /** It waits; all workers are to be told to fence. */
    FENCE,
    /** It may be to an earlier life: only a handshake that begins now can tell. */
    DOUBTFUL,
    /** It is to an earlier life. */
    FORMER
  }

  private static final class Known<T> {
    private final List<Long> former = new ArrayList<>();
    private final BitSet unfenced = new BitSet();
    private final List<T> waiting = new ArrayList<>();
    private long incarnation;
    private long sinceEpoch;

    private List<T> pollFenced() {
      if (!unfenced.isEmpty()) {
        return List.of();
      }
      List<T> polled = List.copyOf(waiting);
      waiting.clear();
      return polled;
    }
  }

  /** Nobody is known; there are so many workers, and at most so many peers at a time. */
  PeerIncarnations(int workers, int peerLimit) {
    this.workers = workers;
    this.peerLimit = peerLimit;
  }

  /** How many lives have proved themselves as the newest of their peers. */
  synchronized long epoch() {
    return epoch;
  }

  /** Whether this is the newest life of its peer. */
  synchronized boolean isNewest(PeerIncarnation peer) {
    Known<T> known = peers.get(peer.identity());
    return known != null && known.incarnation == peer.incarnation();
  }

  /**
   * A handshake ended well.
   *
   * @param begunEpoch the epoch when it began
   * @param opening is kept if it has to wait
   */
  synchronized Decision admit(PeerIncarnation peer, long begunEpoch, T opening) {
    Known<T> known = peers.get(peer.identity());
    if (known == null) {
      return admitUnknown(peer, begunEpoch, opening);
    }
    if (known.incarnation == peer.incarnation()) {
      return known.unfenced.isEmpty() ? Decision.OPEN : keep(known, opening, Decision.WAIT);
    }
    if (known.former.contains(peer.incarnation())) {
      return Decision.FORMER;
    }
    if (begunEpoch < known.sinceEpoch) {
      return Decision.DOUBTFUL;
    }
    if (known.former.size() == FORMER_LIVES) {
      known.former.removeFirst();
    }
    known.former.add(known.incarnation);
    return fence(known, peer, opening);
  }

  private Decision admitUnknown(PeerIncarnation peer, long begunEpoch, T opening) {
    if (begunEpoch < forgottenEpoch) {
      return Decision.DOUBTFUL;
    }
    forgetBeyond(peerLimit - 1);
    Known<T> known = new Known<>();
    peers.put(peer.identity(), known);
    if (forgottenEpoch > 0) {
      return fence(known, peer, opening);
    }
    known.incarnation = peer.incarnation();
    known.sinceEpoch = ++epoch;
    return Decision.OPEN;
  }

  private Decision fence(Known<T> known, PeerIncarnation peer, T opening) {
    known.incarnation = peer.incarnation();
    known.sinceEpoch = ++epoch;
    known.unfenced.set(0, workers);
    known.unfenced.andNot(ended);
    return known.unfenced.isEmpty() ? Decision.OPEN : keep(known, opening, Decision.FENCE);
  }

  private Decision keep(Known<T> known, T opening, Decision decision) {
    known.waiting.add(opening);
    return decision;
  }

  private void forgetBeyond(int most) {
    Iterator<Known<T>> oldest = peers.values().iterator();
    while (peers.size() > most && oldest.hasNext()) {
      Known<T> known = oldest.next();
      if (known.unfenced.isEmpty()) {
        forgottenEpoch = Math.max(forgottenEpoch, known.sinceEpoch);
        oldest.remove();
      }
    }
  }

  /** A worker has no path to an earlier life of this peer; returns what need not wait any more. */
  synchronized List<T> onFenced(PeerIncarnation newest, int worker) {
    Known<T> known = peers.get(newest.identity());
    if (known == null || known.incarnation != newest.incarnation()) {
      return List.of();
    }
    known.unfenced.clear(worker);
    return known.pollFenced();
  }

  /** A worker has no path at all, for good; returns what need not wait any more. */
  synchronized List<T> onWorkerEnded(int worker) {
    ended.set(worker);
    List<T> polled = new ArrayList<>();
    for (Known<T> known : peers.values()) {
      known.unfenced.clear(worker);
      polled.addAll(known.pollFenced());
    }
    return polled;
  }

  /** Takes back what has waited for too long; false if it does not wait. */
  synchronized boolean giveUp(PeerIncarnation peer, T opening) {
    Known<T> known = peers.get(peer.identity());
    return known != null && known.waiting.remove(opening);
  }

  /** Takes back all that waits: the node has closed. */
  synchronized List<T> pollWaiting() {
    List<T> polled = new ArrayList<>();
    for (Known<T> known : peers.values()) {
      polled.addAll(known.waiting);
      known.waiting.clear();
    }
    return polled;
  }
}
