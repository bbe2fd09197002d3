package io.millrace.api.actor;

import io.millrace.api.Peer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The peers that commands name, so that the address of each is looked up once and not with each
 * command. Keeps those that were named last, {@value #MOST} at most. Its actor's.
 */
final class NamedPeers {
  static final int MOST = 4_096;
  private static final float USUAL_LOAD = 0.75f;

  private final Function<String, Peer> lookup;
  private final Map<String, Peer> byAddress =
      new LinkedHashMap<>(16, USUAL_LOAD, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Peer> eldest) {
          return size() > MOST;
        }
      };

  NamedPeers(Function<String, Peer> lookup) {
    this.lookup = lookup;
  }

  /** The peer of this address; throws what the lookup throws. */
  Peer peer(String address) {
    Peer known = byAddress.get(address);
    if (known == null) {
      known = lookup.apply(address);
      byAddress.put(address, known);
    }
    return known;
  }
}
