package io.millrace.samples.store;

import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.samples.store.StoreRoutes.Artifact;
import io.millrace.samples.store.StoreRoutes.Materialize;
import io.millrace.samples.store.StoreRoutes.Progress;
import io.millrace.samples.store.StoreRoutes.Result;
import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.pekko.stream.javadsl.Sink;

/** The operations of a store's users. */
public final class StoreClient {
  private final Transport transport;
  private final CoordinatorClient coordinator;

  /**
   * A file under copy from a daemon.
   *
   * @param done completes when all bytes are verified and the file has its name
   * @param arrivedBytes the number of bytes so far; any thread
   */
  public record FileCopy(CompletableFuture<?> done, LongSupplier arrivedBytes) {}

  /** Creates a client of the store with its coordinator at one of these handshake addresses. */
  public StoreClient(Transport transport, List<String> coordinators) {
    this.transport = transport;
    this.coordinator = new CoordinatorClient(transport, coordinators);
  }

  /** Puts bytes into a daemon under a key; the future has the content id of the bytes. */
  public static CompletableFuture<String> put(
      Transport transport, String daemon, String key, BodySource source) {
    return transport
        .peer(daemon)
        .bulkWrite(
            StoreRoutes.PUT, source, TransferOptions.DEFAULTS.withHeader(StoreRoutes.KEY, key))
        .thenApply(receipt -> receipt.headers().text(StoreRoutes.ARTIFACT).orElseThrow());
  }

  /**
   * Returns the content id of a key; a content id is its own key.
   *
   * @throws StoreException if the key is unknown
   */
  public String artifact(String key) throws StoreException, InterruptedException {
    Optional<String> found = coordinator.resolve(key);
    if (found.isEmpty() && !Manifest.isId(key)) {
      throw new StoreException("nobody has put anything under the key '" + key + "'");
    }
    return found.orElse(key);
  }

  /** Returns all artifacts and their holders. */
  public List<Artifact> list() throws StoreException, InterruptedException {
    return coordinator.list().artifacts();
  }

  /** Lets a daemon load an artifact; {@code progress} hears now and then of the bytes so far. */
  public CompletableFuture<Result> load(
      String daemon,
      String artifact,
      MemoryKind kind,
      LoadMode mode,
      Consumer<? super Progress> progress) {
    return transport
        .peer(daemon)
        .streamingResponse(StoreRoutes.MATERIALIZE, new Materialize(artifact, kind, mode))
        .wireTap(progress::accept)
        .runWith(Sink.last(), transport.materializer())
        .toCompletableFuture()
        .thenApply(StoreClient::result);
  }

  private static Result result(Progress last) {
    Result result = last.result();
    if (result == null) {
      throw new IllegalStateException("the daemon ended without a result");
    }
    return result;
  }

  /** Copies a loaded artifact from its daemon into a file; verifies each chunk here, too. */
  public FileCopy copy(String daemon, String artifact, Result loaded, Path to)
      throws IOException, InterruptedException {
    Manifest manifest = coordinator.manifest(artifact);
    VerifiedFile file = new VerifiedFile(manifest, to);
    KeyedRanges.Slice all = new KeyedRanges.Slice(loaded.key(), 0, manifest.sizeBytes());
    CompletableFuture<?> done =
        transport
            .peer(daemon)
            .bulkRead(
                StoreRoutes.READ,
                file,
                TransferOptions.DEFAULTS
                    .withDeadline(PeerReads.deadline(manifest.sizeBytes()))
                    .withHeaders(PeerReads.headers(artifact, all)));
    return new FileCopy(done, file::arrived);
  }
}
