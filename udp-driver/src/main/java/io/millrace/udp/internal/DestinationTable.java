package io.millrace.udp.internal;

import io.millrace.driver.DriverException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The destinations of an endpoint: small numbers, each with an address and the largest datagram
 * known to pass its path. Owned by the endpoint; one thread; only {@link #add} allocates.
 */
public final class DestinationTable {
  /** The maximum number of destinations of one endpoint. */
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

  /** Forgets a destination; the table may use the number again. */
  public void remove(int destination) {
    if (contains(destination)) {
      addresses[destination] = null;
      freed[freedCount++] = destination;
    }
  }

  /** Whether this number belongs to a destination. */
  public boolean contains(int destination) {
    return destination >= 0 && destination < limit && addresses[destination] != null;
  }

  /** Returns the upper bound of all destination numbers, exclusive. */
  public int limit() {
    return limit;
  }

  /**
   * Returns the address of a destination.
   *
   * @throws IllegalArgumentException if the destination does not exist
   */
  public InetSocketAddress address(int destination) {
    InetSocketAddress address = contains(destination) ? addresses[destination] : null;
    if (address == null) {
      throw new IllegalArgumentException("no such destination: " + destination);
    }
    return address;
  }

  /** Returns the bytes of the largest datagram known to pass the path. */
  public int pathMaxBytes(int destination) {
    if (!contains(destination)) {
      throw new IllegalArgumentException("no such destination: " + destination);
    }
    return pathMaxBytes[destination];
  }

  /**
   * Lowers the largest datagram of the path; returns false if the known limit was already as low.
   */
  public boolean lowerPathMax(int destination, int maxBytes) {
    if (maxBytes >= pathMaxBytes[destination]) {
      return false;
    }
    pathMaxBytes[destination] = maxBytes;
    return true;
  }
}
