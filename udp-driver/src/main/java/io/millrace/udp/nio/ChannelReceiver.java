package io.millrace.udp.nio;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Takes datagrams from the channel one by one, in one buffer. Owned by the endpoint. */
final class ChannelReceiver {
  private static final int ALIGNMENT_BYTES = 64;

  private final DatagramChannel channel;
  private final ByteBuffer bytes;
  private final UnsafeBuffer buffer;
  private final int maxDatagramBytes;
  private final EndpointCounters counters;

  /** Of the datagram that the handler looks at. */
  private @Nullable InetSocketAddress source;

  ChannelReceiver(
      DatagramChannel channel, Arena arena, int maxDatagramBytes, EndpointCounters counters) {
    this.channel = channel;
    this.maxDatagramBytes = maxDatagramBytes;
    this.counters = counters;
    // One byte more than may come: a datagram that fills it was longer and has been cut.
    MemorySegment memory = arena.allocate(maxDatagramBytes + 1L, ALIGNMENT_BYTES);
    bytes = memory.asByteBuffer();
    buffer = new UnsafeBuffer(memory.address(), maxDatagramBytes + 1);
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

  /** Where the datagram comes from that the handler looks at, or null. */
  @Nullable InetSocketAddress source() {
    return source;
  }

  private boolean receive() {
    bytes.clear();
    try {
      source = (InetSocketAddress) channel.receive(bytes);
      return source != null;
    } catch (IOException e) {
      // PortUnreachableException and its like: about an earlier send, and not about whose.
      return false;
    }
  }
}
