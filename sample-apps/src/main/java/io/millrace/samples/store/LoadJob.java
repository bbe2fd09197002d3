package io.millrace.samples.store;

import io.millrace.samples.store.StoreRoutes.Progress;
import io.millrace.samples.store.StoreRoutes.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** One load: what is wanted, how far it is, and how it ends. Any thread may look. */
final class LoadJob {
  private final Replica.Id id;
  private final LoadMode mode;
  private final CompletableFuture<Result> result = new CompletableFuture<>();
  private final List<String> sources = new CopyOnWriteArrayList<>();
  private volatile long totalBytes = -1;
  private volatile @Nullable ArrivingBytes arriving;

  LoadJob(Replica.Id id, LoadMode mode) {
    this.id = id;
    this.mode = mode;
  }

  Replica.Id id() {
    return id;
  }

  LoadMode mode() {
    return mode;
  }

  CompletableFuture<Result> result() {
    return result;
  }

  /** Bytes begin to arrive. */
  void onBegun(long sizeBytes, ArrivingBytes bytes) {
    totalBytes = sizeBytes;
    arriving = bytes;
  }

  /** All was here already. */
  void onReused(long sizeBytes) {
    totalBytes = sizeBytes;
  }

  /** Another daemon gave some. */
  void onSource(String daemon) {
    sources.add(daemon);
  }

  /** Daemons that gave some, in order. */
  List<String> sources() {
    return List.copyOf(sources);
  }

  /** How far it is; with the result once it has ended well. */
  Progress progress() {
    Result known = result.isDone() ? result.join() : null;
    ArrivingBytes bytes = arriving;
    long done = bytes == null ? 0 : bytes.arrived();
    return new Progress(known == null ? done : totalBytes, totalBytes, known);
  }
}
