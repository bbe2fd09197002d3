package io.millrace.engine;

import io.millrace.path.packet.PeerIncarnation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that a node shares with its peers, by the id that packets bear: whose each is, and
 * which worker opens packets under it. The secrets themselves stay with their paths, and so do the
 * keys; this is how the rest of the node finds them. Bounded by the number of paths: an entry goes
 * with its path. Any thread; control plane.
 */
final class PathSecrets {
  /** In the order of {@link #offerOldest}. */
  private final Map<Long, Holder> holders = new LinkedHashMap<>();

  /**
   * Who has a secret.
   *
   * @param peer the life of the peer that has it, too
   * @param worker the worker that opens packets under it
   * @param pathId the id that the path had first
   */
  record Holder(PeerIncarnation peer, int worker, long pathId) {}

  /** A worker opens packets under this secret. */
  synchronized void add(long wireId, Holder holder) {
    holders.put(wireId, holder);
  }

  /** No worker does any more. */
  synchronized void remove(long wireId) {
    holders.remove(wireId);
  }

  /** Who has the secret of this id, or null. */
  synchronized @Nullable Holder find(long wireId) {
    return holders.get(wireId);
  }

  /**
   * Gives {@code each} up to {@code most} secrets, those first that were given longest ago, and
   * puts them behind all others.
   */
  synchronized void offerOldest(int most, Consumer<Map.Entry<Long, Holder>> each) {
    for (int i = Math.min(most, holders.size()); i > 0; i--) {
      Map.Entry<Long, Holder> oldest = holders.entrySet().iterator().next();
      Map.Entry<Long, Holder> copy = Map.entry(oldest.getKey(), oldest.getValue());
      holders.remove(copy.getKey());
      holders.put(copy.getKey(), copy.getValue());
      each.accept(copy);
    }
  }

  /** How many there are. */
  synchronized int size() {
    return holders.size();
  }
}
