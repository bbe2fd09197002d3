package io.millrace.testkit.internal.net;

import io.millrace.driver.DriverException;
import io.millrace.testkit.internal.base.SimAddress;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The destinations of an endpoint, by number; the number of a released destination goes to the
 * next.
 */
final class Destinations {
  private static final int MAX_DESTINATIONS = 1 << 16;
  private static final int INITIAL = 16;

  private final IntArrayList free = new IntArrayList();
  private @Nullable Destination[] all = new Destination[INITIAL];
  private int[] maxDatagramBytes = new int[INITIAL];
  private int used;

  /** A port at the other end of a link. */
  record Destination(SimLink link, int port) {
    /** As {@link SimAddress#key()} counts. */
    long address() {
      return link.receiver().key() << SimAddress.PORT_BITS | port;
    }
  }

  int add(SimLink link, int port, int datagramBytes) throws DriverException {
    int destination = free.isEmpty() ? used : free.removeAt(free.size() - 1);
    if (destination == MAX_DESTINATIONS) {
      throw new DriverException("an endpoint has at most " + MAX_DESTINATIONS + " destinations");
    }
    if (destination == used) {
      used++;
      grow();
    }
    all[destination] = new Destination(link, port);
    maxDatagramBytes[destination] = datagramBytes;
    return destination;
  }

  private void grow() {
    if (used > all.length) {
      maxDatagramBytes = Arrays.copyOf(maxDatagramBytes, 2 * all.length);
      all = Arrays.copyOf(all, 2 * all.length);
    }
  }

  void remove(int destination) {
    if (get(destination) != null) {
      all[destination] = null;
      free.addInt(destination);
    }
  }

  /** A destination, or null after its release. */
  @Nullable Destination get(int destination) {
    return destination >= 0 && destination < used ? all[destination] : null;
  }

  int maxDatagramBytes(int destination) {
    return get(destination) == null ? 0 : maxDatagramBytes[destination];
  }

  /** The upper bound of the numbers in use, exclusive. */
  int size() {
    return used;
  }

  boolean isAt(int destination, long address) {
    Destination known = get(destination);
    return known != null && known.address() == address;
  }

  /** Learns of a path's limit; returns whether the limit is news. */
  boolean narrow(int destination, int datagramBytes) {
    boolean narrower = datagramBytes < maxDatagramBytes[destination];
    if (narrower) {
      maxDatagramBytes[destination] = datagramBytes;
    }
    return narrower;
  }
}
