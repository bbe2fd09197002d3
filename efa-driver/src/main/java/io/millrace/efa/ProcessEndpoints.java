package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the native objects of an endpoint of this process are closed: one endpoint at a time
 * and, where a provider shares memory, once no other endpoint of the process has its address.
 *
 * <p>Inside of one process the provider shm lets endpoints use each other's memory without a
 * mapping of their own, in every post and poll. So the memory of an endpoint that has closed stays
 * until the others have let go of its address, which they do when their paths to it end.
 *
 * <p>One for the process, under one lock; control plane. Native calls run under the lock, because
 * inserting an address of shared memory looks at the endpoint that another thread may be closing.
 */
final class ProcessEndpoints {
  static final ProcessEndpoints OF_PROCESS = new ProcessEndpoints();

  private final Map<EndpointAddress, Entry> sharing = new HashMap<>();

  /** An endpoint whose memory others of the process may use. */
  private static final class Entry {
    int users;
    @Nullable Runnable close;
  }

  /** An endpoint has opened whose memory others may use, before any of them knows its address. */
  synchronized void onOpened(EndpointAddress address) {
    sharing.put(address, new Entry());
  }

  /**
   * Another endpoint inserts an address of shared memory.
   *
   * @param insert answers what the address is for its provider, or less than 0 if it failed
   * @return what {@code insert} answered
   * @throws DriverException if it is of an endpoint of this process that has closed
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

  /** An endpoint lets go of an address that it inserted. */
  synchronized void onRemoved(EndpointAddress address, Runnable remove) {
    remove.run();
    Entry entry = sharing.get(address);
    if (entry != null) {
      entry.users--;
      closeUnused(address, entry);
    }
  }

  /** Runs the end of an endpoint while no other one ends. */
  synchronized void inTurn(Runnable end) {
    end.run();
  }

  /**
   * An endpoint is used no more by its owner; its objects are closed now or when nobody uses it.
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

  /** Endpoints that have closed and whose memory is kept for others. */
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
