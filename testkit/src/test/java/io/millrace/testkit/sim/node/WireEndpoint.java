package io.millrace.testkit.sim.node;

import io.millrace.actor.dispatcher.EventLoop;
import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** An endpoint on a {@link WireNetwork}; sends are complete at once. */
final class WireEndpoint implements Endpoint {
  private static final int DATAGRAM_BYTES = 1_500;
  private static final int TRAIN_PACKETS = 16;
  private static final int RING = 256;

  private final WireNetwork network;
  private final Arena arena = Arena.ofConfined();
  private final EventLoop loop = EventLoop.current();
  private final ArrayDeque<byte[]> arrivals = new ArrayDeque<>();
  private final ArrayDeque<SendBuffer> free = new ArrayDeque<>();
  private final UnsafeBuffer received = memory(DATAGRAM_BYTES);
  private final EndpointCounters counters = new EndpointCounters();
  private final int port;
  private boolean isClosed;

  WireEndpoint(WireNetwork network, EndpointSettings settings) {
    this.network = network;
    port = network.add(this);
    for (int i = 0; i < settings.sendBuffers(); i++) {
      free.add(new SendBuffer(i, memory(TRAIN_PACKETS * DATAGRAM_BYTES)));
    }
  }

  private UnsafeBuffer memory(int bytes) {
    return new UnsafeBuffer(arena.allocate(bytes, Long.BYTES).asByteBuffer());
  }

  void arrive(byte[] datagram) {
    if (arrivals.size() < RING) {
      arrivals.add(datagram);
      loop.wakeUp();
    } else {
      counters.receiveQueueDrops++;
    }
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(
        DATAGRAM_BYTES,
        TRAIN_PACKETS,
        TRAIN_PACKETS * DATAGRAM_BYTES,
        true,
        false,
        false,
        false,
        false);
  }

  @Override
  public DriverNotices notices() {
    return DriverNotices.NONE;
  }

  @Override
  public EndpointAddress localAddress() {
    return new EndpointAddress("wire", new byte[] {(byte) (port >> 8), (byte) port});
  }

  @Override
  public int resolve(EndpointAddress remote) {
    byte[] bytes = remote.bytes();
    return (bytes[0] & 0xFF) << 8 | bytes[1] & 0xFF;
  }

  @Override
  public void release(int destination) {}

  @Override
  public int pathMaxDatagramBytes(int destination) {
    return DATAGRAM_BYTES;
  }

  @Override
  public @Nullable SendBuffer acquireSendBuffer() {
    return free.poll();
  }

  @Override
  public void releaseSendBuffer(SendBuffer buffer) {
    free.add(buffer);
  }

  @Override
  public void postSend(
      int destination, SendBuffer buffer, int length, int segmentLength, long context) {
    for (int at = 0; at < length; at += segmentLength) {
      network.send(destination, buffer.buffer(), at, Math.min(segmentLength, length - at));
      counters.datagramsSent++;
    }
    free.add(buffer);
  }

  @Override
  public void flush() {}

  @Override
  public int poll(CompletionHandler handler, int limit) {
    int polled = 0;
    byte[] datagram;
    while (polled < limit && (datagram = arrivals.poll()) != null) {
      received.putBytes(0, datagram);
      handler.onReceive(received, 0, datagram.length, 0);
      counters.datagramsReceived++;
      polled++;
    }
    if (!arrivals.isEmpty()) {
      loop.wakeUp();
    }
    return polled;
  }

  @Override
  public @Nullable RemoteMemory remoteMemory() {
    return null;
  }

  @Override
  public EndpointCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      network.remove(port);
      arena.close();
    }
  }
}
