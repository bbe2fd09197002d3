package io.millrace.samples.store;

import io.millrace.samples.store.StoreRoutes.Progress;
import io.millrace.samples.store.StoreRoutes.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A load: the wanted replica, its progress, and its end. Any thread may look. */
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

  /** Notes that bytes begin to arrive. */
  void onBegun(long sizeBytes, ArrivingBytes bytes) {
    totalBytes = sizeBytes;
    arriving = bytes;
  }

  /** Notes that all bytes were here already. */
  void onReused(long sizeBytes) {
    totalBytes = sizeBytes;
  }

  /** Notes that another daemon gave bytes. */
  void onSource(String daemon) {
    sources.add(daemon);
  }

  /** Returns the daemons that gave bytes, in order. */
  List<String> sources() {
    return List.copyOf(sources);
  }

  /** Returns the progress; with the result once the load has ended well. */
  Progress progress() {
    Result known = result.isDone() ? result.join() : null;
    ArrivingBytes bytes = arriving;
    long done = bytes == null ? 0 : bytes.arrived();
    return new Progress(known == null ? done : totalBytes, totalBytes, known);
  }
}
