package io.millrace.udp.linux;

import java.util.Arrays;

/**
 * Decides which destinations send through a connected socket of their own, which spares the kernel
 * a route lookup per train. A destination gets one when it was busy of late, and loses it to
 * another busy one after it was idle for long, so that sockets are not connected over and over.
 * Trains of a fan-out, one to each of many destinations, do not count: they leave in one call
 * through the shared socket, which costs less than a call each. A destination keeps its socket
 * meanwhile, because a change of port may put its datagrams out of order.
 *
 * <p>The sockets have ports of their own: on the port of the endpoint they would take away what
 * peers send to it. Owned by the endpoint; allocates when there are new destinations and when a
 * socket is opened for the first time.
 */
final class ConnectedSockets {
  /** Trains, over all destinations, that count as "of late". */
  static final int EPOCH_TRAINS = 4_096;

  /** Trains within an epoch that make a destination busy. */
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

  /** There is a new destination. */
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

  /** The destination is gone; its socket waits for the next busy one. */
  void forget(int destination) {
    int slot = slots[destination];
    if (slot != NONE) {
      owners[slot] = NONE;
      slots[destination] = NONE;
    }
  }

  /**
   * The socket that the next train to {@code destination} leaves through.
   *
   * @param isAlone no train to another destination could share a call with it
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

  /** The socket that destinations without one of their own share. */
  BoundSocket bound() {
    return bound;
  }

  /** How many destinations have a connected socket now. */
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

  /** Closes the sockets. */
  void close() {
    for (int slot = 0; slot < fds.length; slot++) {
      if (fds[slot] != NONE) {
        calls.close(fds[slot]);
        fds[slot] = NONE;
      }
    }
  }
}
