package io.millrace.udp.linux;

import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.Arrays;

/**
 * The socket addresses of destinations in native memory, as targets of pointers in messages. An
 * address never moves. Owned by the endpoint; only {@link #set} allocates.
 */
final class DestinationAddresses {
  private static final int CHUNK_SLOTS = 256;
  private static final int CHUNK_BYTES = CHUNK_SLOTS * Sockaddr.MAX_BYTES;

  private final Arena arena;
  private SegmentBuffer[] chunks = new SegmentBuffer[0];

  DestinationAddresses(Arena arena) {
    this.arena = arena;
  }

  /** Writes the address of a destination. */
  void set(int destination, InetSocketAddress address) {
    int chunk = destination / CHUNK_SLOTS;
    while (chunk >= chunks.length) {
      chunks = Arrays.copyOf(chunks, chunks.length + 1);
      chunks[chunks.length - 1] =
          new SegmentBuffer(arena.allocate(CHUNK_BYTES, Long.BYTES).address(), CHUNK_BYTES);
    }
    Sockaddr.write(chunks[chunk], offset(destination), address);
  }

  /** Returns the native address of the socket address. */
  long pointer(int destination) {
    return chunks[destination / CHUNK_SLOTS].addressOffset() + offset(destination);
  }

  /** Whether the socket address in {@code buffer} equals the address of {@code destination}. */
  boolean isSame(int destination, SegmentBuffer buffer, int offset) {
    return Sockaddr.isSame(chunks[destination / CHUNK_SLOTS], offset(destination), buffer, offset);
  }

  private static int offset(int destination) {
    return destination % CHUNK_SLOTS * Sockaddr.MAX_BYTES;
  }
}
