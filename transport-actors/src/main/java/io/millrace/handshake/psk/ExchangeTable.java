package io.millrace.handshake.psk;

import io.millrace.crypto.DatagramHandshake;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges that peers began, found by the initiator's nonce: a bounded number, each for the same
 * time, the oldest making room for the newest. Not thread-safe.
 *
 * @param <V> the remembered value
 */
final class ExchangeTable<V> {
  private record Entry<V>(V value, long expiresNs) {}

  private final Map<Nonce, Entry<V>> entries = new LinkedHashMap<>();
  private final int capacity;
  private final long lifetimeNs;
  private final Consumer<V> onForgotten;

  /** {@code onForgotten} gets expired and displaced values, not removed values. */
  ExchangeTable(int capacity, long lifetimeNs, Consumer<V> onForgotten) {
    this.capacity = capacity;
    this.lifetimeNs = lifetimeNs;
    this.onForgotten = onForgotten;
  }

  @Nullable V find(Nonce nonce) {
    Entry<V> entry = entries.get(nonce);
    return entry == null ? null : entry.value();
  }

  /** Remembers a value that is not in the table yet. */
  void add(Nonce nonce, V value, long nowNs) {
    if (entries.size() == capacity) {
      forgetOldest();
    }
    entries.put(nonce, new Entry<>(value, nowNs + lifetimeNs));
  }

  void remove(Nonce nonce) {
    entries.remove(nonce);
  }

  int size() {
    return entries.size();
  }

  long nextDeadlineNs() {
    return entries.isEmpty()
        ? DatagramHandshake.NO_DEADLINE
        : entries.values().iterator().next().expiresNs();
  }

  void onDeadline(long nowNs) {
    while (!entries.isEmpty() && nowNs - nextDeadlineNs() >= 0) {
      forgetOldest();
    }
  }

  /** Forgets all. */
  void clear() {
    while (!entries.isEmpty()) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    Iterator<Entry<V>> oldest = entries.values().iterator();
    onForgotten.accept(oldest.next().value());
    oldest.remove();
  }
}
