package io.millrace.samples.bench.millrace;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.node.CallerLoop;
import io.millrace.queue.ManyToOneQueue;
import io.millrace.samples.bench.PeerCatalog;
import io.millrace.samples.bench.peer.PeerSite;
import io.millrace.samples.certs.CertificateDirectory;
import io.millrace.samples.certs.CertificatesException;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.apache.pekko.util.ByteString;

/**
 * A node of a side, driven by the node's duty thread, which is also the executor. Tasks of bodies
 * outside of the worker run between two turns of the duty thread.
 */
final class MillraceNode {
  static final Route<?, ?> ECHO = Route.bytes("bench/echo");

  /** Bulk to be counted. */
  static final Route<?, ?> BULK = Route.bytes("bench/bulk");

  /** Bulk to be verified. */
  static final Route<?, ?> VERIFIED_BULK = Route.bytes("bench/verified-bulk");

  /** Unary: bytes and checksum of the last finished bulk transfer, two longs. */
  static final Route<ByteString, ByteString> BULK_COUNT = Route.bytes("bench/bulk-count");

  /** The key may be public: both sides run on this host and only during a benchmark. */
  private static final String KEY =
      "4d696c6c7261636562656e63686d61726b4d696c6c7261636562656e63686d72";

  /** Names the provider of the handshake to the process of a node. */
  static final String HANDSHAKE_PROPERTY = "millrace.bench.handshake";

  /**
   * A directory beside the sides' directories, so that both sides share a certificate authority.
   */
  private static final String CERTIFICATES = "certs";

  private static final int TASKS = 1_024;

  private final ManyToOneQueue<Runnable> tasks = new ManyToOneQueue<>(TASKS);
  private final Transport transport;
  private final CallerLoop loop;

  MillraceNode(PeerSite site, int datagramBytes) throws IOException, CertificatesException {
    String driver = site.driver().isEmpty() ? "auto" : site.driver();
    String settings =
        """
        millrace.workers.idle-strategy = CALLER_RUNS
        millrace.nic.driver = "%s"
        millrace.nic.max-datagram = %d
        """
            .formatted(driver, datagramBytes);
    transport =
        Transport.builder(TransportSettings.parse(settings + handshake(site)))
            .executor(this::execute, 1)
            .start();
    loop = transport.callerLoops().getFirst();
    Observer.ofProcess().observe(transport);
  }

  private static String handshake(PeerSite site) throws IOException, CertificatesException {
    String provider = System.getProperty(HANDSHAKE_PROPERTY, PeerCatalog.USUAL_HANDSHAKE);
    if (provider.equals("psk")) {
      return "millrace.handshake { provider = psk, psk = \"%s\" }".formatted(KEY);
    }
    CertificateDirectory certificates =
        new CertificateDirectory(site.directory().resolveSibling(CERTIFICATES));
    certificates.makeMissing();
    String node = CertificateDirectory.USUAL_NODE;
    return """
    millrace.handshake {
      provider = %s
      tls { authorities = "%s", certificate = "%s", key = "%s" }
    }
    """
        .formatted(
            provider,
            certificates.authority(),
            certificates.certificate(node),
            certificates.key(node));
  }

  Transport transport() {
    return transport;
  }

  void turn() {
    loop.runTurn();
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
    }
  }

  void close() {
    transport.close();
  }

  private void execute(Runnable task) {
    if (!tasks.offer(task)) {
      throw new RejectedExecutionException("the duty thread has " + TASKS + " tasks waiting");
    }
  }
}
