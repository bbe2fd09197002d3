package io.millrace.samples.cli;

import io.millrace.config.Addresses;
import io.millrace.config.SettingsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.List;

/** Addresses typed by users, and the address of this machine that peers can answer to. */
final class LocalAddress {
  private static final int ANSWER_MS = 1_000;

  private LocalAddress() {}

  /**
   * Reads an argument {@code host:port}.
   *
   * @throws CommandException with the name of the argument if the text is malformed or the host is
   *     unknown
   */
  static InetSocketAddress parse(String argument, String text) {
    try {
      return Addresses.parseArgument(argument, text);
    } catch (SettingsException e) {
      throw CommandException.badArgument(Sentence.of(e));
    }
  }

  /**
   * Reads arguments {@code host:port}, possibly with unknown hosts.
   *
   * @throws CommandException with the name of the argument if a text is malformed
   */
  static List<String> list(String argument, List<String> texts) {
    try {
      texts.forEach(text -> Addresses.requireForm(argument, text));
    } catch (SettingsException e) {
      throw CommandException.badArgument(Sentence.of(e));
    }
    return texts;
  }

  /**
   * Returns {@code host:0} of the interface for packets to the first address with a known host.
   *
   * @throws CommandException if a text is malformed, or no host is known
   */
  static String towardFirst(String argument, List<String> texts) {
    String problem = argument + " must name a node";
    for (String text : list(argument, texts)) {
      try {
        return toward(Addresses.parseArgument(argument, text));
      } catch (SettingsException e) {
        problem = Sentence.of(e);
      }
    }
    throw CommandException.badArgument(problem);
  }

  /** Returns {@code host:0} of the interface for packets to {@code remote}. */
  static String toward(InetSocketAddress remote) {
    return interfaceTo(answering(remote));
  }

  /**
   * Returns, for a name with several addresses, the first address that accepts connections, or else
   * the first address. The addresses may be of both families, and the node started here has only
   * one family.
   */
  private static InetSocketAddress answering(InetSocketAddress remote) {
    List<InetSocketAddress> all = all(remote);
    for (InetSocketAddress each : all.size() > 1 ? all : List.<InetSocketAddress>of()) {
      try (Socket socket = new Socket()) {
        socket.connect(each, ANSWER_MS);
        return each;
      } catch (IOException e) {
        // another address may answer
      }
    }
    return remote;
  }

  private static List<InetSocketAddress> all(InetSocketAddress remote) {
    try {
      return Arrays.stream(InetAddress.getAllByName(remote.getHostString()))
          .map(each -> new InetSocketAddress(each, remote.getPort()))
          .toList();
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  private static String interfaceTo(InetSocketAddress remote) {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.connect(remote);
      InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
      return anyPort(local);
    } catch (IOException e) {
      throw CommandException.failed(
          "there is no way to " + Addresses.format(remote) + ": " + Sentence.of(e));
    }
  }

  /** Returns the same host with a port chosen by the system. */
  static String anyPort(InetSocketAddress address) {
    return Addresses.format(new InetSocketAddress(address.getAddress(), 0));
  }
}
