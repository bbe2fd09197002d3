package io.millrace.udp.linux;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.SendBuffer;
import io.millrace.udp.internal.DestinationTable;
import io.millrace.udp.internal.PathLimit;
import io.millrace.udp.internal.SendLimits;
import io.millrace.udp.internal.SerialUse;
import io.millrace.udp.internal.TrainQueue;
import io.millrace.udp.internal.UdpAddressCodec;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint with one unconnected socket, which receives and also sends to idle destinations; busy
 * destinations have connected sockets. One thread at a time. Native memory belongs to an arena,
 * which {@link #close} closes.
 */
final class LinuxUdpEndpoint implements Endpoint {
  private static final int MAX_MESSAGES = 64;

  private final SerialUse use = new SerialUse();
  private final EndpointCounters counters = new EndpointCounters();
  private final DestinationTable destinations = new DestinationTable();
  private final PathEvents events = new PathEvents(destinations);
  private final Arena arena;
  private final SendLimits limits;
  private final SocketSetup setup;
  private final SocketCalls calls;
  private final BoundSocket socket;
  private final SourceSockets sources;
  private final DriverNotices notices;
  private final DestinationAddresses addresses;
  private final ErrorQueue errors;
  private final ConnectedSockets connected;
  private final TrainQueue trains;
  private final TrainSender sender;
  private final ReceiveRing receiver;
  private final LinkWatch link;
  private final int[] arrivals;
  private boolean closed;

  private LinuxUdpEndpoint(
      Arena arena,
      SocketSetup setup,
      BoundSocket socket,
      SourceSockets sources,
      SendLimits limits,
      LinkWatch link,
      DriverNotices notices) {
    this.arena = arena;
    this.setup = setup;
    this.calls = setup.calls();
    this.socket = socket;
    this.sources = sources;
    this.limits = limits;
    this.link = link;
    this.notices = notices;
    Libc libc = calls.libc();
    EndpointSettings settings = setup.settings();
    addresses = new DestinationAddresses(arena);
    errors = new ErrorQueue(libc, arena, socket.version(), destinations, addresses, events);
    connected = new ConnectedSockets(setup, addresses, socket, settings.connectedSockets());
    trains = new TrainQueue(arena, settings.sendBuffers(), limits.maxTrainBytes());
    SendFailures failures = new SendFailures(errors, events, sources, socket, counters);
    MessageTable messages = new MessageTable(arena, MAX_MESSAGES);
    TrainSockets sockets = new TrainSockets(sources, connected);
    sender = new TrainSender(libc, messages, trains, sockets, addresses, failures, counters);
    receiver = new ReceiveRing(libc, arena, socket, limits.maxDatagramBytes(), counters);
    arrivals = IntStream.of(socket.fd(), link.fd()).filter(fd -> fd >= 0).toArray();
  }

  /**
   * Opens an endpoint.
   *
   * @throws DriverException if a setting makes no sense or the address cannot be bound
   */
  static LinuxUdpEndpoint open(Libc libc, EndpointSettings settings) throws DriverException {
    List<String> degraded = new ArrayList<>();
    SendLimits limits = SendLimits.of(settings, degraded);
    Arena arena = Arena.ofShared();
    SocketCalls calls = new SocketCalls(libc, arena);
    BoundSocket socket = null;
    SourceSockets sources = null;
    LinkWatch link = null;
    try {
      SocketSetup setup = new SocketSetup(calls, settings);
      socket = setup.openBound(degraded);
      sources = SourceSockets.open(setup, socket, settings.sourcePorts(), degraded);
      link = LinkWatch.open(libc, arena, socket.local().getAddress(), degraded);
      DriverNotices notices = new DriverNotices(List.copyOf(degraded));
      return new LinuxUdpEndpoint(arena, setup, socket, sources, limits, link, notices);
    } catch (DriverException | RuntimeException | Error e) {
      if (link != null) {
        link.close();
      }
      if (sources != null) {
        sources.closeSenders();
      }
      if (socket != null) {
        calls.close(socket.fd());
      }
      arena.close();
      throw e;
    }
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(
        limits.maxDatagramBytes(),
        limits.maxTrainPackets(),
        limits.maxTrainBytes(),
        socket.cutsTrains(),
        socket.joinsTrains(),
        socket.readsMarks(),
        socket.reportsErrors(),
        false);
  }

  @Override
  public DriverNotices notices() {
    return notices;
  }

  @Override
  public EndpointAddress localAddress() {
    return UdpAddressCodec.encode(socket.local());
  }

  @Override
  public int resolve(EndpointAddress remote) throws DriverException {
    InetSocketAddress address = UdpAddressCodec.decode(remote, socket.local().getAddress());
    int mtu = setup.routeMtu(address);
    int pathMax =
        mtu > 0
            ? PathLimit.ofMtu(mtu, socket.version() == IpVersion.IPV4)
            : PathLimit.ofInterface(socket.local().getAddress());
    int destination = destinations.add(address, Math.min(limits.maxDatagramBytes(), pathMax));
    addresses.set(destination, address);
    events.makeRoomFor(destination);
    connected.makeRoomFor(destination);
    return destination;
  }

  @Override
  public void release(int destination) {
    if (destinations.contains(destination)) {
      flush();
      sender.abandon(destination);
      connected.forget(destination);
      events.forget(destination);
      destinations.remove(destination);
    }
  }

  @Override
  public int pathMaxDatagramBytes(int destination) {
    return destinations.pathMaxBytes(destination);
  }

  @Override
  public @Nullable SendBuffer acquireSendBuffer() {
    return trains.acquire();
  }

  @Override
  public void releaseSendBuffer(SendBuffer buffer) {
    trains.release(buffer);
  }

  @Override
  public void postSend(
      int destination, SendBuffer buffer, int length, int segmentLength, long context) {
    postSend(0, destination, buffer, length, segmentLength, context);
  }

  @Override
  public void postSend(
      int sourcePort,
      int destination,
      SendBuffer buffer,
      int length,
      int segmentLength,
      long context) {
    if (limits.allows(length, segmentLength) && destinations.contains(destination)) {
      trains.post(buffer, sourcePort, destination, length, segmentLength, context);
    } else {
      counters.sendFailures++;
      trains.reject(buffer, context);
    }
  }

  @Override
  public int sourcePorts() {
    return sources.count();
  }

  @Override
  public int packetOverheadBytes() {
    return PathLimit.overheadBytes(socket.version() == IpVersion.IPV4);
  }

  @Override
  public void flush() {
    if (closed) {
      return;
    }
    assert use.enter() : "another thread is using this endpoint";
    try {
      sender.flush();
    } finally {
      assert use.exit();
    }
  }

  @Override
  public boolean hasPosted() {
    return trains.postedCount() > 0;
  }

  @Override
  public int poll(CompletionHandler handler, int limit) {
    if (closed) {
      return 0;
    }
    assert use.enter() : "another thread is using this endpoint";
    try {
      int count = trains.reap(handler) + events.deliver(handler) + receive(handler, limit);
      if (count == 0) {
        counters.emptyPolls++;
      }
      return count;
    } finally {
      assert use.exit();
    }
  }

  @Override
  public @Nullable EndpointAddress receiveSource() {
    InetSocketAddress source = receiver.source();
    return source == null ? null : UdpAddressCodec.encode(source);
  }

  private int receive(CompletionHandler handler, int limit) {
    int received = receiver.poll(handler, limit);
    if (received >= 0 || received == -Errno.EAGAIN || received == -Errno.EINTR) {
      return Math.max(0, received);
    }
    // An error of an earlier send; datagrams may wait behind the error.
    errors.drain(socket.fd());
    return events.deliver(handler) + Math.max(0, receiver.poll(handler, limit));
  }

  @Override
  public @Nullable RemoteMemory remoteMemory() {
    return null;
  }

  @Override
  public void refreshLink() {
    if (!closed) {
      link.refresh();
    }
  }

  @Override
  public boolean isUp() {
    return link.isUp();
  }

  /**
   * Returns the receiving socket and the descriptor of the link watch. Errors of sending sockets
   * appear at the next send.
   */
  @Override
  public int[] arrivalDescriptors() {
    return arrivals;
  }

  @Override
  public void giveBack() {
    if (!closed) {
      trains.giveBack();
      receiver.giveBack();
    }
  }

  @Override
  public EndpointCounters counters() {
    return counters;
  }

  /** Returns the present number of destinations with a connected socket; for tests. */
  int connectedCount() {
    return connected.connectedCount();
  }

  /** Whether this destination has a connected socket now; for tests. */
  boolean isConnected(int destination) {
    return connected.isConnected(destination);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    assert use.enter() : "another thread is using this endpoint";
    closed = true;
    trains.close();
    connected.close();
    sources.closeSenders();
    calls.close(socket.fd());
    link.close();
    arena.close();
    assert use.exit();
  }
}
