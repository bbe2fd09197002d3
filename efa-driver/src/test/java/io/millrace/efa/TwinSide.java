package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.MappedMemory;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * One end of the measurement of {@link TwinMain}, by the SPI alone: writes into the region of the
 * other end, and counts. Does not allocate after {@link #meet}.
 */
final class TwinSide implements CompletionHandler, AutoCloseable {
  static final int SMALL_BYTES = 64;
  static final long PING = 1;
  static final long PONG = 2;
  static final long PAUSE = 3;
  static final long STOP = 4;

  private static final int REGION_BYTES = 8 << 20;
  private static final int WINDOW = 64;
  private static final int WINDOW_BYTES = 4 << 20;
  private static final int BATCH = 32;
  private static final long PAGE_BYTES = 2 << 20;

  private final Endpoint endpoint;
  private final RemoteMemory memory;
  private final MemoryRegion region;
  private final RemoteWrite write = new RemoteWrite();
  private int destination;
  private long base;
  private long key;
  private long posted;
  private long ended;
  private int pings;
  private long pongs;
  private boolean isPaused;
  private boolean isStopped;

  TwinSide(String provider, Arena arena) throws DriverException {
    InetAddress address = InetAddress.getLoopbackAddress();
    String wanted = System.getenv("TWIN_ADDRESS");
    InetSocketAddress bind =
        wanted == null ? new InetSocketAddress(address, 0) : new InetSocketAddress(wanted, 0);
    endpoint = FabricDrivers.provider(provider).open(EndpointSettings.defaults(bind));
    memory =
        Objects.requireNonNull(endpoint.remoteMemory(), "the provider does not write one-sided");
    region = memory.register(MappedMemory.map(arena, REGION_BYTES, PAGE_BYTES), true);
    region.memory().fill((byte) 1);
  }

  /** The place of the region, for the other end. */
  Place place() {
    return new Place(endpoint.localAddress(), region.remoteBase(), region.remoteKey());
  }

  /** A region that the other end writes into. */
  record Place(EndpointAddress address, long base, long key) {}

  void meet(Place place) throws DriverException {
    destination = endpoint.resolve(place.address());
    base = place.base();
    key = place.key();
  }

  /** Posts a write; false if there is no room. Without an immediate value if that is 0. */
  private boolean post(long offset, long bytes, long immediate) {
    if (posted - ended >= WINDOW) {
      return false;
    }
    write.source(region, offset, bytes).target(base + offset, key);
    if (immediate != 0) {
      write.immediate(immediate);
    }
    if (!memory.postWrite(destination, write, posted)) {
      return false;
    }
    posted++;
    return true;
  }

  /** Polls, and answers pings. */
  void serve() {
    endpoint.poll(this, BATCH);
    if (pings > 0 && post(0, SMALL_BYTES, PONG)) {
      pings--;
    }
  }

  private void turn(TwinSide far) {
    endpoint.poll(this, BATCH);
    if (far != this) {
      far.serve();
    }
  }

  /** A write with an immediate value, there and back; {@code far} is this for another process. */
  void roundTrip(TwinSide far) {
    long before = pongs;
    while (!post(0, SMALL_BYTES, PING)) {
      turn(far);
    }
    while (pongs == before) {
      turn(far);
    }
  }

  /** Writes, with at most 64 writes and 4 MiB under way, until all writes have ended. */
  void writes(TwinSide far, int bytes, int count) {
    int window = Math.min(WINDOW, WINDOW_BYTES / bytes);
    int slots = REGION_BYTES / bytes;
    for (int i = 0; i < count; i++) {
      while (posted - ended >= window || !post((long) (i % slots) * bytes, bytes, 0)) {
        turn(far);
      }
    }
    drain(far);
  }

  void drain(TwinSide far) {
    while (ended < posted) {
      turn(far);
    }
  }

  /** Writes {@link #PAUSE} or {@link #STOP}. */
  void tell(long immediate) {
    while (!post(0, SMALL_BYTES, immediate)) {
      turn(this);
    }
    drain(this);
  }

  /** Whether the other end has paused, and not pinged since. */
  boolean isPaused() {
    return isPaused;
  }

  boolean isStopped() {
    return isStopped;
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    throw new IllegalStateException("nobody sends messages");
  }

  @Override
  public void onWriteComplete(long context, int status) {
    if (status != STATUS_OK) {
      throw new IllegalStateException("a write failed: " + status);
    }
    ended++;
  }

  @Override
  public void onRemoteWrite(long immediate) {
    pings += immediate == PING ? 1 : 0;
    pongs += immediate == PONG ? 1 : 0;
    isPaused = immediate == PAUSE;
    isStopped |= immediate == STOP;
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
