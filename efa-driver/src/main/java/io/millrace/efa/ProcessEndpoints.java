package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to close the native objects of an endpoint of this process, one endpoint at a time.
 * With a provider that shares memory, an endpoint closes once no other endpoint of the process has
 * the endpoint's address.
 *
 * <p>Inside of one process the provider shm lets endpoints use each other's memory without a
 * mapping of their own, in every post and poll. So the memory of a closed endpoint stays until all
 * other endpoints have removed its address. An endpoint removes an address when its path to the
 * address ends.
 *
 * <p>One instance for the process, under one lock; control plane. Native calls run under the lock,
 * because to insert an address of shared memory reads the addressed endpoint, which another thread
 * may be closing.
 */
final class ProcessEndpoints {
  static final ProcessEndpoints OF_PROCESS = new ProcessEndpoints();

  private final Map<EndpointAddress, Entry> sharing = new HashMap<>();

  /** An endpoint with memory that other endpoints of the process may use. */
  private static final class Entry {
    int users;
    @Nullable Runnable close;
  }

  /**
   * Registers an opened endpoint with shared memory, before any other endpoint knows its address.
   */
  synchronized void onOpened(EndpointAddress address) {
    sharing.put(address, new Entry());
  }

  /**
   * Inserts an address of shared memory for another endpoint.
   *
   * @param insert returns the provider's address, or less than 0 on failure
   * @return the result of {@code insert}
   * @throws DriverException if the address is of a closed endpoint of this process
   */
  synchronized long onInserted(EndpointAddress address, LongSupplier insert)
      throws DriverException {
    Entry entry = sharing.get(address);
    if (entry != null && entry.close != null) {
      throw new DriverException("the endpoint " + address + " of this process has closed");
    }
    long inserted = insert.getAsLong();
    if (entry != null && inserted >= 0) {
      entry.users++;
    }
    return inserted;
  }

  /** Removes an inserted address for an endpoint. */
  synchronized void onRemoved(EndpointAddress address, Runnable remove) {
    remove.run();
    Entry entry = sharing.get(address);
    if (entry != null) {
      entry.users--;
      closeUnused(address, entry);
    }
  }

  /** Runs the end of an endpoint, one endpoint at a time. */
  synchronized void inTurn(Runnable end) {
    end.run();
  }

  /**
   * Ends the owner's use of an endpoint; closes the objects now, or after the last use by another
   * endpoint.
   */
  synchronized void onClosed(EndpointAddress address, Runnable close) {
    Entry entry = sharing.get(address);
    if (entry == null) {
      close.run();
    } else {
      entry.close = close;
      closeUnused(address, entry);
    }
  }

  /** Returns the number of closed endpoints with memory kept for other endpoints. */
  synchronized int kept() {
    return (int) sharing.values().stream().filter(entry -> entry.close != null).count();
  }

  private void closeUnused(EndpointAddress address, Entry entry) {
    Runnable close = entry.close;
    if (close != null && entry.users == 0) {
      sharing.remove(address);
      close.run();
    }
  }
}
