package io.millrace.efa;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricException;
import io.millrace.efa.ofi.LibFabric;
import io.millrace.efa.ofi.LibFabricLoader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The drivers {@code efa} and {@code fabric:PROVIDER}: endpoints of one libfabric provider.
 *
 * <p>Each driver is an address family of its own, because providers do not talk to each other; the
 * family of shm ends at the host.
 */
public final class FabricProvider implements DriverProvider {
  private static final String EFA = "efa";
  private static final String DIRECT = "-direct";
  private static final String SHARED_MEMORY = "shm";
  private static final int EFA_PREFERENCE = 100;

  /** The preference of all other drivers, which applications must name explicitly. */
  private static final int ASKED_FOR_PREFERENCE = -100;

  private final String name;
  private final String provider;

  /** The time of the endpoints. */
  private final LongSupplier clockNs;

  /**
   * Whether endpoints of this family use each other's memory inside of a process: endpoints of the
   * provider shm, and of efa, which uses shm to peers on the same host; not of efa-direct.
   */
  static boolean sharesMemory(String family) {
    return family.equals(EFA)
        || family.equals(FabricDrivers.PREFIX + EFA)
        || family.startsWith(FabricDrivers.PREFIX + SHARED_MEMORY);
  }

  /** Creates the driver {@code efa}. */
  public FabricProvider() {
    this(EFA, EFA);
  }

  FabricProvider(String name, String provider) {
    this(name, provider, System::nanoTime);
  }

  FabricProvider(String name, String provider, LongSupplier clockNs) {
    this.name = name;
    this.provider = provider;
    this.clockNs = clockNs;
  }

  @Override
  public String name() {
    return name;
  }

  /** Returns a driver for {@code efa}, and for {@code fabric:PROVIDER} with every provider. */
  @Override
  public @Nullable DriverProvider named(String wanted) {
    if (wanted.startsWith(FabricDrivers.PREFIX)
        && wanted.length() > FabricDrivers.PREFIX.length()) {
      return FabricDrivers.provider(wanted.substring(FabricDrivers.PREFIX.length()));
    }
    return wanted.equals(name) ? this : null;
  }

  @Override
  public String family() {
    return provider.startsWith(SHARED_MEMORY) ? name + "@" + SharedMemoryHost.id() : name;
  }

  @Override
  public int preference() {
    return name.equals(EFA) ? EFA_PREFERENCE : ASKED_FOR_PREFERENCE;
  }

  @Override
  public DriverAvailability probe() {
    try {
      LibFabric library = library();
      prepare();
      FabricGrant grant = FabricGrant.ask(library, provider, null);
      library.release(grant.info());
      EndpointSettings settings = EndpointSettings.defaults(new InetSocketAddress(0));
      return new DriverAvailability.Available(
          EndpointSizes.of(grant.info(), settings).capabilities());
    } catch (FabricException e) {
      return new DriverAvailability.Unavailable(absence(e));
    } catch (DriverException e) {
      return new DriverAvailability.Unavailable(String.valueOf(e.getMessage()));
    } catch (RuntimeException | LinkageError e) {
      return new DriverAvailability.Unavailable("libfabric cannot be used: " + e);
    }
  }

  /**
   * Makes sure of the space of an endpoint with shared memory: the provider touches its memory
   * without asking for space, and without space the touch ends the process.
   */
  private void prepare() throws DriverException {
    if (provider.startsWith(SHARED_MEMORY)) {
      SharedMemoryFiles.OF_PROCESS.prepare();
    }
  }

  @Override
  public SequencedMap<String, String> facts() {
    return LibFabricLoader.load() instanceof LibFabricLoader.Loaded.Present present
        ? FabricFacts.of(present.library(), provider)
        : new LinkedHashMap<>();
  }

  private static LibFabric library() throws DriverException {
    return switch (LibFabricLoader.load()) {
      case LibFabricLoader.Loaded.Present present -> present.library();
      case LibFabricLoader.Loaded.Missing missing -> throw new DriverException(missing.reason());
    };
  }

  private String absence(FabricException e) {
    if (e.errno() != FabricErrno.FI_ENODATA) {
      return String.valueOf(e.getMessage());
    }
    String scarcity =
        provider.startsWith(SHARED_MEMORY) ? SharedMemoryFiles.OF_PROCESS.scarcity() : null;
    if (scarcity != null) {
      return scarcity + " (" + e.getMessage() + ")";
    }
    String what =
        name.equals(EFA) ? "no EFA device was found" : "libfabric has no provider " + provider;
    return what
        + ", or none that does reliable datagrams and remote writes ("
        + e.getMessage()
        + ")";
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    LibFabric library = library();
    InetSocketAddress bind = settings.bindAddress();
    if (bind.isUnresolved()) {
      throw new DriverException("the host " + bind.getHostString() + " is not known");
    }
    boolean sharesMemory = provider.startsWith(SHARED_MEMORY);
    if (sharesMemory) {
      SharedMemoryFiles.OF_PROCESS.onOpening();
    }
    try {
      FabricGrant grant = FabricGrant.ask(library, provider, settings);
      return open(library, grant, settings);
    } catch (FabricException e) {
      throw explained(e, bind);
    } finally {
      if (sharesMemory) {
        SharedMemoryFiles.OF_PROCESS.onOpeningEnded();
      }
    }
  }

  private Endpoint open(LibFabric library, FabricGrant grant, EndpointSettings settings)
      throws DriverException {
    EndpointSizes sizes;
    try {
      sizes = EndpointSizes.of(grant.info(), settings);
    } catch (DriverException e) {
      library.release(grant.info());
      throw e;
    }
    DriverNotices notices = notices(settings, grant, sizes);
    return FabricEndpoint.open(
        library, grant, sizes, notices, familyOn(grant), clockNs, new SplittableRandom());
  }

  /** Endpoints on the fabrics efa and efa-direct do not understand each other. */
  String familyOn(FabricGrant grant) {
    return grant.isDirect() ? name + DIRECT : family();
  }

  private DriverException explained(FabricException e, InetSocketAddress bind) {
    String host = bind.getAddress().getHostAddress();
    if (e.errno() == FabricErrno.FI_EADDRINUSE) {
      return new DriverException("port " + bind.getPort() + " on " + host + " is in use", e);
    }
    if (e.errno() == FabricErrno.FI_EADDRNOTAVAIL) {
      return new DriverException(host + " is not an address of this host", e);
    }
    if (e.errno() == FabricErrno.FI_ENODATA
        && probe() instanceof DriverAvailability.Available
        && ProviderTraits.of(provider).ipAddressed()) {
      return new DriverException(name + " cannot bind to " + host + ": no such address here", e);
    }
    String reason =
        e.errno() == FabricErrno.FI_ENODATA ? absence(e) : String.valueOf(e.getMessage());
    return new DriverException(name + " cannot be opened: " + reason, e);
  }

  private DriverNotices notices(EndpointSettings settings, FabricGrant grant, EndpointSizes sizes) {
    List<String> degraded = new ArrayList<>();
    InetAddress address = settings.bindAddress().getAddress();
    boolean asksForPlace = !address.isAnyLocalAddress() || settings.bindAddress().getPort() != 0;
    if (asksForPlace && !ProviderTraits.of(provider).ipAddressed()) {
      degraded.add("bindAddress: " + name + " has addresses of its own, ignored " + address);
    }
    if (settings.ecn()) {
      degraded.add("ecn: " + name + " does not show congestion marks");
    }
    if (sizes.datagramBytes() < settings.maxDatagramBytes()) {
      degraded.add(
          "maxDatagramBytes: asked for %d, got %d"
              .formatted(settings.maxDatagramBytes(), sizes.datagramBytes()));
    }
    int wantedReceives = settings.receiveBufferBytes() / sizes.datagramBytes();
    if (sizes.receives() < wantedReceives) {
      degraded.add(
          "receiveBufferBytes: room for %d datagrams, not %d"
              .formatted(sizes.receives(), wantedReceives));
    }
    if (!grant.hasDeliveryComplete()) {
      degraded.add("writes: " + name + " reports them complete before they are at the target");
    }
    return new DriverNotices(List.copyOf(degraded));
  }
}
