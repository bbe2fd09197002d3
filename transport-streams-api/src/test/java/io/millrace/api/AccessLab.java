package io.millrace.api;

import static java.util.concurrent.CompletableFuture.completedStage;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.access.AccessPolicy;
import io.millrace.access.PeerIdentity;
import io.millrace.body.ArraySource;
import io.millrace.config.TransportSettings;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.TestCertificates;
import io.millrace.transfer.BodyTarget;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Nodes that authenticate by one provider, each node with its own certificate. */
final class AccessLab implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final RouteId ROUTE = RouteId.of("shown");
  private static final RouteId WORKER = RouteId.of("shown-on-worker");

  private final String provider;
  private final TestCertificates authority = new TestCertificates("authority");
  private final Path folder;
  private final Map<String, TestCertificates.Issued> issued = new HashMap<>();

  AccessLab(String provider) throws IOException {
    this.provider = provider;
    folder = Files.createTempDirectory("millrace-access");
  }

  Transport start(String name, AccessPolicy policy) throws Exception {
    return Transport.builder(settings(name)).authorise(policy).start();
  }

  private TransportSettings settings(String name) throws Exception {
    if (provider.equals("psk")) {
      return TwoNodes.small("");
    }
    TestCertificates.Issued own = authority.issue(name + " of us", HOST, name + ".example.org");
    issued.put(name, own);
    CertificateFiles files = TestCertificates.write(folder.resolve(name), authority, own);
    return TwoNodes.small(
        "millrace.handshake { provider = %s, tls { authorities = \"%s\", certificate = \"%s\", key = \"%s\" } }"
            .formatted(provider, files.authorities(), files.certificate(), files.privateKey()));
  }

  PeerIdentity identityOf(String name, String address) throws Exception {
    TestCertificates.Issued own = issued.get(name);
    if (own == null) {
      return PeerIdentity.ofPreSharedKey(address);
    }
    byte[] key = own.certificate().getPublicKey().getEncoded();
    return new PeerIdentity(
        address,
        PeerIdentity.Proof.CERTIFICATE,
        true,
        List.of(name + ".example.org"),
        List.of(HOST),
        name + " of us",
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key)));
  }

  /**
   * Returns the identities seen by a handler, an acceptor, a worker's handler, a provider and a
   * receiver, in order.
   */
  List<PeerIdentity> identitiesSeenBy(Transport server, Transport client) throws Exception {
    ConcurrentLinkedQueue<PeerIdentity> seen = new ConcurrentLinkedQueue<>();
    Route<org.apache.pekko.util.ByteString, org.apache.pekko.util.ByteString> route =
        Route.bytes(ROUTE.name());
    server.serve(
        route,
        ServeOptions.DEFAULTS.withAcceptor(offer -> seen.add(offer.identity())),
        (request, context) -> {
          seen.add(context.identity());
          return completedStage(request);
        });
    Raw.serveOnWorker(
        server,
        WORKER,
        call -> {
          seen.add(call.identity());
          call.reply(0, 0);
        });
    server.serveBulkWrites(
        route,
        offer -> {
          seen.add(offer.identity());
          return completedStage(nowhere());
        });
    RouteId read = RouteId.of("shown-to-provider");
    Raw.serveBulkReads(
        server,
        read,
        offer -> {
          seen.add(offer.identity());
          return completedStage(new ArraySource(new byte[1], 0, 1));
        });
    Peer peer = client.peer(server.address());
    await(Raw.unary(peer, ROUTE, new byte[0]));
    await(Raw.unary(peer, WORKER, new byte[0]));
    await(Raw.bulkWrite(peer, ROUTE, new ArraySource(new byte[1], 0, 1), TransferOptions.DEFAULTS));
    await(Raw.bulkRead(peer, read, nowhere(), TransferOptions.DEFAULTS));
    return new ArrayList<>(seen);
  }

  /** Returns a target that takes all bytes and keeps no byte. */
  static BodyTarget nowhere() {
    return new BodyTarget() {
      @Override
      public void write(byte[] bytes, int offset, int length) {
        // The target ignores the bytes.
      }

      @Override
      public void complete() {
        // Nothing is kept.
      }

      @Override
      public void abort(Throwable cause) {
        // Nothing is kept.
      }
    };
  }

  private static void await(CompletionStage<?> stage) throws Exception {
    stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  CallException failure(CompletionStage<?> stage) {
    return assertInstanceOf(
        CallException.class, assertThrows(ExecutionException.class, () -> await(stage)).getCause());
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
