package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** An endpoint and all its reports, driven by the test's own thread. */
final class Peer implements CompletionHandler, AutoCloseable {
  private static final long PATIENCE_NS = 20_000_000_000L;

  final FabricEndpoint endpoint;
  final List<byte[]> datagrams = new ArrayList<>();
  final List<Completion> sends = new ArrayList<>();
  final List<Completion> writes = new ArrayList<>();
  final List<Long> immediates = new ArrayList<>();
  final List<Integer> unreachable = new ArrayList<>();

  /** A completed operation. */
  record Completion(long context, int status) {}

  private Peer(FabricEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** Opens an endpoint of {@code provider} on the loopback address. */
  static Peer open(String provider) throws DriverException {
    return open(provider, settings());
  }

  /** Opens an endpoint of {@code provider} with this clock. */
  static Peer open(String provider, LongSupplier clockNs) throws DriverException {
    FabricProvider driver = new FabricProvider(FabricDrivers.PREFIX + provider, provider, clockNs);
    return new Peer((FabricEndpoint) driver.open(settings()));
  }

  static Peer open(String provider, EndpointSettings settings) throws DriverException {
    return new Peer((FabricEndpoint) FabricDrivers.provider(provider).open(settings));
  }

  static EndpointSettings settings() {
    return EndpointSettings.defaults(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Resolves an address of another process on this host. */
  int resolve(byte[] address) throws DriverException {
    return endpoint.resolve(new EndpointAddress(endpoint.localAddress().family(), address));
  }

  int resolve(Peer other) throws DriverException {
    return endpoint.resolve(other.endpoint.localAddress());
  }

  /** Posts a write and gives all peers turns until the provider takes the write. */
  boolean write(int destination, RemoteWrite write, long context, Peer... others) {
    BooleanSupplier post = () -> endpoint.remoteMemory().postWrite(destination, write, context);
    return turnUntil(post, with(others));
  }

  /** Posts a train of {@code length} bytes with values counting up from {@code first}. */
  void send(int destination, int first, int length, int segmentLength, long context) {
    SendBuffer buffer = Objects.requireNonNull(endpoint.acquireSendBuffer());
    for (int i = 0; i < length; i++) {
      buffer.buffer().putByte(i, (byte) (first + i));
    }
    endpoint.postSend(destination, buffer, length, segmentLength, context);
    endpoint.flush();
  }

  /** Waits for the completion of the write with this context, and returns the status. */
  int awaitWrite(long context, Peer... others) {
    if (!turnUntil(() -> statusOf(context) >= 0, with(others))) {
      throw new AssertionError("write " + context + " never completed");
    }
    return statusOf(context);
  }

  private int statusOf(long context) {
    for (Completion completion : writes) {
      if (completion.context() == context) {
        return completion.status();
      }
    }
    return -1;
  }

  private Peer[] with(Peer... others) {
    Peer[] all = new Peer[others.length + 1];
    all[0] = this;
    System.arraycopy(others, 0, all, 1, others.length);
    return all;
  }

  /** Gives each peer turns until {@code done}; returns false after the time limit. */
  static boolean turnUntil(BooleanSupplier done, Peer... peers) {
    long startNs = System.nanoTime();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() - startNs > PATIENCE_NS) {
        return false;
      }
      for (Peer peer : peers) {
        peer.endpoint.poll(peer, 64);
      }
    }
    return true;
  }

  /**
   * Returns a write of {@code length} bytes from the start of one region to an offset in another
   * region.
   */
  static RemoteWrite write(MemoryRegion source, long length, MemoryRegion target, long offset) {
    return new RemoteWrite()
        .source(source, 0, length)
        .target(target.remoteBase() + offset, target.remoteKey());
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    datagrams.add(bytes);
  }

  @Override
  public void onSendComplete(long context, int status) {
    sends.add(new Completion(context, status));
  }

  @Override
  public void onWriteComplete(long context, int status) {
    writes.add(new Completion(context, status));
  }

  @Override
  public void onRemoteWrite(long immediate) {
    immediates.add(immediate);
  }

  @Override
  public void onUnreachable(int destination) {
    unreachable.add(destination);
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
