package io.millrace.engine;

import io.millrace.config.NicEntry;
import io.millrace.config.NicSettings;
import io.millrace.config.TransportSettings;
import io.millrace.event.TransportEvents;
import io.millrace.loop.Machine;
import io.millrace.node.SystemNics;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * Tells the lacks of a node on its machine, before the node starts; the node starts all the same.
 */
final class StartCheck {
  /**
   * Descriptors that a node needs beside the descriptors of workers: for handshakes, files and the
   * JVM.
   */
  private static final int OTHER_DESCRIPTORS = 16;

  private StartCheck() {}

  /**
   * Tells the lacks of the node.
   *
   * @param jvmFlags the flags of the JVM's start; asked only if the flags matter
   */
  static void tell(
      TransportSettings settings,
      Machine machine,
      Supplier<List<String>> jvmFlags,
      TransportEvents events) {
    if (settings.nic().places().isSearchVain()) {
      events.onResourceMissing(
          "NICs",
          "nics = auto found no interface that is up and leads away from this host",
          "the address of the block nic is used: " + settings.nic().address().getHostString());
    }
    for (InetSocketAddress address : addresses(settings.nic())) {
      tellNic(address, machine, events);
    }
    tellDescriptors(settings, machine, events);
    if (machine.hugePages() == 0 && jvmFlags.get().contains("-XX:+UseLargePages")) {
      events.onResourceMissing(
          "huge pages",
          "the JVM was told to use them, and none are set aside",
          "small ones are used");
    }
  }

  private static List<InetSocketAddress> addresses(NicSettings nic) {
    List<NicEntry> nics = nic.places().nics();
    return nics.isEmpty() ? List.of(nic.address()) : nics.stream().map(NicEntry::address).toList();
  }

  private static void tellNic(InetSocketAddress address, Machine machine, TransportEvents events) {
    SystemNics.Nic found = machine.nicOf(address.getAddress());
    if (found != null && !found.isUp()) {
      events.onResourceMissing(
          "NIC " + found.name(),
          "it is down, or its link is",
          "workers listen at its address, and peers reach it once it is up");
    }
  }

  private static void tellDescriptors(
      TransportSettings settings, Machine machine, TransportEvents events) {
    NicSettings nic = settings.nic();
    long ofWorker = (long) nic.connectedSockets() + nic.sendRate().sourcePorts();
    long wanted = settings.workers().count() * ofWorker + OTHER_DESCRIPTORS;
    long spare = machine.spareDescriptors();
    if (spare != Machine.UNKNOWN && spare < wanted) {
      events.onResourceMissing(
          "file descriptors",
          spare + " may still be opened, up to " + wanted + " are wanted",
          "busy peers share the socket of their worker");
    }
  }
}
