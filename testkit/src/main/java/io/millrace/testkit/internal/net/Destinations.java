package io.millrace.testkit.internal.net;

import io.millrace.driver.DriverException;
import io.millrace.testkit.internal.base.SimAddress;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;
import org.jspecify.annotations.Nullable;

/** Where one endpoint sends to, by number; the number of one released goes to the next. */
final class Destinations {
  private static final int MAX_DESTINATIONS = 1 << 16;
  private static final int INITIAL = 16;

  private final IntArrayList free = new IntArrayList();
  private @Nullable SimLink[] links = new SimLink[INITIAL];
  private int[] ports = new int[INITIAL];
  private int[] maxDatagramBytes = new int[INITIAL];
  private int used;

  int add(SimLink link, int port, int datagramBytes) throws DriverException {
    int destination = free.isEmpty() ? used : free.removeAt(free.size() - 1);
    if (destination == MAX_DESTINATIONS) {
      throw new DriverException("an endpoint has at most " + MAX_DESTINATIONS + " destinations");
    }
    if (destination == used) {
      used++;
      grow();
    }
    links[destination] = link;
    ports[destination] = port;
    maxDatagramBytes[destination] = datagramBytes;
    return destination;
  }

  private void grow() {
    if (used > ports.length) {
      links = Arrays.copyOf(links, 2 * ports.length);
      maxDatagramBytes = Arrays.copyOf(maxDatagramBytes, 2 * ports.length);
      ports = Arrays.copyOf(ports, 2 * ports.length);
    }
  }

  void remove(int destination) {
    if (link(destination) != null) {
      links[destination] = null;
      free.addInt(destination);
    }
  }

  /** The link to a destination, or null where it was released. */
  @Nullable SimLink link(int destination) {
    return destination >= 0 && destination < used ? links[destination] : null;
  }

  int port(int destination) {
    return ports[destination];
  }

  int maxDatagramBytes(int destination) {
    return link(destination) == null ? 0 : maxDatagramBytes[destination];
  }

  /** Numbers there may be. */
  int size() {
    return used;
  }

  boolean isAt(int destination, long address) {
    SimLink link = link(destination);
    return link != null
        && (link.receiver().key() << SimAddress.PORT_BITS | ports[destination]) == address;
  }

  /** Learns of a path's limit; whether that is news. */
  boolean narrow(int destination, int datagramBytes) {
    boolean narrower = datagramBytes < maxDatagramBytes[destination];
    if (narrower) {
      maxDatagramBytes[destination] = datagramBytes;
    }
    return narrower;
  }
}
