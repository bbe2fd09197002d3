package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.event.RecordingEvents;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.TestCertificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes with certificates as identities, from the settings to transfers. */
@Timeout(120)
class CertificatesTest {
  private static final String HOST = "127.0.0.1";
  private static final String SMALL =
      """
      millrace.nic.driver = udp-nio
      millrace.transfers { buffer-pool = 4 MiB, buffer-pool-per-peer = 4 MiB, broadcast-pool = 1 MiB }
      millrace.regions.counts = [4, 2]
      """;
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");

  private final TestCertificates authority = new TestCertificates("authority");
  @TempDir private Path folder;

  private TransportSettings settings(String name) throws Exception {
    CertificateFiles files =
        TestCertificates.write(folder.resolve(name), authority, authority.issue(name, HOST));
    return TransportSettings.parse(SMALL)
        .withTls(
            files.authorities().toString(),
            files.certificate().toString(),
            files.privateKey().toString());
  }

  private static CompletableFuture<ByteString> call(Transport from, Transport to, int request) {
    return from.peer(to.address()).unary(ECHO, bytes(request)).toCompletableFuture();
  }

  private static ByteString bytes(int value) {
    return ByteString.fromArray(new byte[] {(byte) value});
  }

  @Test
  void shouldReplaceCertificatesUnderLoadWithoutALostCall() throws Exception {
    RecordingEvents events = new RecordingEvents(10_000);
    try (Transport server = Transport.start(settings("server"));
        Transport client = Transport.builder(settings("client")).events(events).start()) {
      server.serve(ECHO, request -> CompletableFuture.completedFuture(request));
      List<CompletableFuture<ByteString>> answers = new ArrayList<>();
      for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 200; i++) {
          answers.add(call(client, server, i));
        }
        TestCertificates.write(
            folder.resolve("server"), authority, authority.issue("server-" + round, HOST));
        TestCertificates.write(
            folder.resolve("client"), authority, authority.issue("client-" + round, HOST));
        // A further node shakes hands in the midst of the other nodes' calls, with the new
        // certificates.
        try (Transport other = Transport.start(settings("other"))) {
          answers.add(call(other, server, 0));
          other.serve(ECHO, request -> CompletableFuture.completedFuture(request));
          assertEquals(bytes(7), call(client, other, 7).get(60, TimeUnit.SECONDS));
          answers.getLast().get(60, TimeUnit.SECONDS);
        }
      }
      for (CompletableFuture<ByteString> answer : answers) {
        assertEquals(1, answer.get(60, TimeUnit.SECONDS).size());
      }
      List<String> reloads =
          events.lines().stream().filter(text -> text.startsWith("CertificatesReloaded")).toList();
      // A handshake may read the files after only two of the three are new. The handshake then
      // refuses a pair that does not match, or uses the old certificate again, and the next
      // handshake reads the files again.
      List<String> used =
          reloads.stream().filter(text -> text.contains(" detail=CN=client-")).distinct().toList();
      assertEquals(5, used.size(), reloads.toString());
      assertTrue(reloads.getLast().contains("used=true detail=CN=client-4"), reloads.toString());
    }
  }
}
