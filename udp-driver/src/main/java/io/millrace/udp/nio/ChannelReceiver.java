package io.millrace.udp.nio;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.memory.SegmentBuffer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;

/** Takes datagrams from the channel one by one, in one buffer. Owned by the endpoint. */
final class ChannelReceiver {
  private static final int ALIGNMENT_BYTES = 64;

  private final DatagramChannel channel;
  private final ByteBuffer bytes;
  private final SegmentBuffer buffer;
  private final int maxDatagramBytes;
  private final EndpointCounters counters;

  /** The source of the handler's present datagram. */
  private @Nullable InetSocketAddress source;

  ChannelReceiver(
      DatagramChannel channel, Arena arena, int maxDatagramBytes, EndpointCounters counters) {
    this.channel = channel;
    this.maxDatagramBytes = maxDatagramBytes;
    this.counters = counters;
    // One byte more than the largest datagram: a datagram that fills the buffer was longer and has
    // been cut.
    MemorySegment memory = arena.allocate(maxDatagramBytes + 1L, ALIGNMENT_BYTES);
    bytes = memory.asByteBuffer();
    buffer = new SegmentBuffer(memory.address(), maxDatagramBytes + 1);
  }

  int poll(CompletionHandler handler, int limit) {
    int received = 0;
    while (received < limit && receive()) {
      int length = bytes.position();
      received++;
      counters.receiveCalls++;
      if (length > maxDatagramBytes) {
        counters.oversizedDrops++;
      } else {
        counters.datagramsReceived++;
        counters.bytesReceived += length;
        handler.onReceive(buffer, 0, length, 0);
      }
    }
    source = null;
    return received;
  }

  /** Returns the source of the handler's present datagram, or null. */
  @Nullable InetSocketAddress source() {
    return source;
  }

  private boolean receive() {
    bytes.clear();
    try {
      source = (InetSocketAddress) channel.receive(bytes);
      return source != null;
    } catch (IOException e) {
      // PortUnreachableException and similar exceptions: caused by an earlier send, without its
      // destination.
      return false;
    }
  }
}
