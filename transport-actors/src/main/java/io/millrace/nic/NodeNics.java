package io.millrace.nic;

import io.millrace.config.LinkSettings;
import io.millrace.config.NicEntry;
import io.millrace.config.NicSettings;
import io.millrace.config.TransportSettings;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.NotReadySettings;
import io.millrace.node.AddressNetwork;
import io.millrace.protocol.congestion.ReceiveBudget;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The NICs of a node with their drivers, and the endpoints opened by each worker. On its own NIC a
 * worker opens an endpoint for each driver. On each other NIC the worker opens an endpoint for the
 * NIC's last driver, shared by most peers. Immutable, any thread.
 */
public final class NodeNics {
  private final TransportSettings settings;
  private final List<Nic> nics;

  /**
   * A NIC with its drivers.
   *
   * @param number the NIC's place in the configuration
   * @param entry the entry of the configuration
   * @param drivers at least one driver, the preferred driver first
   * @param network the system's description of the address's network
   * @param share the parts of the NIC that the workers share
   */
  public record Nic(
      int number,
      NicEntry entry,
      List<DriverProvider> drivers,
      AddressNetwork network,
      NicShare share) {
    /** The name of the NIC. */
    public String name() {
      return entry.name();
    }

    /** The rate of the NIC as configured, or else as told by the system, bit/s; 0 if unknown. */
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
   * The NICs named by the settings.
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
      entries =
          List.of(
              NicEntry.only(nic.drivers(), nic.address(), settings.workers().count(), nic.rates()));
    }
    List<Nic> nics = new ArrayList<>();
    for (NicEntry entry : entries) {
      nics.add(
          new Nic(
              nics.size(),
              entry,
              List.copyOf(drivers.apply(entry.drivers())),
              networks.apply(entry.address().getAddress()),
              new NicShare(entry.rates(), entry.workers())));
    }
    return new NodeNics(settings, nics);
  }

  /** All NICs, in the order of the configuration. */
  public List<Nic> all() {
    return nics;
  }

  /** Whether a driver of the node writes into the memory of peers. */
  public boolean isOneSided() {
    return nics.stream().flatMap(nic -> nic.drivers().stream()).anyMatch(NodeNics::isOneSided);
  }

  /** Whether endpoints of a driver write into the memory of peers. */
  public static boolean isOneSided(DriverProvider driver) {
    return driver.probe() instanceof DriverAvailability.Available yes
        && yes.capabilities().oneSided();
  }

  /** The NIC of a worker. */
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

  /** The endpoints that a worker opens, on the worker's own NIC first. */
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

  /** The link of a worker's NIC, with an equal part for the worker. */
  public LinkSettings link(int worker) {
    return linkOf(of(worker));
  }

  /**
   * The bytes that may be on their way to one worker: the worker's part of the NIC's link and
   * queue.
   */
  public ReceiveBudget receiveBudget(int worker) {
    int workers = of(worker).entry().workers();
    LinkSettings link = link(worker);
    return new ReceiveBudget(
        link.bytesPerSecond(workers),
        link.queueBytes() / workers,
        link.grantBitsPerSecond() / workers);
  }

  /**
   * The bytes that may be on their way to the node by its least NIC: all peers may come by the same
   * NIC. Without a bound if no NIC has a bandwidth.
   */
  public ReceiveBudget receiveBudget() {
    return nics.stream()
        .map(NodeNics::linkOf)
        .filter(LinkSettings::isKnown)
        .map(link -> new ReceiveBudget(link.bytesPerSecond(1), link.queueBytes()))
        .min(Comparator.comparingLong(ReceiveBudget::limitBytes))
        .orElseGet(() -> new ReceiveBudget(0, 0));
  }

  private static LinkSettings linkOf(Nic nic) {
    return nic.entry().rates().link();
  }

  private EndpointSettings endpointSettings(Nic nic, int worker) {
    InetSocketAddress address = nic.entry().address();
    int port = address.getPort();
    return endpointSettings(
        settings.nic(), new InetSocketAddress(address.getAddress(), port == 0 ? 0 : port + worker));
  }

  /** The settings of an endpoint of the first NIC, opened to see whether the driver works. */
  public static EndpointSettings trial(TransportSettings settings) {
    NicSettings nic = settings.nic();
    InetSocketAddress address =
        nic.places().nics().isEmpty() ? nic.address() : nic.places().nics().getFirst().address();
    return endpointSettings(nic, new InetSocketAddress(address.getAddress(), 0));
  }

  private static NotReadySettings notReady(NicSettings.UnreadyPeers peers) {
    return new NotReadySettings(peers.deviceRetries(), peers.firstWaitNs(), peers.longestWaitNs());
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
        common.sendRate().sourcePorts(),
        notReady(common.notReady()));
  }
}
