package io.millrace.samples.bench.floor;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointSettings;
import io.millrace.samples.bench.peer.PeerSite;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Opens the endpoint of a side and writes addresses as text. */
final class FloorNode {
  private static final String USUAL_DRIVER = "udp";
  private static final String BUFFER_NOTICE = "SO_RCVBUF";

  private FloorNode() {}

  static Endpoint open(PeerSite site) throws DriverException {
    String name = site.driver().isEmpty() ? USUAL_DRIVER : site.driver();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return provider(name).open(EndpointSettings.defaults(any));
  }

  /** Whether the system granted the full size of the receive buffer. */
  static boolean hasFullBuffer(Endpoint endpoint) {
    return endpoint.notices().degraded().stream().noneMatch(line -> line.contains(BUFFER_NOTICE));
  }

  static String text(EndpointAddress address) {
    return address.family() + "/" + HexFormat.of().formatHex(address.bytes());
  }

  static EndpointAddress address(String text) {
    int slash = text.indexOf('/');
    return new EndpointAddress(
        text.substring(0, slash), HexFormat.of().parseHex(text.substring(slash + 1)));
  }

  private static DriverProvider provider(String name) throws DriverException {
    DriverProvider named = null;
    for (DriverProvider each : ServiceLoader.load(DriverProvider.class)) {
      DriverProvider found = each.named(name);
      named = found != null ? found : named;
    }
    return named != null && isHere(named) ? named : anyOfFamily();
  }

  private static DriverProvider anyOfFamily() throws DriverException {
    return ServiceLoader.load(DriverProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.family().equals(USUAL_DRIVER) && isHere(each))
        .max(Comparator.comparingInt(DriverProvider::preference))
        .orElseThrow(() -> new DriverException("no UDP driver works here"));
  }

  private static boolean isHere(@Nullable DriverProvider provider) {
    return provider != null && provider.probe() instanceof DriverAvailability.Available;
  }
}
