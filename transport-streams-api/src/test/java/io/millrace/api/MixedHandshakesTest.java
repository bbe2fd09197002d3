package io.millrace.api;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.event.TransportEvents;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.TestCertificates;
import io.millrace.transfer.CallOutcome;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two nodes with different handshakes, and a client that is no node: each side is told the reason;
 * rule H-14.
 */
@Timeout(60)
final class MixedHandshakesTest {
  private static final String HOST = "127.0.0.1";

  private final TestCertificates authority = new TestCertificates("authority");
  private final LinkedBlockingQueue<String> refused = new LinkedBlockingQueue<>();
  @TempDir private Path folder;

  private Transport start(String provider) throws Exception {
    CertificateFiles files =
        TestCertificates.write(folder.resolve(provider), authority, authority.issue("node", HOST));
    TransportSettings settings =
        TransportSettings.parse(
            """
            millrace.handshake {
              provider = %s
              timeout = 400 ms
              psk = %s
              tls { authorities = "%s", certificate = "%s", key = "%s" }
            }
            millrace.nic.driver = udp-nio
            millrace.transfers { buffer-pool = 4 MiB, buffer-pool-per-peer = 4 MiB, broadcast-pool = 1 MiB }
            millrace.regions.counts = [4, 2]
            """
                .formatted(
                    provider,
                    "0123456789abcdef".repeat(4),
                    files.authorities(),
                    files.certificate(),
                    files.privateKey()));
    return Transport.builder(settings)
        .events(
            new TransportEvents() {
              @Override
              public void onHandshakeRefused(String from, String reason, long count) {
                refused.add(reason);
              }
            })
        .start();
  }

  @ParameterizedTest
  @CsvSource({"psk, tls", "psk, quic", "tls, psk", "tls, quic", "quic, psk", "quic, tls"})
  void shouldTellBothSidesThatTheirHandshakesDiffer(String caller, String listener)
      throws Exception {
    try (Transport server = start(listener);
        Transport client = start(caller)) {
      ExecutionException thrown =
          assertThrows(
              ExecutionException.class,
              () -> client.peer(server.address()).connect().get(20, TimeUnit.SECONDS));
      CallException failed = assertInstanceOf(CallException.class, thrown.getCause());
      assertEquals(CallOutcome.HANDSHAKE_FAILED, failed.outcome());
      String wanted =
          server.address()
              + ": the peer has millrace.handshake.provider = "
              + listener
              + ", this node has "
              + caller
              + " (n";
      assertTrue(failed.reason().startsWith(wanted), failed.reason());
      assertEquals(
          "it has millrace.handshake.provider = " + caller + ", this node has " + listener,
          refused.poll(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void shouldTellAClientOfHttpThatThisIsNoServerOfHttp() throws Exception {
    try (Transport server = start("tls");
        Socket client =
            new Socket(
                InetAddress.getLoopbackAddress(),
                Integer.parseInt(server.address().split(":", -1)[1]))) {
      client.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
      client.setSoTimeout(20_000);
      String answer = new String(client.getInputStream().readNBytes(200), US_ASCII);
      assertTrue(answer.startsWith("HTTP/1.1 400 Bad Request\r\n"), answer);
      assertTrue(answer.contains("the handshake address of a Millrace node"), answer);
      assertEquals("it does not speak TLS, but HTTP", refused.poll(20, TimeUnit.SECONDS));
    }
  }
}
