package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to close the native objects of an endpoint of this process, one endpoint at a time.
 * With a provider that shares memory, an endpoint closes once no other endpoint of the process can
 * touch the endpoint's memory.
 *
 * <p>Inside of one process the provider shm lets endpoints use each other's memory without a
 * mapping of their own and without a count of the users. After the insertion of an address, both
 * endpoints may touch each other's memory: the inserting endpoint in every post; the addressed
 * endpoint in every poll, because the provider maps the memory of a sender at the sender's first
 * message. Such a pair of endpoints knows each other. So the memory of a closed endpoint stays
 * until every endpoint that knows it has closed.
 *
 * <p>The provider never forgets the names of this process's own endpoints, nor where their memory
 * was: to insert the address of a closed endpoint would lead to memory that is gone. So such an
 * address is refused for ever.
 *
 * <p>One instance for the process, under one lock; control plane. Native calls run under the lock,
 * because to insert an address of shared memory reads the addressed endpoint, which another thread
 * may be closing.
 */
final class ProcessEndpoints {
  static final ProcessEndpoints OF_PROCESS = new ProcessEndpoints(SharedMemoryFiles.OF_PROCESS);

  private final SharedMemoryFiles files;
  private final Map<EndpointAddress, Entry> sharing = new HashMap<>();

  /**
   * @param files the files of the endpoints of all processes
   */
  ProcessEndpoints(SharedMemoryFiles files) {
    this.files = files;
  }

  /** An endpoint with memory that other endpoints of the process may use. */
  private static final class Entry {
    /** The endpoints that may touch this endpoint's memory. */
    final Set<EndpointAddress> users = new HashSet<>();

    @Nullable Runnable close;
  }

  /**
   * Registers an opened endpoint with shared memory, before any other endpoint knows its address.
   */
  synchronized void onOpened(EndpointAddress address) {
    sharing.put(address, new Entry());
  }

  /** Whether this is the address of an endpoint of this process that has closed. */
  synchronized boolean hasClosed(EndpointAddress address) {
    Entry entry = sharing.get(address);
    return entry == null ? SharedMemoryNames.isOfThisProcess(address) : entry.close != null;
  }

  /** Whether the endpoint of an address with shared memory is certainly gone. */
  boolean isGone(EndpointAddress address) {
    return hasClosed(address) || files.isGone(address);
  }

  /**
   * Inserts an address of shared memory for the endpoint {@code self}.
   *
   * @param insert returns the provider's address, or less than 0 on failure
   * @return the result of {@code insert}
   * @throws DriverException if the address is of a closed endpoint of this process, or names a file
   *     that is not an endpoint's
   */
  synchronized long onInserted(EndpointAddress self, EndpointAddress address, LongSupplier insert)
      throws DriverException {
    Entry entry = sharing.get(address);
    if (hasClosed(address)) {
      throw new DriverException("the endpoint " + address + " of this process has closed");
    }
    files.check(self, address);
    long inserted = insert.getAsLong();
    Entry own = sharing.get(self);
    if (entry != null && own != null && entry != own && inserted >= 0) {
      entry.users.add(self);
      own.users.add(address);
    }
    return inserted;
  }

  /** The endpoint {@code self} will not touch the memory of any other endpoint any more. */
  synchronized void onAllForgotten(EndpointAddress self) {
    for (EndpointAddress address : List.copyOf(sharing.keySet())) {
      Entry entry = sharing.get(address);
      if (entry != null && entry.users.remove(self)) {
        closeUnused(address, entry);
      }
    }
  }

  /** Runs the end of an endpoint, one endpoint at a time. */
  synchronized void inTurn(Runnable end) {
    end.run();
  }

  /**
   * Ends the owner's use of an endpoint, which has forgotten all other endpoints; closes the
   * objects now, or once no other endpoint may touch the memory.
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
    if (close != null && entry.users.isEmpty()) {
      sharing.remove(address);
      close.run();
    }
  }
}
