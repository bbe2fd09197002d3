package io.millrace.samples.store;

import io.millrace.api.Registration;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkSource;
import io.millrace.samples.store.StoreRoutes.Drop;
import io.millrace.samples.store.StoreRoutes.Heartbeat;
import io.millrace.samples.store.StoreRoutes.Materialize;
import io.millrace.samples.store.StoreRoutes.Progress;
import io.millrace.samples.store.StoreRoutes.Register;
import io.millrace.samples.store.StoreRoutes.Result;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.OverloadedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * Holds replicas and reads them from other daemons. Loads run on threads that may block; two
 * requests for the same replica share a load. Closing says good-bye to the coordinator; the
 * transport stays.
 */
public final class Daemon implements AutoCloseable {
  private static final Duration PROGRESS_EVERY = Duration.ofMillis(50);
  private static final Duration TRY_EVERY = Duration.ofMillis(100);

  /** The number of loads at once; further loads are refused. */
  private static final int MOST_LOADS = 64;

  /**
   * The number of this daemon's reads at once, for each read that the coordinator grants of a
   * replica.
   */
  private static final int READS_PER_GRANT = 16;

  private final Transport transport;
  private final DaemonSettings settings;
  private final CoordinatorClient coordinator;
  private final ArtifactFolder folder;
  private final @Nullable ArtifactFolder origins;
  private final LocalReplicas replicas;
  private final ServedReads reads;
  private final PeerReads peers;
  private final Loader loader;
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService beats =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
  private final Map<Replica.Id, LoadJob> running = new ConcurrentHashMap<>();
  private final List<Registration> routes = new ArrayList<>();

  /** Whether the coordinator has heard of this life of the daemon. */
  private boolean isAnnounced;

  /** Whether the daemon holds a replica not told to the coordinator. */
  private volatile boolean hasUntold;

  private Daemon(Transport transport, DaemonSettings settings, List<String> coordinators)
      throws IOException {
    this.transport = transport;
    this.settings = settings;
    coordinator = new CoordinatorClient(transport, coordinators);
    folder = new ArtifactFolder(settings.folder());
    origins = settings.origins() == null ? null : new ArtifactFolder(settings.origins());
    replicas = new LocalReplicas(folder, settings.memoryBytes());
    reads = new ServedReads(replicas, settings.maxConcurrency() * READS_PER_GRANT);
    peers =
        new PeerReads(
            transport, coordinator, PeerReads.Patience.of(TRY_EVERY, settings.sourceTimeout()));
    loader = new Loader(replicas, new NodeSources(), new NodeMetadata());
  }

  /**
   * Serves the daemon's routes on a node, and tells the coordinator the content of its folder.
   *
   * @param coordinators the handshake addresses of all nodes that may be the coordinator
   * @throws IOException if the folder cannot be used or the coordinator does not answer
   */
  public static Daemon serve(
      Transport transport, DaemonSettings settings, List<String> coordinators)
      throws IOException, InterruptedException {
    Daemon daemon = new Daemon(transport, settings, coordinators);
    try {
      daemon.begin();
      return daemon;
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      daemon.close();
      throw e;
    }
  }

  private void begin() throws IOException, InterruptedException {
    folder.removeUnfinished();
    // The replicas in an earlier life's memory are gone.
    coordinator.heartbeat(new Heartbeat(transport.address(), false, true, List.of()), true);
    isAnnounced = true;
    for (Manifest manifest : folder.manifests()) {
      Optional<Path> file = folder.file(manifest.id());
      file.ifPresent(path -> replicas.keep(Replica.of(manifest, FileBytes.existing(folder, path))));
    }
    routes.add(transport.serveBulkWrites(StoreRoutes.PUT, this::put));
    routes.add(transport.serveBulkReads(StoreRoutes.READ, reads::open));
    routes.add(transport.serveStreamingResponse(StoreRoutes.MATERIALIZE, this::materialized));
    registerAll(true);
    coordinator.heartbeat(new Heartbeat(transport.address(), true, false, List.of()), true);
    long everyMs = settings.heartbeat().toMillis();
    var _ = beats.scheduleWithFixedDelay(this::beat, everyMs, everyMs, TimeUnit.MILLISECONDS);
  }

  private void registerAll(boolean mayWait) throws StoreException, InterruptedException {
    for (Replica each : replicas.all()) {
      tell(each, null, mayWait);
    }
  }

  /** Takes a registration back if the replica was evicted meanwhile. */
  private void tell(Replica replica, @Nullable String key, boolean mayWait)
      throws StoreException, InterruptedException {
    coordinator.register(registration(replica, key), mayWait);
    if (!replicas.holds(replica)) {
      coordinator.drop(drop(replica));
    }
  }

  private Drop drop(Replica replica) {
    return new Drop(
        replica.publishId(), transport.address(), replica.manifest().id(), replica.bytes().kind());
  }

  /** Returns the number of payload bytes that others have read from this daemon. */
  public long servedBytes() {
    return reads.servedBytes();
  }

  /** Tells the number of served bytes after each read: a test stops a source half way. */
  void onServed(LongConsumer told) {
    reads.onServed(told);
  }

  /** Loads an artifact, or joins the load under way. */
  CompletableFuture<Result> materialize(Materialize wanted) throws OverloadedException {
    return job(wanted).result().copy();
  }

  private synchronized LoadJob job(Materialize wanted) throws OverloadedException {
    Replica.Id id = new Replica.Id(wanted.artifact(), wanted.kind());
    LoadJob known = running.get(id);
    if (known != null) {
      return known;
    }
    if (running.size() >= MOST_LOADS) {
      throw new OverloadedException("this daemon runs " + MOST_LOADS + " loads already");
    }
    LoadJob job = new LoadJob(id, wanted.mode());
    running.put(id, job);
    try {
      blocking.execute(() -> run(job));
    } catch (RuntimeException | Error e) { // closed, or no thread: nobody may join this load
      running.remove(id, job);
      job.result().completeExceptionally(e);
      throw e;
    }
    return job;
  }

  private void run(LoadJob job) {
    try {
      Result result = loader.load(job);
      running.remove(job.id(), job);
      job.result().complete(result);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      running.remove(job.id(), job);
      job.result().completeExceptionally(e);
    }
  }

  private Source<Progress, NotUsed> materialized(Materialize wanted) throws OverloadedException {
    LoadJob job = job(wanted);
    Source<Progress, NotUsed> ticks =
        Source.tick(Duration.ZERO, PROGRESS_EVERY, job)
            .map(LoadJob::progress)
            .mapMaterializedValue(_ -> NotUsed.getInstance());
    Source<Progress, NotUsed> end =
        Source.completionStage(job.result().thenApply(_ -> job.progress()));
    return ticks.merge(end).takeWhile(progress -> progress.result() == null, true);
  }

  private CompletionStage<BodyTarget> put(BulkOffer offer) throws IOException {
    PutTarget.requireFit(offer.lengthBytes(), settings.chunkBytes());
    String key = offer.headers().text(StoreRoutes.KEY).orElse(null);
    return CompletableFuture.completedFuture(
        new PutTarget(
            FileBytes.create(folder),
            settings.chunkBytes(),
            (manifest, bytes) -> keep(manifest, bytes, key)));
  }

  private void keep(Manifest manifest, FileBytes bytes, @Nullable String key) throws IOException {
    Replica kept = replicas.keep(Replica.of(manifest, bytes));
    try {
      tell(kept, key, false);
    } catch (StoreException e) {
      // The replica is here all the same; the next heartbeat registers it.
      hasUntold = true;
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted", e);
    }
  }

  private void tellAll() throws StoreException, InterruptedException {
    hasUntold = false;
    boolean isTold = false;
    try {
      registerAll(false);
      isTold = true;
    } finally {
      if (!isTold) {
        hasUntold = true;
      }
    }
  }

  private Register registration(Replica replica, @Nullable String key) {
    return new Register(
        replica.publishId(),
        transport.address(),
        key,
        replica.manifest(),
        replica.bytes().kind(),
        KeyedRanges.ofChunks(replica.key(), replica.manifest()),
        settings.maxConcurrency());
  }

  private void beat() {
    try {
      boolean isKnown =
          coordinator.heartbeat(
              new Heartbeat(transport.address(), true, false, peers.claims()), false);
      if (!isKnown || hasUntold) {
        tellAll();
      }
    } catch (StoreException | RuntimeException | Error e) {
      // The next heartbeat comes soon, and a throw would stop all heartbeats; loads with an origin
      // do without the coordinator.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Leaves the store: the coordinator offers this daemon to nobody any more. */
  @Override
  public void close() {
    beats.shutdownNow();
    routes.forEach(Registration::close);
    blocking.shutdownNow();
    replicas.close();
    if (!isAnnounced) {
      return;
    }
    try {
      coordinator.heartbeat(new Heartbeat(transport.address(), false, true, List.of()), false);
    } catch (StoreException e) {
      // The coordinator will notice the silence.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The sources of a node: the folder of this daemon, other daemons, the shared folder. */
  private final class NodeSources implements Sources {
    @Override
    public Optional<BodySource> local(Manifest manifest, MemoryKind kind, long offset)
        throws IOException {
      for (MemoryKind other : MemoryKind.values()) {
        Optional<Replica> found = replicas.find(new Replica.Id(manifest.id(), other));
        if (other != kind && found.isPresent()) {
          return Optional.of(found.get().bytes().source(offset, manifest.sizeBytes() - offset));
        }
      }
      return Optional.empty();
    }

    @Override
    public void fromPeers(LoadJob job, ArrivingBytes arriving, boolean mayWait)
        throws IOException, InterruptedException {
      peers.read(job, arriving, mayWait);
    }

    @Override
    public Optional<BodySource> origin(Manifest manifest, long offset) throws IOException {
      Optional<Path> file = origins == null ? Optional.empty() : origins.file(manifest.id());
      return file.isPresent() ? Optional.of(BulkSource.file(file.get(), offset)) : Optional.empty();
    }
  }

  /** The metadata of a node, from the coordinator. */
  private final class NodeMetadata implements Loader.Metadata {
    @Override
    public Manifest manifest(String artifact) throws StoreException, InterruptedException {
      return coordinator.manifest(artifact);
    }

    @Override
    public void onKept(Replica replica) throws InterruptedException {
      try {
        tell(replica, null, false);
      } catch (StoreException e) {
        // The replica is here all the same; the next heartbeat registers it.
        hasUntold = true;
      }
    }

    @Override
    public void onEvicted(Replica replica) throws InterruptedException {
      try {
        coordinator.drop(drop(replica));
      } catch (StoreException e) {
        // A reader that claims the evicted replica is refused by this daemon and goes on elsewhere.
        return;
      }
    }
  }
}
