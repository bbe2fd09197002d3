package io.millrace.testkit.internal.driver;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A driver whose endpoints receive datagrams from a test's queue, and cannot send. */
final class QueueDriver implements DriverProvider {
  private final Queue<byte[]> arrivals = new ArrayDeque<>();

  /** Adds the next datagram that an endpoint will receive. */
  void arrive(byte[] datagram) {
    arrivals.add(datagram);
  }

  @Override
  public String name() {
    return "queue";
  }

  @Override
  public String family() {
    return "queue";
  }

  @Override
  public int preference() {
    return 0;
  }

  @Override
  public DriverAvailability probe() {
    return new DriverAvailability.Unavailable("it cannot send");
  }

  @Override
  public Endpoint open(EndpointSettings settings) {
    return new QueueEndpoint();
  }

  private final class QueueEndpoint implements Endpoint {
    private final SegmentBuffer buffer = new SegmentBuffer(ByteBuffer.allocateDirect(65_536));
    private final EndpointCounters counters = new EndpointCounters();

    @Override
    public int poll(CompletionHandler handler, int limit) {
      int polled = 0;
      while (polled < limit && !arrivals.isEmpty()) {
        byte[] datagram = arrivals.remove();
        buffer.putBytes(100, datagram);
        handler.onReceive(buffer, 100, datagram.length, 1);
        polled++;
      }
      return polled;
    }

    @Override
    public Capabilities capabilities() {
      return new Capabilities(65_507, 1, 65_507, false, false, true, false, false);
    }

    @Override
    public DriverNotices notices() {
      return DriverNotices.NONE;
    }

    @Override
    public EndpointAddress localAddress() {
      return new EndpointAddress("queue", new byte[1]);
    }

    @Override
    public int resolve(EndpointAddress remote) {
      return 0;
    }

    @Override
    public void release(int destination) {}

    @Override
    public int pathMaxDatagramBytes(int destination) {
      return 65_507;
    }

    @Override
    public @Nullable SendBuffer acquireSendBuffer() {
      return null;
    }

    @Override
    public void releaseSendBuffer(SendBuffer sendBuffer) {}

    @Override
    public void postSend(
        int destination, SendBuffer sendBuffer, int length, int segmentLength, long context) {}

    @Override
    public void flush() {}

    @Override
    public @Nullable RemoteMemory remoteMemory() {
      return null;
    }

    @Override
    public EndpointCounters counters() {
      return counters;
    }

    @Override
    public void close() {}
  }
}
