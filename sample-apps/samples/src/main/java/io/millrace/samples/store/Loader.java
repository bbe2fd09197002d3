package io.millrace.samples.store;

import io.millrace.samples.store.StoreRoutes.Result;
import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gets an artifact into this daemon: an existing replica is used again. Otherwise the artifact is
 * copied from another kind of memory of this daemon, then read from other daemons, then from the
 * disk origin. Each source goes on after the last byte of the source before. A load has five
 * stages; a failure names its stage. Blocks its thread, never a thread of the transport.
 */
final class Loader {
  private static final int BLOCK_BYTES = 1 << 18;

  private final LocalReplicas replicas;
  private final Sources sources;
  private final Metadata metadata;

  /** Looks up manifests, and tells the coordinator of new and evicted replicas. */
  interface Metadata {
    Manifest manifest(String artifact) throws StoreException, InterruptedException;

    /** Best effort: a replica unknown to the coordinator is still a replica. */
    void onKept(Replica replica) throws InterruptedException;

    /** Best effort. */
    void onEvicted(Replica replica) throws InterruptedException;
  }

  /** The bytes from this daemon and from others; the other bytes came from the disk origin. */
  private record Origins(long copied, long peers) {}

  /** The stages of a load, in order. */
  enum Stage {
    PREPARE,
    METADATA,
    ALLOCATION,
    TRANSFER,
    HANDLE
  }

  Loader(LocalReplicas replicas, Sources sources, Metadata metadata) {
    this.replicas = replicas;
    this.sources = sources;
    this.metadata = metadata;
  }

  /**
   * Runs a load to its end.
   *
   * @throws StoreException with the name of the failed stage
   */
  Result load(LoadJob job) throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    Stage stage = Stage.PREPARE;
    try {
      Optional<Replica> held = replicas.find(job.id());
      if (held.isPresent()) {
        job.onReused(held.get().manifest().sizeBytes());
        return new Result(
            "REUSED", held.get().key(), 0, 0, job.sources(), 0, System.nanoTime() - startNs);
      }
      stage = Stage.METADATA;
      Manifest manifest = manifest(job.id().artifact());
      stage = Stage.ALLOCATION;
      ReplicaBytes bytes = allocate(job.id().kind(), manifest.sizeBytes());
      boolean isKept = false;
      try {
        stage = Stage.TRANSFER;
        ArrivingBytes arriving = new ArrivingBytes(manifest, bytes);
        job.onBegun(manifest.sizeBytes(), arriving);
        Origins from = transfer(job, manifest, arriving);
        stage = Stage.HANDLE;
        bytes.complete(manifest);
        Replica kept = replicas.keep(Replica.of(manifest, bytes));
        isKept = true;
        metadata.onKept(kept);
        return new Result(
            from.copied() > 0 && from.copied() == manifest.sizeBytes() ? "COPIED" : "LOADED",
            kept.key(),
            from.peers(),
            manifest.sizeBytes() - from.copied() - from.peers(),
            job.sources(),
            arriving.refusedChunks(),
            System.nanoTime() - startNs);
      } finally {
        if (!isKept) {
          replicas.release(bytes, manifest.sizeBytes());
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      String why = e.getMessage() == null ? e.toString() : e.getMessage();
      throw new StoreException("load failed in stage " + stage + ": " + why, e);
    }
  }

  /** A replica in another kind of memory here needs no coordinator. */
  private Manifest manifest(String artifact) throws StoreException, InterruptedException {
    Optional<Replica> here =
        replicas.all().stream()
            .filter(replica -> replica.manifest().id().equals(artifact))
            .findFirst();
    return here.isPresent() ? here.get().manifest() : metadata.manifest(artifact);
  }

  private ReplicaBytes allocate(MemoryKind kind, long sizeBytes)
      throws IOException, InterruptedException {
    LocalReplicas.Room room = replicas.allocate(kind, sizeBytes);
    boolean isTold = false;
    try {
      for (Replica each : room.evicted()) {
        metadata.onEvicted(each);
      }
      isTold = true;
    } finally {
      if (!isTold) {
        replicas.release(room.bytes(), sizeBytes);
      }
    }
    return room.bytes();
  }

  private Origins transfer(LoadJob job, Manifest manifest, ArrivingBytes arriving)
      throws IOException, InterruptedException {
    Found local = found(() -> sources.local(manifest, job.id().kind(), arriving.arrived()));
    if (local.source() != null) {
      pump(local.source(), arriving);
    }
    long copied = arriving.arrived();
    StoreException noPeers = null;
    if (!arriving.isComplete() && job.mode().usesPeers()) {
      noPeers = fromPeers(job, manifest, arriving);
    }
    long fromPeers = arriving.arrived() - copied;
    IOException noOrigin = null;
    if (!arriving.isComplete() && job.mode().usesOrigin()) {
      noOrigin = fromOrigin(manifest, arriving);
    }
    if (!arriving.isComplete()) {
      String missing = "no source has byte " + arriving.arrived() + " of " + manifest.sizeBytes();
      IOException why = noPeers != null ? noPeers : noOrigin;
      throw why == null ? new StoreException(missing) : new StoreException(missing, why);
    }
    return new Origins(copied, fromPeers);
  }

  /** Without a coordinator there are no peers; an origin may exist all the same. */
  private @Nullable StoreException fromPeers(LoadJob job, Manifest manifest, ArrivingBytes arriving)
      throws IOException, InterruptedException {
    boolean hasOrigin = job.mode().usesOrigin() && hasOrigin(manifest);
    try {
      sources.fromPeers(job, arriving, !hasOrigin);
      return null;
    } catch (StoreException e) {
      return e;
    }
  }

  /**
   * Reads twice if the chunk in which another source stopped turns out to be wrong. Returns the
   * failure to open the origin, or null.
   */
  private @Nullable IOException fromOrigin(Manifest manifest, ArrivingBytes arriving) {
    boolean isWorthIt = true;
    Found origin = Found.NOTHING;
    while (isWorthIt) {
      origin = found(() -> sources.origin(manifest, arriving.arrived()));
      isWorthIt = origin.source() != null && pump(origin.source(), arriving).isMixed();
    }
    return origin.failure();
  }

  private boolean hasOrigin(Manifest manifest) {
    Found origin = found(() -> sources.origin(manifest, 0));
    if (origin.source() != null) {
      origin.source().close();
    }
    return origin.source() != null;
  }

  /** Looks for a source of this machine. */
  private interface Look {
    Optional<BodySource> up() throws IOException;
  }

  /**
   * Opens a source. A source evicted or deleted between the look-up and the opening counts as
   * missing: the load goes on elsewhere.
   */
  private static Found found(Look look) {
    try {
      return new Found(look.up().orElse(null), null);
    } catch (IOException e) {
      return new Found(null, e);
    }
  }

  private record Found(@Nullable BodySource source, @Nullable IOException failure) {
    private static final Found NOTHING = new Found(null, null);
  }

  /** Reads a source of this machine; the next source gives the missing bytes. */
  private static ArrivingBytes.Arrival pump(BodySource source, ArrivingBytes arriving) {
    ArrivingBytes.Arrival arrival = arriving.begin();
    byte[] block = new byte[BLOCK_BYTES];
    try (source) {
      int read = source.read(block, 0, block.length);
      while (read > 0) {
        arrival.write(block, 0, read);
        read = source.read(block, 0, block.length);
      }
      arrival.complete();
    } catch (IOException e) {
      arrival.abort(e);
    } catch (RuntimeException | Error e) {
      arrival.abort(e);
      throw e;
    }
    return arrival;
  }
}
