package io.millrace.udp.linux;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.NotReadySettings;
import io.millrace.udp.internal.SendLimits;
import io.millrace.udp.internal.UdpAddressCodec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fast socket driver of Linux: many datagrams per system call, trains cut and joined by the
 * kernel, congestion marks, error queue. On other systems the provider reports its absence and
 * calls no native code.
 */
public final class LinuxUdpProvider implements DriverProvider {
  private static final int PREFERENCE = 20;
  private static final Set<String> ARCHITECTURES = Set.of("amd64", "x86_64", "aarch64");

  /**
   * The abilities of this process, known after the first opened endpoint; a failure may be
   * temporary and is not kept.
   */
  private static volatile DriverAvailability.@Nullable Available available;

  private final String system;
  private final String architecture;

  /** Creates the provider; the service loader does. */
  public LinuxUdpProvider() {
    this(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
  }

  LinuxUdpProvider(String system, String architecture) {
    this.system = system;
    this.architecture = architecture;
  }

  @Override
  public String name() {
    return "udp";
  }

  @Override
  public String family() {
    return UdpAddressCodec.FAMILY;
  }

  @Override
  public int preference() {
    return PREFERENCE;
  }

  @Override
  public DriverAvailability probe() {
    if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
      return new DriverAvailability.Unavailable("it needs Linux, and this is " + system);
    }
    if (!ARCHITECTURES.contains(architecture)) {
      return new DriverAvailability.Unavailable(
          "it needs a 64-bit x86 or ARM processor, and this is " + architecture);
    }
    DriverAvailability.Available known = available;
    return known == null ? tryIt() : known;
  }

  private DriverAvailability tryIt() {
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    EndpointSettings settings =
        new EndpointSettings(
            loopback,
            0,
            0,
            SendLimits.MAX_UDP_PAYLOAD_BYTES,
            1,
            SendLimits.MAX_TRAIN_PACKETS,
            true,
            0,
            1,
            NotReadySettings.DEFAULTS);
    try (Endpoint endpoint = open(settings)) {
      DriverAvailability.Available found =
          new DriverAvailability.Available(endpoint.capabilities());
      available = found;
      return found;
    } catch (DriverException e) {
      return new DriverAvailability.Unavailable(String.valueOf(e.getMessage()));
    } catch (RuntimeException | LinkageError e) {
      // A missing symbol, or native access denied to this application.
      return new DriverAvailability.Unavailable("the C library cannot be called: " + e);
    }
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    return LinuxUdpEndpoint.open(new FfmLibc(), settings);
  }
}
