package io.millrace.udp.internal;

import io.millrace.driver.DriverException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The destinations of an endpoint: small numbers, each with an address and what its path is known
 * to carry. Owned by the endpoint; one thread; only {@link #add} allocates.
 */
public final class DestinationTable {
  /** Destinations that one endpoint can have. */
  public static final int MAX_DESTINATIONS = 65_536;

  private static final int INITIAL_SLOTS = 64;

  private @Nullable InetSocketAddress[] addresses = new InetSocketAddress[INITIAL_SLOTS];
  private int[] pathMaxBytes = new int[INITIAL_SLOTS];
  private int[] freed = new int[INITIAL_SLOTS];
  private int freedCount;
  private int limit;

  /**
   * Adds a destination and returns its number.
   *
   * @throws DriverException if the table is full
   */
  public int add(InetSocketAddress address, int pathMaxDatagramBytes) throws DriverException {
    int destination = freedCount > 0 ? freed[--freedCount] : fresh();
    addresses[destination] = address;
    pathMaxBytes[destination] = pathMaxDatagramBytes;
    return destination;
  }

  private int fresh() throws DriverException {
    if (limit == MAX_DESTINATIONS) {
      throw new DriverException(
          "no room for another destination: there are " + MAX_DESTINATIONS + " already");
    }
    if (limit == addresses.length) {
      int slots = Math.min(MAX_DESTINATIONS, limit * 2);
      addresses = Arrays.copyOf(addresses, slots);
      pathMaxBytes = Arrays.copyOf(pathMaxBytes, slots);
      freed = Arrays.copyOf(freed, slots);
    }
    return limit++;
  }

  /** Forgets a destination; its number may be given out again. */
  public void remove(int destination) {
    if (contains(destination)) {
      addresses[destination] = null;
      freed[freedCount++] = destination;
    }
  }

  /** Whether this number stands for a destination. */
  public boolean contains(int destination) {
    return destination >= 0 && destination < limit && addresses[destination] != null;
  }

  /** Every destination is below this number. */
  public int limit() {
    return limit;
  }

  /**
   * The address of a destination.
   *
   * @throws IllegalArgumentException if there is no such destination
   */
  public InetSocketAddress address(int destination) {
    InetSocketAddress address = contains(destination) ? addresses[destination] : null;
    if (address == null) {
      throw new IllegalArgumentException("no such destination: " + destination);
    }
    return address;
  }

  /** Bytes of the largest datagram that the path is known to let through. */
  public int pathMaxBytes(int destination) {
    if (!contains(destination)) {
      throw new IllegalArgumentException("no such destination: " + destination);
    }
    return pathMaxBytes[destination];
  }

  /** Lowers what the path is known to carry; false if it was known to be that low already. */
  public boolean lowerPathMax(int destination, int maxBytes) {
    if (maxBytes >= pathMaxBytes[destination]) {
      return false;
    }
    pathMaxBytes[destination] = maxBytes;
    return true;
  }
}
