package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.LibFabric;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The provider's address vector of one endpoint: inserts each address once, and removes an address
 * when the address is no longer in use.
 *
 * <p>With shared memory an unused address stays until the endpoint closes. The provider shm finds
 * the memory of a sender by the sender's place in the address vector, reads and writes that memory
 * while it takes a message, and gives a free place to the next address together with the place's
 * old state. So a message of a removed sender ends this process, and a message to the next address
 * may end the process of that peer.
 *
 * <p>Owned by the endpoint's thread; control plane.
 */
final class AddressVector {
  /**
   * Limit of addresses with shared memory: the provider holds 256, some of peers that this endpoint
   * never resolved, and writes over an old address beyond.
   */
  static final int MAX_SHARED = 192;

  /** Limit of addresses beyond {@link #MAX_SHARED} that are refused while the endpoint serves. */
  static final int MAX_REFUSED = 48;

  private final LibFabric library;
  private final long addressVector;
  private final AddressFormat format;
  private final @Nullable ProcessEndpoints process;
  private final EndpointHealth health;
  private final Map<EndpointAddress, Entry> entries = new HashMap<>();

  /** The addresses refused for lack of places; the provider may hold them as senders. */
  private final Set<EndpointAddress> refused = new HashSet<>();

  /**
   * Wraps an empty address vector.
   *
   * @param process the endpoints of the process if the provider shares memory, else null
   * @param health told when the provider may be out of places
   */
  AddressVector(
      LibFabric library,
      long addressVector,
      AddressFormat format,
      @Nullable ProcessEndpoints process,
      EndpointHealth health) {
    this.library = library;
    this.addressVector = addressVector;
    this.format = format;
    this.process = process;
    this.health = health;
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

  /**
   * Takes an address into use.
   *
   * @throws DriverException if the endpoint of the address is gone, which takes no place; if there
   *     is no place; if the provider refuses the address
   */
  Entry acquire(EndpointAddress address) throws DriverException {
    byte[] bytes = format.toProvider(address);
    if (isGone(address)) {
      throw new DriverException("the endpoint " + address + " is gone");
    }
    Entry entry = entries.get(address);
    if (entry == null) {
      if (keepsUnused() && entries.size() >= MAX_SHARED) {
        throw refusal(address);
      }
      entry = new Entry(address, inserted(address, bytes));
      entries.put(address, entry);
    }
    entry.references++;
    return entry;
  }

  private boolean keepsUnused() {
    return process != null && format.isString();
  }

  private DriverException refusal(EndpointAddress address) {
    if (refused.size() < MAX_REFUSED) {
      refused.add(address);
    } else if (!refused.contains(address)) {
      health.onFull();
    }
    return new DriverException(
        "the endpoint has met " + MAX_SHARED + " peers with shared memory, and takes no more");
  }

  private long inserted(EndpointAddress address, byte[] bytes) throws DriverException {
    long number =
        process == null
            ? library.insertAddress(addressVector, bytes)
            : process.onInserted(
                format.localAddress(), address, () -> library.insertAddress(addressVector, bytes));
    if (number < 0) {
      String text = library.errorText((int) -number);
      throw new DriverException("cannot resolve " + address + ": " + text);
    }
    return number;
  }

  /**
   * Ends a use of an address; all operations of the use have ended. The provider keeps the address
   * once completions are lost: the provider may still be at work for it.
   */
  void release(Entry entry) {
    if (--entry.references == 0 && !keepsUnused() && !health.isLost()) {
      entries.remove(entry.address);
      library.removeAddress(addressVector, entry.number);
    }
  }

  /** Whether the endpoint of an inserted address is certainly gone; with shared memory alone. */
  boolean isGone(Entry entry) {
    return isGone(entry.address);
  }

  private boolean isGone(EndpointAddress address) {
    return process != null && process.isGone(address);
  }

  /**
   * Forgets all addresses, because the endpoint closes. Removes none from the provider: to remove
   * an address writes into the memory of the addressed endpoint, which may be at work. The close of
   * the provider's address vector, after the close of the endpoint, touches no other memory.
   */
  void close() {
    ProcessEndpoints endpoints = process;
    if (endpoints != null) {
      endpoints.onAllForgotten(format.localAddress());
    }
    entries.clear();
  }
}
