package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.LibFabric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The provider's address vector of one endpoint: inserts each address once, and removes an address
 * when the address is no longer in use.
 *
 * <p>With shared memory an unused address stays until the addressed endpoint is certainly gone and
 * this endpoint has read all messages of the addressed endpoint. The provider shm reads and writes
 * the sender's memory while it takes a message, and finds that memory by the sender's place in the
 * address vector: a message of a removed sender ends the process.
 *
 * <p>Owned by the endpoint's thread; control plane except {@link #onEmptyRead}.
 */
final class AddressVector {
  /**
   * Limit of addresses with shared memory: the provider holds 256, some of peers that this endpoint
   * never resolved, and does not report more.
   */
  static final int MAX_SHARED = 192;

  /** The number of empty reads of the queue between two looks at unused addresses. */
  static final int READS_PER_LOOK = 1 << 16;

  /** The number of empty reads after which no message of a vanished peer is left. */
  private static final int READS_TO_EMPTY = 3;

  private final LibFabric library;
  private final long addressVector;
  private final AddressFormat format;
  private final @Nullable ProcessEndpoints process;
  private final EndpointAddress self;
  private final Map<EndpointAddress, Entry> entries = new HashMap<>();

  /** The peers known to be gone, and the empty reads at that time. */
  private final Map<EndpointAddress, Long> gone = new HashMap<>();

  private long emptyReads;

  /**
   * Wraps an empty address vector.
   *
   * @param process the endpoints of the process if the provider shares memory, else null
   */
  AddressVector(
      LibFabric library,
      long addressVector,
      AddressFormat format,
      @Nullable ProcessEndpoints process) {
    this.library = library;
    this.addressVector = addressVector;
    this.format = format;
    this.process = process;
    this.self = format.localAddress();
  }

  /** An inserted address. Providers differ in the effect of a second insertion of an address. */
  static final class Entry {
    final EndpointAddress address;

    /** The provider's number of the address. */
    final long number;

    private int references;

    private Entry(EndpointAddress address, long number) {
      this.address = address;
      this.number = number;
    }
  }

  /** Takes an address into use. */
  Entry acquire(EndpointAddress address) throws DriverException {
    Entry entry = entries.get(address);
    if (process != null && entry == null) {
      look();
      if (format.isString() && entries.size() >= MAX_SHARED) {
        throw new DriverException("the table of " + MAX_SHARED + " peers with memory is full");
      }
    }
    if (entry == null) {
      entry = new Entry(address, inserted(address));
      entries.put(address, entry);
    }
    gone.remove(address);
    entry.references++;
    return entry;
  }

  private long inserted(EndpointAddress address) throws DriverException {
    byte[] bytes = format.toProvider(address);
    long number =
        process == null
            ? library.insertAddress(addressVector, bytes)
            : process.onInserted(
                self, address, () -> library.insertAddress(addressVector, bytes));
    if (number < 0) {
      String text = library.errorText((int) -number);
      throw new DriverException("cannot resolve " + address + ": " + text);
    }
    return number;
  }

  /** Ends a use of an address; all operations of the use have ended. */
  void release(Entry entry) {
    if (--entry.references > 0) {
      return;
    }
    if (process == null || !(process.isOpened(entry.address) || format.isString())) {
      remove(entry);
    } else {
      look();
    }
  }

  private void remove(Entry entry) {
    entries.remove(entry.address);
    library.removeAddress(addressVector, entry.number);
  }

  /** A read of the completion queue has found nothing. */
  void onEmptyRead() {
    if (process != null && (++emptyReads & (READS_PER_LOOK - 1)) == 0) {
      look();
    }
  }

  /** Removes the unused addresses of peers that are gone. */
  private void look() {
    if (process == null) {
      return;
    }
    for (EndpointAddress closed : process.closedFor(self)) {
      Entry entry = entries.get(closed);
      if ((entry == null || entry.references == 0) && isEmptyOf(closed)) {
        forget(process, closed);
      }
    }
    for (Entry entry : List.copyOf(entries.values())) {
      boolean isVanished =
          entry.references == 0
              && !process.isOpened(entry.address)
              && SharedMemoryNames.isGone(entry.address);
      if (isVanished && isEmptyOf(entry.address)) {
        gone.remove(entry.address);
        remove(entry);
      }
    }
  }

  /** Whether nothing of a peer that is gone can be left in this endpoint's queue. */
  private boolean isEmptyOf(EndpointAddress vanished) {
    Long since = gone.putIfAbsent(vanished, emptyReads);
    return since != null && emptyReads - since >= READS_TO_EMPTY;
  }

  /** Lets the provider forget a closed endpoint of this process, which may be unmapped then. */
  private void forget(ProcessEndpoints endpoints, EndpointAddress closed) {
    gone.remove(closed);
    endpoints.onForgotten(self, closed, () -> removeAlways(closed));
  }

  /**
   * Removes an address. The provider also holds the addresses of endpoints that only sent to this
   * endpoint: to insert such an address finds its number.
   */
  private void removeAlways(EndpointAddress address) {
    Entry entry = entries.remove(address);
    if (entry != null) {
      library.removeAddress(addressVector, entry.number);
      return;
    }
    try {
      long number = library.insertAddress(addressVector, format.toProvider(address));
      if (number >= 0) {
        library.removeAddress(addressVector, number);
      }
    } catch (DriverException e) {
      throw new IllegalStateException("an endpoint of this process has a malformed address", e);
    }
  }

  /**
   * Forgets all addresses, because the endpoint closes. With shared memory, removes the addresses
   * first, while the memory of the addressed endpoints still exists.
   */
  void close() {
    ProcessEndpoints endpoints = process;
    if (endpoints != null) {
      for (EndpointAddress known : endpoints.known(self)) {
        forget(endpoints, known);
      }
      new ArrayList<>(entries.values()).forEach(this::remove);
    }
    entries.clear();
  }
}
