package io.millrace.udp.linux;

import io.millrace.driver.CompletionHandler;
import io.millrace.memory.SegmentBuffer;
import io.millrace.udp.internal.DestinationTable;
import java.util.Arrays;

/**
 * The news about destinations from sending, kept until the next poll calls the handler. A
 * destination has at most one entry, in the order of first news, with the newest refused datagram.
 * Owned by the endpoint; only {@link #makeRoomFor} allocates.
 */
final class PathEvents {
  private static final byte QUEUED = 1;
  private static final byte UNREACHABLE = 2;
  private static final byte NARROW = 4;
  private static final byte REFUSED = 8;

  /** The number of bytes kept of a refused datagram. */
  private static final int QUOTE_BYTES = 64;

  private final DestinationTable destinations;
  private byte[] flags = new byte[0];
  private int[] queue = new int[0];
  private final SegmentBuffer quotes = new SegmentBuffer(new byte[0]);
  private byte[] quotedBytes = new byte[0];
  private int head;
  private int count;

  PathEvents(DestinationTable destinations) {
    this.destinations = destinations;
  }

  /** Makes room for a new destination, without news. */
  void makeRoomFor(int destination) {
    if (destination >= flags.length) {
      int slots = Math.max(64, Integer.highestOneBit(destination) << 1);
      int[] larger = new int[slots];
      for (int i = 0; i < count; i++) {
        larger[i] = queue[(head + i) % queue.length];
      }
      queue = larger;
      head = 0;
      flags = Arrays.copyOf(flags, slots);
      quotedBytes = Arrays.copyOf(quotedBytes, slots);
      quotes.wrap(Arrays.copyOf(quotes.byteArray(), slots * QUOTE_BYTES));
    }
    forget(destination);
  }

  /** Forgets a released destination and its news. */
  void forget(int destination) {
    flags[destination] &= QUEUED;
  }

  /** Records an error for this destination. */
  void onUnreachable(int destination) {
    add(destination, UNREACHABLE);
  }

  /** Records an error for a datagram with this beginning: no socket listens at this destination. */
  void onRefused(int destination, SegmentBuffer quoted, int offset, int length) {
    add(destination, REFUSED);
    int kept = Math.min(length, QUOTE_BYTES);
    quotedBytes[destination] = (byte) kept;
    quotes.putBytes(destination * QUOTE_BYTES, quoted, offset, kept);
  }

  /** Records that datagrams beyond this number of bytes do not reach this destination. */
  void onPathMax(int destination, int maxBytes) {
    if (destinations.lowerPathMax(destination, maxBytes)) {
      add(destination, NARROW);
    }
  }

  private void add(int destination, byte news) {
    if ((flags[destination] & QUEUED) == 0) {
      queue[(head + count++) % queue.length] = destination;
    }
    flags[destination] |= (byte) (QUEUED | news);
  }

  /** Passes the news to the handler; returns the number of calls. */
  int deliver(CompletionHandler handler) {
    int delivered = 0;
    for (int left = count; left > 0; left--) {
      int destination = queue[head];
      head = (head + 1) % queue.length;
      count--;
      byte news = flags[destination];
      flags[destination] = 0;
      if ((news & UNREACHABLE) != 0) {
        handler.onUnreachable(destination);
        delivered++;
      }
      if ((news & REFUSED) != 0) {
        int offset = destination * QUOTE_BYTES;
        handler.onRefused(destination, quotes, offset, quotedBytes[destination]);
        delivered++;
      }
      if ((news & NARROW) != 0 && destinations.contains(destination)) {
        handler.onPathMaxDatagramBytes(destination, destinations.pathMaxBytes(destination));
        delivered++;
      }
    }
    return delivered;
  }
}
