package io.millrace.engine;

import io.millrace.path.packet.PeerIncarnation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that a node shares with its peers, by the id in packets: the holder of each secret,
 * and the worker that opens packets under the secret. The secrets themselves stay with their paths,
 * and so do the keys; through this table the rest of the node finds the secrets' holders. Bounded
 * by the number of paths: an entry goes with its path. Any thread; control plane.
 */
final class PathSecrets {
  /** In the order of {@link #offerOldest}. */
  private final Map<Long, Holder> holders = new LinkedHashMap<>();

  /**
   * The holder of a secret.
   *
   * @param peer the life of the peer that shares the secret
   * @param worker the worker that opens packets under the secret
   * @param pathId the first id of the path
   */
  record Holder(PeerIncarnation peer, int worker, long pathId) {}

  /** A worker opens packets under this secret. */
  synchronized void add(long wireId, Holder holder) {
    holders.put(wireId, holder);
  }

  /** No worker opens packets under this secret any more. */
  synchronized void remove(long wireId) {
    holders.remove(wireId);
  }

  /** The holder of the secret of this id, or null. */
  synchronized @Nullable Holder find(long wireId) {
    return holders.get(wireId);
  }

  /**
   * Gives {@code each} up to {@code most} secrets, the secrets given longest ago first, and puts
   * these secrets behind all others.
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

  /** The number of secrets. */
  synchronized int size() {
    return holders.size();
  }
}
