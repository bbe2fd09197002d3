package io.millrace.udp.linux;

import io.millrace.driver.CompletionHandler;
import io.millrace.udp.internal.DestinationTable;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What was learnt about destinations while sending, until the next poll can tell the handler: at
 * most one entry per destination, in the order of first news, with the newest refused datagram.
 * Owned by the endpoint; only {@link #makeRoomFor} allocates.
 */
final class PathEvents {
  private static final byte QUEUED = 1;
  private static final byte UNREACHABLE = 2;
  private static final byte NARROW = 4;
  private static final byte REFUSED = 8;

  /** What is kept of a refused datagram, bytes. */
  private static final int QUOTE_BYTES = 64;

  private final DestinationTable destinations;
  private byte[] flags = new byte[0];
  private int[] queue = new int[0];
  private final UnsafeBuffer quotes = new UnsafeBuffer(new byte[0]);
  private byte[] quotedBytes = new byte[0];
  private int head;
  private int count;

  PathEvents(DestinationTable destinations) {
    this.destinations = destinations;
  }

  /** There is a new destination; nothing is known about it. */
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

  /** News about a destination that is released concern nobody. */
  void forget(int destination) {
    flags[destination] &= QUEUED;
  }

  /** An error was reported for this destination. */
  void onUnreachable(int destination) {
    add(destination, UNREACHABLE);
  }

  /** Nobody listens at this destination, says an error about a datagram that begins so. */
  void onRefused(int destination, UnsafeBuffer quoted, int offset, int length) {
    add(destination, REFUSED);
    int kept = Math.min(length, QUOTE_BYTES);
    quotedBytes[destination] = (byte) kept;
    quotes.putBytes(destination * QUOTE_BYTES, quoted, offset, kept);
  }

  /** Datagrams beyond this many bytes do not reach this destination. */
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

  /** Tells the handler; how many calls that took. */
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
