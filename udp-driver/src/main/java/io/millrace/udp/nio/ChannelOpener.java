package io.millrace.udp.nio;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** Opens and binds the channel of an endpoint and sets its options. Control plane. */
final class ChannelOpener {
  private static final int ECT_0 = 2;
  private static final int UNUSED_BUFFER_BYTES = 2_048;

  private ChannelOpener() {}

  /**
   * Opens a bound non-blocking channel; adds a notice to {@code notices} for each setting not
   * honoured.
   *
   * @throws DriverException if the address cannot be bound
   */
  static DatagramChannel open(EndpointSettings settings, List<String> notices)
      throws DriverException {
    InetSocketAddress address = settings.bindAddress();
    if (address.isUnresolved()) {
      throw new DriverException("host name " + address.getHostString() + " does not resolve");
    }
    DatagramChannel channel = null;
    try {
      channel =
          DatagramChannel.open(
              address.getAddress() instanceof Inet4Address
                  ? StandardProtocolFamily.INET
                  : StandardProtocolFamily.INET6);
      channel.configureBlocking(false);
      configure(channel, settings, notices);
      channel.bind(address);
      return channel;
    } catch (IOException | UnsupportedOperationException e) {
      close(channel);
      throw new DriverException(sentence(address, e), e);
    }
  }

  /**
   * Opens the sending channels, with {@code bound} as the first channel; adds a notice to {@code
   * notices} for refused channels.
   */
  static DatagramChannel[] openSources(
      DatagramChannel bound, EndpointSettings settings, List<String> notices) {
    DatagramChannel[] channels = new DatagramChannel[Math.max(1, settings.sourcePorts())];
    channels[0] = bound;
    EndpointSettings own = anyPort(settings);
    for (int i = 1; i < channels.length; i++) {
      try {
        channels[i] = open(own, new ArrayList<>());
      } catch (DriverException e) {
        notices.add("source ports: asked for " + channels.length + ", got " + i);
        return Arrays.copyOf(channels, i);
      }
    }
    return channels;
  }

  /**
   * Returns the settings of channels that only send: datagrams of strangers must not take memory.
   */
  private static EndpointSettings anyPort(EndpointSettings settings) {
    return new EndpointSettings(
        new InetSocketAddress(settings.bindAddress().getAddress(), 0),
        UNUSED_BUFFER_BYTES,
        settings.sendBufferBytes(),
        settings.maxDatagramBytes(),
        settings.sendBuffers(),
        settings.maxTrainPackets(),
        settings.ecn(),
        0,
        1,
        settings.notReady());
  }

  private static void configure(
      DatagramChannel channel, EndpointSettings settings, List<String> notices) throws IOException {
    setBuffer(channel, StandardSocketOptions.SO_RCVBUF, settings.receiveBufferBytes(), notices);
    setBuffer(channel, StandardSocketOptions.SO_SNDBUF, settings.sendBufferBytes(), notices);
    trySet(channel, ExtendedSocketOptions.IP_DONTFRAGMENT, true, notices);
    if (settings.ecn()) {
      trySet(channel, StandardSocketOptions.IP_TOS, ECT_0, notices);
      notices.add("ECN: congestion marks cannot be read through a datagram channel");
    }
  }

  private static void setBuffer(
      DatagramChannel channel, SocketOption<Integer> option, int asked, List<String> notices)
      throws IOException {
    if (asked <= 0) {
      return;
    }
    channel.setOption(option, asked);
    int got = channel.getOption(option);
    if (got < asked) {
      notices.add(option.name() + ": asked for " + asked + " bytes, got " + got);
    }
  }

  private static <T> void trySet(
      DatagramChannel channel, SocketOption<T> option, T value, List<String> notices) {
    try {
      channel.setOption(option, value);
    } catch (IOException | UnsupportedOperationException e) {
      notices.add(option.name() + ": not available here: " + e.getMessage());
    }
  }

  private static String sentence(InetSocketAddress address, Exception e) {
    String host = address.getAddress().getHostAddress();
    if (e instanceof BindException && !isLocal(address.getAddress())) {
      return host + " is not an address of this host";
    }
    if (e instanceof BindException) {
      return "port " + address.getPort() + " on " + host + " is in use";
    }
    return "cannot open a socket on " + host + " port " + address.getPort() + ": " + e.getMessage();
  }

  private static boolean isLocal(InetAddress address) {
    try {
      return address.isAnyLocalAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true;
    }
  }

  private static void close(@Nullable DatagramChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The caller reports the first failure, not this failure.
    }
  }
}
