package io.millrace.samples.cli;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.bulk.FileOptions;
import io.millrace.config.TransportSettings;
import io.millrace.samples.file.Sha256;
import io.millrace.samples.served.ServedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;

/** Further nodes of the demo's second process, each with a directory for broadcast files. */
final class DemoPeers implements AutoCloseable {
  /** Unary: the SHA-256 of this node's copy. */
  static final Route<ByteString, ByteString> DIGEST = Route.bytes("demo-digest");

  /** The name of the copy. */
  static final String COPY = "broadcast";

  private final List<Transport> nodes = new ArrayList<>();

  /** Starts this number of further nodes and returns their addresses. */
  List<String> start(int count, TransportSettings settings, Path directory) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Transport node = Transport.start(settings);
      nodes.add(node);
      Path own = Files.createDirectory(directory.resolve("peer-" + nodes.size()));
      ServedFiles.serve(node, own, FileOptions.DEFAULT.withoutForcing());
      serveDigest(node, own);
      DemoChainRoutes.serve(node);
      addresses.add(node.address());
    }
    return addresses;
  }

  /** Serves the digest of the copy in this directory. */
  static void serveDigest(Transport node, Path directory) {
    node.serve(
        DIGEST,
        request -> {
          byte[] digest = HexFormat.of().parseHex(Sha256.of(directory.resolve(COPY)));
          return CompletableFuture.completedFuture(ByteString.fromArrayUnsafe(digest));
        });
  }

  @Override
  public void close() {
    nodes.forEach(Transport::close);
  }
}
