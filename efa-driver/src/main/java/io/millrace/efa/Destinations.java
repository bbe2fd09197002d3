package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.LibFabric;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The destinations of one endpoint: the numbers, the entries in the address vector, and for each
 * destination whether posts wait.
 *
 * <p>Owned by the endpoint's thread. {@link #resolve} and {@link #release} may allocate.
 */
final class Destinations {
  private static final int MAX_DESTINATIONS = 1 << 16;

  private final LibFabric library;
  private final long addressVector;
  private final @Nullable ProcessEndpoints sharing;
  private final PeerHolds holds;
  private final Map<EndpointAddress, Entry> entries = new HashMap<>();
  private @Nullable Entry[] table = new @Nullable Entry[16];
  private long[] providerAddress = new long[16];
  private int[] generation = new int[16];
  private int[] free = new int[16];
  private int freeCount;
  private int used;

  /**
   * Creates an empty table.
   *
   * @param sharing gets each address if the provider shares memory, else null
   * @param holds which of the destinations take no posts now
   */
  Destinations(
      LibFabric library, long addressVector, @Nullable ProcessEndpoints sharing, PeerHolds holds) {
    this.library = library;
    this.addressVector = addressVector;
    this.sharing = sharing;
    this.holds = holds;
  }

  /**
   * An entry of the address vector. Providers differ in the effect of a second insertion of an
   * address.
   */
  private static final class Entry {
    final EndpointAddress address;
    final long providerAddress;
    int references;

    Entry(EndpointAddress address, long providerAddress) {
      this.address = address;
      this.providerAddress = providerAddress;
    }
  }

  int resolve(EndpointAddress address, AddressFormat format) throws DriverException {
    if (freeCount == 0 && used == MAX_DESTINATIONS) {
      throw new DriverException("the table of " + MAX_DESTINATIONS + " destinations is full");
    }
    Entry entry = entries.get(address);
    if (entry == null) {
      entry = insert(address, format.toProvider(address));
      entries.put(address, entry);
    }
    entry.references++;
    int destination = freeCount > 0 ? free[--freeCount] : used++;
    if (destination == table.length) {
      grow();
    }
    table[destination] = entry;
    providerAddress[destination] = entry.providerAddress;
    holds.onResolved(destination);
    return destination;
  }

  private Entry insert(EndpointAddress address, byte[] bytes) throws DriverException {
    ProcessEndpoints process = sharing;
    long inserted =
        process == null
            ? library.insertAddress(addressVector, bytes)
            : process.onInserted(address, () -> library.insertAddress(addressVector, bytes));
    if (inserted < 0) {
      String text = library.errorText((int) -inserted);
      throw new DriverException("cannot resolve " + address + ": " + text);
    }
    return new Entry(address, inserted);
  }

  private void grow() {
    int capacity = table.length * 2;
    table = Arrays.copyOf(table, capacity);
    providerAddress = Arrays.copyOf(providerAddress, capacity);
    generation = Arrays.copyOf(generation, capacity);
    free = Arrays.copyOf(free, capacity);
  }

  /**
   * Forgets {@code destination}; later results of operations under way do not count for the
   * number's next destination.
   */
  void release(int destination) {
    check(destination);
    Entry entry = table[destination];
    table[destination] = null;
    holds.onReleased(destination);
    generation[destination]++;
    free[freeCount++] = destination;
    if (entry != null && --entry.references == 0) {
      entries.remove(entry.address);
      remove(entry);
    }
  }

  private void remove(Entry entry) {
    ProcessEndpoints process = sharing;
    if (process == null) {
      library.removeAddress(addressVector, entry.providerAddress);
    } else {
      process.onRemoved(
          entry.address, () -> library.removeAddress(addressVector, entry.providerAddress));
    }
  }

  /**
   * Forgets all entries, because the endpoint closes. With shared memory, removes the addresses
   * first, while the addressed endpoints still exist.
   */
  void close() {
    if (sharing != null) {
      entries.values().forEach(this::remove);
    }
    entries.clear();
  }

  boolean isResolved(int destination) {
    return destination >= 0 && destination < used && table[destination] != null;
  }

  void check(int destination) {
    if (!isResolved(destination)) {
      throw new IllegalArgumentException("no such destination: " + destination);
    }
  }

  /** Returns the provider's address of the destination. */
  long providerAddress(int destination) {
    return providerAddress[destination];
  }

  /**
   * Returns the generation, which changes when the number is released: late completions then do not
   * match the number's next destination.
   */
  int generation(int destination) {
    return generation[destination];
  }

  boolean isCurrent(int destination, int itsGeneration) {
    return isResolved(destination) && generation[destination] == itsGeneration;
  }

  /** Which destinations take no posts now. */
  PeerHolds holds() {
    return holds;
  }
}
