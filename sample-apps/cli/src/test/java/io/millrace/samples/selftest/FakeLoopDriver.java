package io.millrace.samples.selftest;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;

/** A driver inside of the process that has one fault, for the unit tests of the self-test. */
final class FakeLoopDriver implements DriverProvider {
  private static final Capabilities CAPABILITIES =
      new Capabilities(1_000, 1, 1_000, false, false, false, false, true);

  private final Fault fault;
  private final List<LoopEndpoint> endpoints = new ArrayList<>();
  private final Map<Long, MemorySegment> regions = new HashMap<>();
  private long lastKey;

  /** Holds the thread of the self-test inside of an open, until the test's end. */
  final CountDownLatch release = new CountDownLatch(1);

  /** A fault of the driver. */
  enum Fault {
    NONE,
    KEEPS_STALE_KEYS,
    LOSES_MESSAGES,
    WRITES_ALL_BUT_THE_LAST_BYTE,
    FORGETS_IMMEDIATES,
    REFUSES_LARGE_REGISTRATIONS,
    LACKS_SPACE_FOR_MORE,
    HANGS_IN_OPEN
  }

  FakeLoopDriver(Fault fault) {
    this.fault = fault;
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public String family() {
    return "fake";
  }

  @Override
  public int preference() {
    return 0;
  }

  @Override
  public DriverAvailability probe() {
    return new DriverAvailability.Available(CAPABILITIES);
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    if (fault == Fault.LACKS_SPACE_FOR_MORE && endpoints.size() > 2) {
      throw new DriverException("/dev/shm has 5 KiB free, and an endpoint takes 17408 KiB");
    }
    if (fault == Fault.HANGS_IN_OPEN) {
      boolean isInterrupted = false;
      while (release.getCount() > 0 && !isInterrupted) {
        isInterrupted = !awaitRelease();
      }
    }
    LoopEndpoint endpoint = new LoopEndpoint(endpoints.size());
    endpoints.add(endpoint);
    return endpoint;
  }

  private boolean awaitRelease() {
    try {
      release.await();
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** An endpoint that delivers at the target's next poll. */
  private final class LoopEndpoint implements Endpoint, RemoteMemory {
    private final int number;
    private final Arena arena = Arena.ofShared();
    private final SegmentBuffer memory = new SegmentBuffer(arena.allocate(1_000).address(), 1_000);
    private final Queue<byte[]> arrived = new ArrayDeque<>();
    private final Queue<Integer> completed = new ArrayDeque<>();
    private final Queue<Long> immediates = new ArrayDeque<>();

    LoopEndpoint(int number) {
      this.number = number;
    }

    @Override
    public Capabilities capabilities() {
      return CAPABILITIES;
    }

    @Override
    public DriverNotices notices() {
      return DriverNotices.NONE;
    }

    @Override
    public EndpointAddress localAddress() {
      return new EndpointAddress("fake", new byte[] {(byte) number});
    }

    @Override
    public int resolve(EndpointAddress remote) {
      return remote.bytes()[0];
    }

    @Override
    public void release(int destination) {}

    @Override
    public int pathMaxDatagramBytes(int destination) {
      return CAPABILITIES.maxDatagramBytes();
    }

    @Override
    public SendBuffer acquireSendBuffer() {
      return new SendBuffer(0, memory);
    }

    @Override
    public void releaseSendBuffer(SendBuffer buffer) {}

    @Override
    public void postSend(
        int destination, SendBuffer buffer, int length, int segmentLength, long context) {
      byte[] bytes = new byte[length];
      buffer.buffer().getBytes(0, bytes);
      if (fault != Fault.LOSES_MESSAGES) {
        endpoints.get(destination).arrived.add(bytes);
      }
    }

    @Override
    public void flush() {}

    @Override
    public int poll(CompletionHandler handler, int limit) {
      int given = arrived.size() + completed.size() + immediates.size();
      for (byte[] bytes = arrived.poll(); bytes != null; bytes = arrived.poll()) {
        memory.putBytes(0, bytes);
        handler.onReceive(memory, 0, bytes.length, 0);
      }
      for (Integer status = completed.poll(); status != null; status = completed.poll()) {
        handler.onWriteComplete(0, status);
      }
      for (Long value = immediates.poll(); value != null; value = immediates.poll()) {
        handler.onRemoteWrite(value);
      }
      return given;
    }

    @Override
    public RemoteMemory remoteMemory() {
      return this;
    }

    @Override
    public EndpointCounters counters() {
      return new EndpointCounters();
    }

    @Override
    public void close() {
      if (arena.scope().isAlive()) {
        arena.close();
      }
    }

    @Override
    public MemoryRegion register(MemorySegment segment, boolean remoteWrite)
        throws DriverException {
      if (fault == Fault.REFUSES_LARGE_REGISTRATIONS && segment.byteSize() > 1 << 20) {
        throw new DriverException("fi_mr_reg failed: Cannot allocate memory");
      }
      lastKey++;
      regions.put(lastKey, segment);
      return new MemoryRegion(segment, lastKey, 0, lastKey);
    }

    @Override
    public void deregister(MemoryRegion region) {
      if (fault != Fault.KEEPS_STALE_KEYS) {
        regions.remove(region.handle());
      }
    }

    @Override
    public boolean postWrite(int destination, RemoteWrite write, long context) {
      MemorySegment into = regions.get(write.remoteKey());
      if (into == null) {
        completed.add(CompletionHandler.STATUS_REMOTE_ACCESS);
        return true;
      }
      long missing = fault == Fault.WRITES_ALL_BUT_THE_LAST_BYTE ? 1 : 0;
      MemorySegment from = write.source().memory();
      into.copyFrom(from.asSlice(write.sourceOffset(), write.length() - missing));
      completed.add(CompletionHandler.STATUS_OK);
      if (write.hasImmediate() && fault != Fault.FORGETS_IMMEDIATES) {
        endpoints.get(destination).immediates.add(write.immediate());
      }
      return true;
    }
  }
}
