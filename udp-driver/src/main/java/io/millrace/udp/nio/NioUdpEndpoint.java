package io.millrace.udp.nio;

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
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint with one non-blocking, unconnected datagram channel. One thread at a time. Sending
 * allocates nothing; receiving allocates nothing while the sender stays the same (the JDK makes an
 * address object for a new sender).
 */
final class NioUdpEndpoint implements Endpoint {
  private final Arena arena = Arena.ofShared();
  private final SerialUse use = new SerialUse();
  private final EndpointCounters counters = new EndpointCounters();
  private final DestinationTable destinations = new DestinationTable();
  private final SendLimits limits;
  private final DatagramChannel[] channels;
  private final InetSocketAddress local;
  private final DriverNotices notices;
  private final TrainQueue trains;
  private final ChannelSender sender;
  private final ChannelReceiver receiver;
  private boolean closed;

  private NioUdpEndpoint(
      DatagramChannel[] channels, SendLimits limits, int sendBuffers, List<String> notices)
      throws IOException {
    this.channels = channels;
    this.limits = limits;
    this.notices = new DriverNotices(List.copyOf(notices));
    DatagramChannel channel = channels[0];
    local = (InetSocketAddress) channel.getLocalAddress();
    trains = new TrainQueue(arena, sendBuffers, limits.maxTrainBytes());
    sender = new ChannelSender(channels, trains, destinations, counters);
    receiver = new ChannelReceiver(channel, arena, limits.maxDatagramBytes(), counters);
  }

  static NioUdpEndpoint open(EndpointSettings settings) throws DriverException {
    List<String> notices = new ArrayList<>();
    SendLimits limits = SendLimits.of(settings, notices);
    DatagramChannel channel = ChannelOpener.open(settings, notices);
    DatagramChannel[] channels = ChannelOpener.openSources(channel, settings, notices);
    try {
      return new NioUdpEndpoint(channels, limits, settings.sendBuffers(), notices);
    } catch (IOException e) {
      throw new DriverException("cannot read the address of a bound socket", e);
    }
  }

  @Override
  public Capabilities capabilities() {
    return NioUdpProvider.capabilities(limits);
  }

  @Override
  public DriverNotices notices() {
    return notices;
  }

  @Override
  public EndpointAddress localAddress() {
    return UdpAddressCodec.encode(local);
  }

  @Override
  public int resolve(EndpointAddress remote) throws DriverException {
    InetSocketAddress address = UdpAddressCodec.decode(remote, local.getAddress());
    int pathMax = Math.min(limits.maxDatagramBytes(), PathLimit.ofInterface(local.getAddress()));
    return destinations.add(address, pathMax);
  }

  @Override
  public void release(int destination) {
    flush();
    sender.abandon(destination);
    destinations.remove(destination);
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
    return channels.length;
  }

  @Override
  public int packetOverheadBytes() {
    return PathLimit.overheadBytes(local.getAddress() instanceof Inet4Address);
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
  public @Nullable EndpointAddress receiveSource() {
    InetSocketAddress source = receiver.source();
    return source == null ? null : UdpAddressCodec.encode(source);
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
      int count = trains.reap(handler) + receiver.poll(handler, limit);
      if (count == 0) {
        counters.emptyPolls++;
      }
      return count;
    } finally {
      assert use.exit();
    }
  }

  @Override
  public @Nullable RemoteMemory remoteMemory() {
    return null;
  }

  @Override
  public void giveBack() {
    if (!closed) {
      trains.giveBack();
    }
  }

  @Override
  public EndpointCounters counters() {
    return counters;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    assert use.enter() : "another thread is using this endpoint";
    closed = true;
    trains.close();
    for (DatagramChannel channel : channels) {
      try {
        channel.close();
      } catch (IOException e) {
        // A datagram socket has no data left to lose at its close.
      }
    }
    arena.close();
    assert use.exit();
  }
}
