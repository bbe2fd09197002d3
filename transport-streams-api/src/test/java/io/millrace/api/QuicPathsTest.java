package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.TestCertificates;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From the setting {@code provider = quic} to a call. */
@Timeout(120)
class QuicPathsTest {
  private static final String HOST = "127.0.0.1";
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");

  private final TestCertificates authority = new TestCertificates("authority");
  @TempDir private Path folder;

  private TransportSettings settings(String name, TestCertificates by) throws Exception {
    CertificateFiles files =
        TestCertificates.write(folder.resolve(name), authority, by.issue(name, HOST));
    return TransportSettings.parse(
        """
        millrace.handshake {
          provider = quic
          tls { authorities = "%s", certificate = "%s", key = "%s" }
        }
        millrace.nic.driver = udp-nio
        millrace.transfers { buffer-pool = 4 MiB, buffer-pool-per-peer = 4 MiB, broadcast-pool = 1 MiB }
        millrace.regions.counts = [4, 2]
        """
            .formatted(files.authorities(), files.certificate(), files.privateKey()));
  }

  private static CompletableFuture<ByteString> call(Transport from, Transport to) {
    return from.peer(to.address())
        .unary(ECHO, ByteString.fromString("flour"))
        .toCompletableFuture();
  }

  @Test
  void shouldCallOverAPathThatQuicMade() throws Exception {
    try (Transport server = Transport.start(settings("server", authority));
        Transport client = Transport.start(settings("client", authority));
        Transport stranger =
            Transport.start(settings("stranger", new TestCertificates("another")))) {
      server.serve(ECHO, request -> CompletableFuture.completedFuture(request));
      assertEquals("flour", call(client, server).get(60, TimeUnit.SECONDS).utf8String());
      ExecutionException refused =
          assertThrows(
              ExecutionException.class, () -> call(stranger, server).get(60, TimeUnit.SECONDS));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("does not accept this node's certificate"),
          refused.getMessage());
      assertEquals("flour", call(client, server).get(60, TimeUnit.SECONDS).utf8String());
    }
  }
}
