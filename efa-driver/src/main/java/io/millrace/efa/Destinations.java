package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The destinations of one endpoint: the numbers, and for each destination its address in the
 * address vector, the operations under way, and whether posts wait.
 *
 * <p>A released number and its address stay taken until the operations under way have ended.
 *
 * <p>Owned by the endpoint's thread. {@link #resolve} and {@link #release} may allocate.
 */
final class Destinations {
  private static final int MAX_DESTINATIONS = 1 << 16;

  private final AddressVector addresses;
  private final PeerHolds holds;
  private AddressVector.@Nullable Entry[] table = new AddressVector.@Nullable Entry[16];

  /** The addresses of the released destinations with operations under way. */
  private AddressVector.@Nullable Entry[] leaving = new AddressVector.@Nullable Entry[16];

  private long[] providerAddress = new long[16];
  private int[] generation = new int[16];
  private int[] underWay = new int[16];

  /** Whether operations to a peer that is gone were under way at the last look, and are still. */
  private boolean[] waitedForGone = new boolean[16];

  /** The last turn of posts in which a post to the destination was left waiting. */
  private long[] blockedIn = new long[16];

  private long turn;

  private int[] free = new int[16];
  private int freeCount;
  private int used;

  /**
   * Creates an empty table.
   *
   * @param holds which of the destinations take no posts now
   */
  Destinations(AddressVector addresses, PeerHolds holds) {
    this.addresses = addresses;
    this.holds = holds;
  }

  int resolve(EndpointAddress address) throws DriverException {
    if (freeCount == 0 && used == MAX_DESTINATIONS) {
      throw new DriverException("the table of " + MAX_DESTINATIONS + " destinations is full");
    }
    AddressVector.Entry entry = addresses.acquire(address);
    int destination = freeCount > 0 ? free[--freeCount] : used++;
    if (destination == table.length) {
      grow();
    }
    table[destination] = entry;
    providerAddress[destination] = entry.number;
    holds.onResolved(destination);
    return destination;
  }

  private void grow() {
    int capacity = table.length * 2;
    table = Arrays.copyOf(table, capacity);
    leaving = Arrays.copyOf(leaving, capacity);
    underWay = Arrays.copyOf(underWay, capacity);
    waitedForGone = Arrays.copyOf(waitedForGone, capacity);
    blockedIn = Arrays.copyOf(blockedIn, capacity);
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
    leaving[destination] = table[destination];
    table[destination] = null;
    holds.onReleased(destination);
    generation[destination]++;
    leaveIfUnused(destination);
  }

  /** An operation to the destination begins, before its post. */
  void onBegun(int destination) {
    underWay[destination]++;
  }

  /** An operation to the destination has ended: the provider does not need the address for it. */
  void onEnded(int destination) {
    underWay[destination]--;
    waitedForGone[destination] &= underWay[destination] > 0;
    leaveIfUnused(destination);
  }

  /** The number of operations under way to a destination. */
  int underWay(int destination) {
    return underWay[destination];
  }

  /**
   * Looks for operations under way to peers that are certainly gone. Returns whether one and the
   * same destination has had such operations since the last look, without a break.
   */
  boolean waitsForGone() {
    boolean hasWaited = false;
    for (int destination = 0; destination < used; destination++) {
      AddressVector.Entry entry = table[destination];
      entry = entry == null ? leaving[destination] : entry;
      boolean waits = underWay[destination] > 0 && entry != null && addresses.isGone(entry);
      hasWaited |= waits && waitedForGone[destination];
      waitedForGone[destination] = waits;
    }
    return hasWaited;
  }

  /** Begins a turn of posts, in which no destination is blocked yet. */
  void beginTurn() {
    turn++;
  }

  /** All further posts to the destination in this turn wait. */
  void block(int destination) {
    blockedIn[destination] = turn;
  }

  /** Whether a post to the destination was left waiting in this turn. */
  boolean isBlocked(int destination) {
    return blockedIn[destination] == turn;
  }

  private void leaveIfUnused(int destination) {
    AddressVector.Entry entry = leaving[destination];
    if (entry != null && underWay[destination] == 0) {
      leaving[destination] = null;
      free[freeCount++] = destination;
      addresses.release(entry);
    }
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
