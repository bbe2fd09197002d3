package io.millrace.samples.bench.faults;

import io.millrace.api.Route;
import io.millrace.config.TransportSettings;
import io.millrace.samples.certs.CertificateDirectory;
import org.apache.pekko.util.ByteString;

/** The parts of a Millrace node that client and servers have in common. */
final class MillraceFaultNode {
  static final Route<ByteString, ByteString> ECHO = Route.bytes("faults/echo");

  /** The route of bulk to be dropped. */
  static final Route<ByteString, ByteString> BULK = Route.bytes("faults/bulk");

  private MillraceFaultNode() {}

  static TransportSettings settings(FaultSite site) {
    CertificateDirectory certificates = new CertificateDirectory(site.shared());
    String handshake =
        """
        millrace.profile = dedicated
        millrace.handshake {
          listen = "%s:%d"
          tls { authorities = "%s", certificate = "%s", key = "%s" }
        }
        """
            .formatted(
                site.hosts().getFirst(),
                site.isServer() ? site.port() : 0,
                certificates.authority(),
                certificates.certificate(FaultSite.NODE),
                certificates.key(FaultSite.NODE));
    return TransportSettings.parse(handshake + nics(site) + site.settings());
  }

  private static String nics(FaultSite site) {
    String first = site.hosts().getFirst();
    return switch (site.topology()) {
      case ONE -> "millrace.nic { driver = udp, address = \"%s:0\" }%n".formatted(first);
      case NICS ->
          """
          millrace.nics = [
            { name = a, driver = udp, address = "%s:0" }
            { name = b, driver = udp, address = "%s:0" }
          ]
          """
              .formatted(first, site.hosts().getLast());
      case FABRIC ->
          """
          millrace.nics = [{ name = a, driver = ["fabric:tcp", udp], address = "%s:0" }]
          """
              .formatted(first);
    };
  }
}
