package io.millrace.handshake;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** Numbers for the addresses that handshakes are under way to. Not thread-safe. */
final class AddressTokens {
  /** The token of addresses without a number. */
  static final long NONE = 0;

  private final Map<InetSocketAddress, Entry> byAddress = new HashMap<>();
  private final Long2ObjectHashMap<Entry> byToken = new Long2ObjectHashMap<>();
  private long last = NONE;

  private static final class Entry {
    private final InetSocketAddress address;
    private final long token;
    private int users;

    private Entry(InetSocketAddress address, long token) {
      this.address = address;
      this.token = token;
    }
  }

  /** The number of an address; to be released once for each acquisition. */
  long acquire(InetSocketAddress address) {
    Entry entry = byAddress.get(address);
    if (entry == null) {
      entry = new Entry(address, ++last);
      byAddress.put(address, entry);
      byToken.put(entry.token, entry);
    }
    entry.users++;
    return entry.token;
  }

  void release(long token) {
    Entry entry = byToken.get(token);
    if (entry != null && --entry.users == 0) {
      byToken.remove(token);
      byAddress.remove(entry.address);
    }
  }

  /** The number of an address, or {@link #NONE}. */
  long find(InetSocketAddress address) {
    Entry entry = byAddress.get(address);
    return entry == null ? NONE : entry.token;
  }

  @Nullable InetSocketAddress address(long token) {
    Entry entry = byToken.get(token);
    return entry == null ? null : entry.address;
  }

  int size() {
    return byAddress.size();
  }
}
