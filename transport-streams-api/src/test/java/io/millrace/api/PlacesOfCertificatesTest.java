package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.TestCertificates;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rule L-8: places for peers count by the key of the certificate, not by the names that peers
 * claim.
 */
@Timeout(120)
class PlacesOfCertificatesTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final Route<ByteString, ByteString> NEVER = Route.bytes("never");
  private static final int PLACES = 2;

  private final TestCertificates authority = new TestCertificates("authority");
  private final List<Transport> nodes = new ArrayList<>();
  @TempDir private Path folder;

  private CertificateFiles certificate(String name) throws Exception {
    return TestCertificates.write(
        folder.resolve(name), authority, authority.issue(name, "127.0.0.1"));
  }

  private Transport node(CertificateFiles files) {
    TransportSettings settings =
        TwoNodes.small(
            """
            millrace.handshake {
              provider = tls
              tls { authorities = "%s", certificate = "%s", key = "%s" }
            }
            millrace.limits.peers = %d
            """
                .formatted(files.authorities(), files.certificate(), files.privateKey(), PLACES));
    Transport started = Transport.start(settings);
    nodes.add(started);
    return started;
  }

  @AfterEach
  void close() {
    nodes.forEach(Transport::close);
  }

  @Test
  void shouldTakeAllOfOneCertificateUntilAnotherOneAsks() throws Exception {
    Transport server = node(certificate("server"));
    Raw.serveOnWorker(server, ECHO, call -> call.reply(0, 0));
    server.serve(NEVER, request -> new CompletableFuture<>());
    CertificateFiles shared = certificate("cluster");
    List<Transport> cluster = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      cluster.add(node(shared));
      echo(cluster.getLast(), server);
    }
    CompletableFuture<ByteString> waits =
        cluster
            .getLast()
            .peer(server.address())
            .unary(NEVER, ByteString.fromString("?"))
            .toCompletableFuture();
    CallException refused = failure(call(node(shared), server));
    assertEquals(CallOutcome.HANDSHAKE_FAILED, refused.outcome());
    assertTrue(
        String.valueOf(refused.getMessage()).contains("the peer has as many peers as it allows"),
        refused.getMessage());

    echo(node(certificate("other")), server);

    CallException gaveWay = failure(waits);
    assertEquals(CallOutcome.PEER_RESET, gaveWay.outcome());
    assertTrue(
        String.valueOf(gaveWay.getMessage())
            .contains(
                server.address()
                    + " has as many peers as it allows, and gave this node's place to another"),
        gaveWay.getMessage());
    echo(cluster.getFirst(), server);
  }

  private static CompletableFuture<UnaryResponse> call(Transport from, Transport to) {
    return Raw.unary(from.peer(to.address()), ECHO, new byte[1]);
  }

  private static void echo(Transport from, Transport to) throws Exception {
    call(from, to).get(60, TimeUnit.SECONDS);
  }

  private static CallException failure(CompletableFuture<?> call) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
    return assertInstanceOf(CallException.class, failure.getCause());
  }
}
