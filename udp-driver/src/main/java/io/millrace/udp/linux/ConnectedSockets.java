package io.millrace.udp.linux;

import java.util.Arrays;

/**
 * Assigns connected sockets to destinations, since a connected socket spares the kernel a route
 * lookup per train. A recently busy destination gets a socket of its own, and loses the socket to
 * another busy destination after a long idle time. The long time avoids connecting sockets over and
 * over. Trains of a fan-out, one train to each of many destinations, do not count. Such trains
 * leave in one call through the shared socket, which costs less than a call each. A destination
 * keeps its socket meanwhile, because a change of port may put its datagrams out of order.
 *
 * <p>The sockets have ports of their own: on the endpoint's port, a connected socket would take
 * peers' datagrams away from the endpoint. Owned by the endpoint; allocates for new destinations
 * and for the first opening of a socket.
 */
final class ConnectedSockets {
  /** The number of trains, over all destinations, in the recent period. */
  static final int EPOCH_TRAINS = 4_096;

  /** The number of trains within an epoch that make a destination busy. */
  static final int BUSY_TRAINS = 64;

  private static final int NONE = -1;

  private final SocketSetup setup;
  private final SocketCalls calls;
  private final DestinationAddresses addresses;
  private final BoundSocket bound;
  private final int[] fds;
  private final int[] owners;
  private final long[] lastUses;
  private int[] slots = new int[0];
  private int[] trainsInEpoch = new int[0];
  private long[] epochs = new long[0];
  private long trains;

  ConnectedSockets(
      SocketSetup setup, DestinationAddresses addresses, BoundSocket bound, int maxSockets) {
    this.setup = setup;
    this.calls = setup.calls();
    this.addresses = addresses;
    this.bound = bound;
    int sockets = Math.max(0, maxSockets);
    fds = new int[sockets];
    owners = new int[sockets];
    lastUses = new long[sockets];
    Arrays.fill(fds, NONE);
    Arrays.fill(owners, NONE);
  }

  /** Makes room for a new destination. */
  void makeRoomFor(int destination) {
    int old = slots.length;
    if (destination >= old) {
      int larger = Math.max(64, Integer.highestOneBit(destination) << 1);
      slots = Arrays.copyOf(slots, larger);
      Arrays.fill(slots, old, larger, NONE);
      trainsInEpoch = Arrays.copyOf(trainsInEpoch, larger);
      epochs = Arrays.copyOf(epochs, larger);
    }
    trainsInEpoch[destination] = 0;
  }

  /** Forgets a destination; its socket waits for the next busy destination. */
  void forget(int destination) {
    int slot = slots[destination];
    if (slot != NONE) {
      owners[slot] = NONE;
      slots[destination] = NONE;
    }
  }

  /**
   * Returns the socket for the next train to {@code destination}.
   *
   * @param isAlone whether no train to another destination could share a call with this train
   */
  int socketFor(int destination, boolean isAlone) {
    trains++;
    int slot = slots[destination];
    if (slot == NONE && isAlone && isBusy(destination)) {
      slot = connect(destination);
    }
    if (slot == NONE) {
      return bound.fd();
    }
    if (isAlone) {
      lastUses[slot] = trains;
    }
    return fds[slot];
  }

  /** Returns the shared socket of destinations without a socket of their own. */
  BoundSocket bound() {
    return bound;
  }

  /** Returns the present number of destinations with a connected socket. */
  int connectedCount() {
    int count = 0;
    for (int owner : owners) {
      count += owner == NONE ? 0 : 1;
    }
    return count;
  }

  /** Whether this destination has a connected socket now. */
  boolean isConnected(int destination) {
    return slots[destination] != NONE;
  }

  private boolean isBusy(int destination) {
    long epoch = trains / EPOCH_TRAINS;
    if (epochs[destination] != epoch) {
      epochs[destination] = epoch;
      trainsInEpoch[destination] = 0;
    }
    return ++trainsInEpoch[destination] >= BUSY_TRAINS;
  }

  private int connect(int destination) {
    int slot = replaceableSlot();
    if (slot == NONE) {
      return NONE;
    }
    trainsInEpoch[destination] = 0;
    if (fds[slot] == NONE) {
      int fd = setup.openSender(bound.local());
      if (fd < 0) {
        return NONE;
      }
      fds[slot] = fd;
    }
    if (owners[slot] != NONE) {
      forget(owners[slot]);
    }
    long address = addresses.pointer(destination);
    if (calls.libc().connect(fds[slot], address, bound.version().sockaddrBytes()) < 0) {
      return NONE;
    }
    owners[slot] = destination;
    slots[destination] = slot;
    return slot;
  }

  private int replaceableSlot() {
    int best = NONE;
    for (int slot = 0; slot < fds.length; slot++) {
      if (owners[slot] == NONE) {
        return slot;
      }
      if (best == NONE || lastUses[slot] < lastUses[best]) {
        best = slot;
      }
    }
    return best != NONE && trains - lastUses[best] > EPOCH_TRAINS ? best : NONE;
  }

  /** Closes the connected sockets. */
  void close() {
    for (int slot = 0; slot < fds.length; slot++) {
      if (fds[slot] != NONE) {
        calls.close(fds[slot]);
        fds[slot] = NONE;
      }
    }
  }
}
