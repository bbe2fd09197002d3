package io.millrace.nic;

import io.millrace.config.LinkSettings;
import io.millrace.config.NicEntry;
import io.millrace.config.NicSettings;
import io.millrace.config.TransportSettings;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.EndpointSettings;
import io.millrace.node.AddressNetwork;
import io.millrace.protocol.congestion.ReceiveBudget;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The NICs of a node with their drivers, and which endpoints each worker opens: its own NIC's, one
 * for each driver, then one on each other NIC by the last of that NIC's drivers, which is the one
 * that most peers share. Immutable, any thread.
 */
public final class NodeNics {
  private final TransportSettings settings;
  private final List<Nic> nics;

  /**
   * A NIC and its drivers.
   *
   * @param number its place in the configuration
   * @param entry what the configuration says
   * @param drivers one at least, the preferred first
   * @param network what the system knows of its address
   */
  public record Nic(
      int number, NicEntry entry, List<DriverProvider> drivers, AddressNetwork network) {
    /** Its name. */
    public String name() {
      return entry.name();
    }

    /** What it carries as it is configured, or else as the system says; 0 if nobody knows. */
    long bitsPerSecond() {
      return entry.bitsPerSecond() > 0 ? entry.bitsPerSecond() : network.bitsPerSecond();
    }
  }

  /** An endpoint to open. */
  public record Place(Nic nic, DriverProvider driver, EndpointSettings settings) {}

  private NodeNics(TransportSettings settings, List<Nic> nics) {
    this.settings = settings;
    this.nics = List.copyOf(nics);
  }

  /**
   * The NICs that the settings name.
   *
   * @param drivers finds the drivers of a NIC by their names in the settings
   * @param networks tells of the network of a local address
   */
  public static NodeNics of(
      TransportSettings settings,
      Function<List<String>, List<DriverProvider>> drivers,
      Function<InetAddress, AddressNetwork> networks) {
    NicSettings nic = settings.nic();
    List<NicEntry> entries = nic.places().nics();
    if (entries.isEmpty()) {
      entries = List.of(NicEntry.only(nic.driver(), nic.address(), settings.workers().count()));
    }
    List<Nic> nics = new ArrayList<>();
    for (NicEntry entry : entries) {
      nics.add(
          new Nic(
              nics.size(),
              entry,
              List.copyOf(drivers.apply(entry.drivers())),
              networks.apply(entry.address().getAddress())));
    }
    return new NodeNics(settings, nics);
  }

  /** All of them, in the order of the configuration. */
  public List<Nic> all() {
    return nics;
  }

  /** Whether some driver writes into the memory of peers. */
  public boolean isOneSided() {
    return nics.stream().flatMap(nic -> nic.drivers().stream()).anyMatch(NodeNics::isOneSided);
  }

  /** Whether endpoints of a driver write into the memory of peers. */
  public static boolean isOneSided(DriverProvider driver) {
    return driver.probe() instanceof DriverAvailability.Available yes
        && yes.capabilities().oneSided();
  }

  /** The NIC that a worker owns. */
  public Nic of(int worker) {
    int left = worker;
    for (Nic nic : nics) {
      if (left < nic.entry().workers()) {
        return nic;
      }
      left -= nic.entry().workers();
    }
    throw new IllegalArgumentException("no NIC has worker " + worker);
  }

  /** What a worker opens, its own NIC's endpoints first. */
  public List<Place> placesOf(int worker) {
    Nic own = of(worker);
    List<Place> places = new ArrayList<>();
    for (DriverProvider driver : own.drivers()) {
      places.add(new Place(own, driver, endpointSettings(own, worker)));
    }
    for (Nic other : nics) {
      if (other != own) {
        places.add(new Place(other, other.drivers().getLast(), endpointSettings(other, worker)));
      }
    }
    return places;
  }

  /** The link of a worker's NIC, of which the worker has an equal part. */
  public LinkSettings link(int worker) {
    return linkOf(of(worker));
  }

  /** What may be on its way to one worker: its part of its NIC's link and queue. */
  public ReceiveBudget receiveBudget(int worker) {
    int workers = of(worker).entry().workers();
    LinkSettings link = link(worker);
    return new ReceiveBudget(
        link.bytesPerSecond(workers),
        link.queueBytes() / workers,
        link.grantBitsPerSecond() / workers);
  }

  /** What may be on its way to all workers together. */
  public ReceiveBudget receiveBudget() {
    long bytesPerSecond = 0;
    long queueBytes = 0;
    for (Nic nic : nics) {
      bytesPerSecond += linkOf(nic).bytesPerSecond(1);
      queueBytes += linkOf(nic).queueBytes();
    }
    return new ReceiveBudget(bytesPerSecond, queueBytes);
  }

  private LinkSettings linkOf(Nic nic) {
    LinkSettings common = settings.nic().link();
    long bits = nic.entry().bitsPerSecond();
    return bits == 0
        ? common
        : new LinkSettings(bits, common.queueBytes(), common.grantBitsPerSecond());
  }

  private EndpointSettings endpointSettings(Nic nic, int worker) {
    InetSocketAddress address = nic.entry().address();
    int port = address.getPort();
    return endpointSettings(
        settings.nic(), new InetSocketAddress(address.getAddress(), port == 0 ? 0 : port + worker));
  }

  /** How an endpoint of the first NIC is opened to see whether its driver works. */
  public static EndpointSettings trial(TransportSettings settings) {
    NicSettings nic = settings.nic();
    InetSocketAddress address =
        nic.places().nics().isEmpty() ? nic.address() : nic.places().nics().getFirst().address();
    return endpointSettings(nic, new InetSocketAddress(address.getAddress(), 0));
  }

  private static EndpointSettings endpointSettings(NicSettings common, InetSocketAddress address) {
    return new EndpointSettings(
        address,
        common.receiveBufferBytes(),
        common.sendBufferBytes(),
        common.maxDatagramBytes(),
        common.sendBuffers(),
        common.maxTrainPackets(),
        common.ecn(),
        common.connectedSockets(),
        common.sendRate().sourcePorts());
  }
}
