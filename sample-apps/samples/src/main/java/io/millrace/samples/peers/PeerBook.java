package io.millrace.samples.peers;

import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.config.Addresses;
import io.millrace.config.SettingsException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The peers of a list of addresses. A host may be unknown when a program starts, because its
 * machine starts later: the program goes on with the other peers. A peer is looked up at its first
 * use. An unknown host is reported once, and looked up again in the background at later uses, once
 * a second at most. Any thread.
 */
public final class PeerBook {
  private static final Logger LOG = LoggerFactory.getLogger(PeerBook.class);
  private static final long AGAIN_NS = 1_000_000_000L;

  private final List<Entry> entries;
  private final Function<String, Peer> lookUp;
  private final Executor background;
  private final LongSupplier clockNs;

  /**
   * Peers of this node. No host is looked up yet.
   *
   * @param addresses handshake addresses, host:port
   * @throws SettingsException if an address is malformed
   */
  public PeerBook(Transport transport, List<String> addresses) {
    this(addresses, transport::peer, Thread::startVirtualThread, System::nanoTime);
  }

  PeerBook(
      List<String> addresses,
      Function<String, Peer> lookUp,
      Executor background,
      LongSupplier clockNs) {
    addresses.forEach(each -> Addresses.requireForm("the peer's address", each));
    entries = addresses.stream().map(Entry::new).toList();
    this.lookUp = lookUp;
    this.background = background;
    this.clockNs = clockNs;
  }

  /** An entry of the list. */
  private static final class Entry {
    private final String address;
    private final AtomicBoolean isBeingLookedUp = new AtomicBoolean();
    private volatile @Nullable Peer peer;

    /** Whether the host was looked up and found unknown. */
    private volatile boolean isUnknown;

    private volatile long lookedUpNs;

    Entry(String address) {
      this.address = address;
    }
  }

  /** Returns the number of addresses. */
  public int size() {
    return entries.size();
  }

  /**
   * Returns the peer of an address, or empty while its host is unknown. Looks the host up at the
   * first call, which may block; later calls never block.
   *
   * @param number the place in the list
   */
  public Optional<Peer> peer(int number) {
    Entry entry = entries.get(number);
    Peer known = entry.peer;
    if (known != null) {
      return Optional.of(known);
    }
    if (!entry.isUnknown) {
      lookUp(entry);
    } else if (clockNs.getAsLong() - entry.lookedUpNs >= AGAIN_NS
        && entry.isBeingLookedUp.compareAndSet(false, true)) {
      background.execute(() -> lookUpAgain(entry));
    }
    return Optional.ofNullable(entry.peer);
  }

  /** Returns the places of the peers with unknown hosts; looks up the peers not used yet. */
  public List<Integer> unknown() {
    return IntStream.range(0, entries.size())
        .filter(number -> peer(number).isEmpty())
        .boxed()
        .toList();
  }

  private void lookUpAgain(Entry entry) {
    try {
      lookUp(entry);
    } catch (RuntimeException e) {
      LOG.debug("{} is not looked up", entry.address, e);
    } finally {
      entry.isBeingLookedUp.set(false);
    }
  }

  private void lookUp(Entry entry) {
    try {
      entry.peer = lookUp.apply(entry.address);
      if (entry.isUnknown) {
        LOG.warn("the host of {} is known now", entry.address);
      }
    } catch (SettingsException e) {
      boolean isNews = !entry.isUnknown;
      entry.lookedUpNs = clockNs.getAsLong();
      entry.isUnknown = true;
      if (isNews) {
        LOG.warn("the host of {} is not known yet, and is looked up again", entry.address);
      }
    }
  }
}
