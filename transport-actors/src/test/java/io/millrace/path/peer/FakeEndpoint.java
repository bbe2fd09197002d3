package io.millrace.path.peer;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fake endpoint for unit tests: flushed datagrams lie in {@link #sent}, and datagrams that a test
 * adds to {@link #arrivals} arrive. As with real endpoints, a buffer is free again with the next
 * poll only.
 */
public final class FakeEndpoint implements Endpoint {
  public static final int BUFFER_BYTES = 65_536;

  /** Flushed datagrams, oldest first. */
  public final ArrayDeque<byte[]> sent = new ArrayDeque<>();

  /** Datagrams for delivery by the next polls. */
  public final ArrayDeque<byte[]> arrivals = new ArrayDeque<>();

  public int pathMaxDatagramBytes = 65_507;

  /** Longer datagrams leave no trace, as where the system answers EMSGSIZE. */
  public int refusedAboveBytes = 65_507;

  /** Further reports of the next poll. */
  public final ArrayDeque<Consumer<CompletionHandler>> reports = new ArrayDeque<>();

  /** The source of datagrams, or null for a driver that cannot name the source. */
  public @Nullable EndpointAddress source;

  /** The number of source ports, set before the first use. */
  public int sourcePorts = 1;

  /** Bytes posted from each source port. */
  public final long[] bytesFrom = new long[64];

  /** One-sided operations, set before the first use; null for none. */
  public @Nullable RemoteMemory memory;

  /** Immediate values for delivery by the next poll. */
  public final ArrayDeque<Long> immediates = new ArrayDeque<>();

  /** Contexts of writes whose end the next poll reports. */
  public final ArrayDeque<Long> endedWrites = new ArrayDeque<>();

  /** The status of these ends. */
  public int endStatus = CompletionHandler.STATUS_OK;

  /** The system's report on the state of the link. */
  public boolean isLinkUp = true;

  /** Addresses of this family cannot be used. */
  public String refusedFamily = "";

  /** The number of reads of the link's state. */
  public int linkReads;

  /** The number of coming flushes that find no room for posted datagrams. */
  public int refusedFlushes;

  private boolean isLeft;

  /** The number of calls that give free buffers back. */
  public int givenBack;

  private boolean isUp = true;
  private final int buffers;
  private final int maxTrainPackets;
  private final ArrayDeque<SendBuffer> free = new ArrayDeque<>();
  private final List<SendBuffer> done = new ArrayList<>();
  private final List<byte[]> posted = new ArrayList<>();
  private final SegmentBuffer inbound = new SegmentBuffer(ByteBuffer.allocateDirect(BUFFER_BYTES));
  private final EndpointCounters counters = new EndpointCounters();
  private int destinations;

  public FakeEndpoint(int buffers, int maxTrainPackets) {
    this.buffers = buffers;
    this.maxTrainPackets = maxTrainPackets;
    for (int i = 0; i < buffers; i++) {
      free.add(new SendBuffer(i, new SegmentBuffer(ByteBuffer.allocateDirect(BUFFER_BYTES))));
    }
  }

  public int bufferCount() {
    return buffers;
  }

  /** Buffers neither free nor on their way back. */
  public int buffersMissing() {
    return buffers - free.size() - done.size();
  }

  public int openDestinations() {
    return destinations;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(65_507, maxTrainPackets, BUFFER_BYTES, true, false, true, false, false);
  }

  @Override
  public void refreshLink() {
    linkReads++;
    isUp = isLinkUp;
  }

  @Override
  public boolean isUp() {
    return isUp;
  }

  @Override
  public DriverNotices notices() {
    return DriverNotices.NONE;
  }

  @Override
  public EndpointAddress localAddress() {
    return new EndpointAddress("fake", new byte[1]);
  }

  @Override
  public int resolve(EndpointAddress remote) throws DriverException {
    if (remote.family().equals(refusedFamily)) {
      throw new DriverException("the test refuses " + refusedFamily);
    }
    return destinations++;
  }

  @Override
  public void release(int destination) {
    destinations--;
  }

  @Override
  public int pathMaxDatagramBytes(int destination) {
    return pathMaxDatagramBytes;
  }

  @Override
  public @Nullable SendBuffer acquireSendBuffer() {
    return free.pollLast();
  }

  @Override
  public void releaseSendBuffer(SendBuffer buffer) {
    free.addLast(buffer);
  }

  @Override
  public void postSend(
      int destination, SendBuffer buffer, int length, int segmentLength, long context) {
    postSend(0, destination, buffer, length, segmentLength, context);
  }

  @Override
  public int sourcePorts() {
    return sourcePorts;
  }

  @Override
  public void postSend(
      int sourcePort,
      int destination,
      SendBuffer buffer,
      int length,
      int segmentLength,
      long context) {
    bytesFrom[sourcePort] += length;
    for (int at = 0; at < length; at += segmentLength) {
      byte[] datagram = new byte[Math.min(segmentLength, length - at)];
      buffer.buffer().getBytes(at, datagram);
      if (datagram.length <= refusedAboveBytes) {
        posted.add(datagram);
      }
    }
    done.add(buffer);
  }

  @Override
  public void flush() {
    isLeft = refusedFlushes > 0;
    if (isLeft) {
      refusedFlushes--;
    } else {
      send();
    }
  }

  @Override
  public boolean hasPosted() {
    return !posted.isEmpty();
  }

  private void send() {
    sent.addAll(posted);
    posted.clear();
  }

  @Override
  public int poll(CompletionHandler handler, int limit) {
    if (!isLeft) {
      send();
    }
    free.addAll(done);
    done.clear();
    int polled = 0;
    while (!reports.isEmpty()) {
      reports.remove().accept(handler);
      polled++;
    }
    while (!endedWrites.isEmpty()) {
      handler.onWriteComplete(endedWrites.remove(), endStatus);
    }
    while (!immediates.isEmpty()) {
      handler.onRemoteWrite(immediates.remove());
    }
    while (polled < limit && !arrivals.isEmpty()) {
      byte[] datagram = arrivals.remove();
      inbound.putBytes(0, datagram);
      handler.onReceive(inbound, 0, datagram.length, 0);
      polled++;
    }
    return polled;
  }

  @Override
  public @Nullable EndpointAddress receiveSource() {
    return source;
  }

  @Override
  public @Nullable RemoteMemory remoteMemory() {
    return memory;
  }

  @Override
  public void giveBack() {
    givenBack++;
  }

  @Override
  public EndpointCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    free.clear();
  }
}
