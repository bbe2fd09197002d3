package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.FileOptions;
import io.millrace.samples.file.DeviceRate;
import io.millrace.samples.file.MeteredSource;
import io.millrace.samples.file.MeteredTarget;
import io.millrace.samples.served.RepeatedBlock;
import io.millrace.samples.served.ServedFiles;
import io.millrace.samples.served.ServedRoutes;
import io.millrace.transfer.Headers;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** A transfer of a file, watched by the waiting thread. */
final class FileCopy {
  private static final long CONNECT_SECONDS = 30;

  private final Transport transport;
  private final Peer peer;
  private final TransferOptions options;
  private final Screen screen;
  private final StopSignal stop;

  /**
   * The result of a copy.
   *
   * @param bytes the number of bytes, all verified
   * @param elapsedNs from the request to the last byte in its place
   * @param fileNs the part of this time in calls for the file here
   */
  record Copied(long bytes, long elapsedNs, long fileNs) {
    double bytesPerSecond() {
      return Figures.perSecond(bytes, elapsedNs);
    }

    /** The part of the time in calls for the file here, from 0 to 1. */
    double fileShare() {
      return elapsedNs == 0 ? 0 : Math.min(1, (double) fileNs / elapsedNs);
    }
  }

  /** The progress of a copy under way, and the remark for a copy that a signal has ended. */
  private record Watch(
      LongSupplier doneBytes,
      LongSupplier fileNs,
      long totalBytes,
      long startNs,
      String whenStopped) {}

  /** A copy to or from {@code peer}; a signal ends {@code transport}. */
  FileCopy(
      Transport transport, Peer peer, TransferOptions options, Screen screen, StopSignal stop) {
    this.transport = transport;
    this.peer = peer;
    this.options = options;
    this.screen = screen;
    this.stop = stop;
  }

  /** Copies to the peer, under the name in the options' headers. */
  Copied write(Path file, @Nullable MessageDigest digest)
      throws IOException, InterruptedException, ExecutionException {
    connect();
    MeteredSource source = new MeteredSource(BulkSource.file(file), digest);
    long startNs = System.nanoTime();
    CompletableFuture<BulkReceipt> receipt = peer.bulkWrite(ServedFiles.FILE, source, options);
    return await(
        receipt,
        new Watch(
            source::bytes,
            source::busyNs,
            source.lengthBytes(),
            startNs,
            "the peer keeps no part of the file"));
  }

  /** Copies from the peer; the whole file appears at the end. */
  Copied read(Path file, FileOptions fileOptions, @Nullable MessageDigest digest)
      throws InterruptedException, ExecutionException {
    MeteredTarget target = open(file, fileOptions, digest);
    long totalBytes = sizeOr(target);
    long startNs = System.nanoTime();
    CompletableFuture<BulkReceipt> receipt = peer.bulkRead(ServedFiles.FILE, target, options);
    return await(
        receipt,
        new Watch(target::bytes, target::busyNs, totalBytes, startNs, "nothing was left behind"));
  }

  /**
   * Sends bytes from memory to the peer, or gets such bytes from the peer; no file takes part.
   *
   * @return the bytes per second
   */
  double memoryRate(long bytes, boolean isUpload) throws InterruptedException, ExecutionException {
    connect();
    long startNs = System.nanoTime();
    CompletableFuture<BulkReceipt> receipt =
        isUpload
            ? peer.bulkWrite(ServedRoutes.BULK_SINK, RepeatedBlock.source(bytes), options)
            : peer.bulkRead(ServedRoutes.BULK_SOURCE, RepeatedBlock.sampled(), sized(bytes));
    if (!TransferBar.show(screen, receipt, () -> 0, () -> bytes, stop)) {
      throw CommandException.failed("stopped by a signal; nothing was copied");
    }
    receipt.get();
    return Figures.perSecond(bytes, System.nanoTime() - startNs);
  }

  private TransferOptions sized(long bytes) {
    return options.withHeaders(Headers.of(ServedRoutes.BYTES, String.valueOf(bytes)));
  }

  /** The length of the file to copy, here or at the peer. */
  long length(CopyEnds ends) throws InterruptedException, ExecutionException {
    connect();
    return ends.isUpload() ? ends.file().toFile().length() : size();
  }

  /**
   * Opens the file before the peer is asked: a file that cannot be written here is a wrong
   * argument.
   */
  private static MeteredTarget open(
      Path file, FileOptions fileOptions, @Nullable MessageDigest digest) {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      AbandonedFiles.remove(directory);
    }
    try {
      return new MeteredTarget(BulkTarget.file(file, fileOptions), digest);
    } catch (IOException e) {
      throw CommandException.badArgument(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the length of the peer's file; without an answer nothing is left here. */
  private long sizeOr(MeteredTarget target) throws InterruptedException, ExecutionException {
    try {
      connect();
      return size();
    } catch (InterruptedException | ExecutionException | RuntimeException e) {
      target.abort(e);
      throw e;
    }
  }

  private void connect() throws InterruptedException, ExecutionException {
    answer(peer.connect());
  }

  /**
   * Asks for the length first, so that progress has an end and a wrong name leaves no trace here.
   */
  private long size() throws InterruptedException, ExecutionException {
    String name = options.headers().text(ServedFiles.NAME).orElseThrow();
    return answer(peer.unary(ServedFiles.FILE_SIZE, ByteString.fromString(name)))
        .asByteBuffer()
        .getLong();
  }

  /** Waits for a step before the copy; a signal in this step leaves nothing copied. */
  private <T> T answer(CompletableFuture<T> future)
      throws InterruptedException, ExecutionException {
    try {
      stop.awaitOr(future, CONNECT_SECONDS);
    } catch (TimeoutException e) {
      throw CommandException.failed(
          peer.address() + " did not answer within " + CONNECT_SECONDS + " s");
    }
    if (!future.isDone()) {
      throw CommandException.failed("stopped by a signal; nothing was copied");
    }
    return future.get();
  }

  private Copied await(CompletableFuture<BulkReceipt> future, Watch watch)
      throws InterruptedException, ExecutionException {
    if (TransferBar.show(screen, future, watch.doneBytes(), watch::totalBytes, stop)) {
      return copied(future.get(), watch);
    }
    return stopped(future, watch);
  }

  /** Ends the copy before the report: the copy may have been done just before the signal. */
  private Copied stopped(CompletableFuture<BulkReceipt> future, Watch watch) {
    transport.close();
    if (!future.isDone()) {
      throw CommandException.failed("stopped by a signal, and the copy did not end in time");
    }
    if (future.isCompletedExceptionally()) {
      throw CommandException.failed("stopped by a signal; " + watch.whenStopped());
    }
    return copied(future.resultNow(), watch);
  }

  private static Copied copied(BulkReceipt receipt, Watch watch) {
    long elapsedNs = System.nanoTime() - watch.startNs();
    requireWhole(receipt.bytes(), watch.doneBytes().getAsLong());
    return new Copied(receipt.bytes(), elapsedNs, watch.fileNs().getAsLong());
  }

  private static void requireWhole(long received, long passed) {
    if (received != passed) {
      throw CommandException.failed(
          "the receipt is for " + received + " bytes, but " + passed + " passed here");
    }
  }

  /**
   * The two rates that bound a copy, in bytes per second, measured just before the copy.
   *
   * @param device one thread that only reads or writes a file here, forced as the copy forces
   * @param memory bulk from memory over the connection of the copy, in the direction of the copy
   */
  record Bounds(double device, double memory) {
    private static final long MOST_BYTES = 1L << 30;

    /** A quarter of the measured bytes goes ahead uncounted, so that the compiler is done. */
    private static final int WARM_UP_PART = 4;

    /** A copy at this part of a bound's rate, or above, is held by this bound. */
    private static final double NEAR = 0.8;

    private static final double HALF = 0.5;

    /** The stage that holds a copy. */
    enum Holder {
      /** Sealing, sending and opening: bulk from memory is not faster. */
      CONNECTION("the connection"),
      /** The file here: its device and page cache. */
      FILE_HERE("the file here"),
      /** The rest: above all the file at the peer. */
      PEER("the peer");

      private final String text;

      Holder(String text) {
        this.text = text;
      }
    }

    /**
     * Measures with as many bytes as the file has, 1 GiB at most.
     *
     * @param force whether a file written here is forced to the device
     */
    static Bounds measure(CopyEnds ends, FileCopy copy, boolean force)
        throws InterruptedException, ExecutionException {
      long bytes = Math.min(copy.length(ends), MOST_BYTES);
      if (bytes == 0) {
        return new Bounds(0, 0);
      }
      double device = device(ends, bytes, force);
      copy.memoryRate(bytes / WARM_UP_PART, ends.isUpload());
      return new Bounds(device, copy.memoryRate(bytes, ends.isUpload()));
    }

    private static double device(CopyEnds ends, long bytes, boolean force) {
      Path file = ends.file().toAbsolutePath();
      try {
        return ends.isUpload()
            ? DeviceRate.ofReading(file, bytes)
            : DeviceRate.ofWriting(Objects.requireNonNull(file.getParent()), bytes, force);
      } catch (IOException e) {
        String action = ends.isUpload() ? "read " : "write ";
        throw CommandException.badArgument("cannot " + action + file + ": " + e);
      }
    }

    /** Returns the stage that held the copy; the connection if several did. */
    Holder holder(double copied, double fileShare) {
      if (copied >= NEAR * memory) {
        return Holder.CONNECTION;
      }
      return copied >= NEAR * device || fileShare >= HALF ? Holder.FILE_HERE : Holder.PEER;
    }

    private Holder holder(Copied copied) {
      return holder(copied.bytesPerSecond(), copied.fileShare());
    }

    /** The fields of {@code rates} in the report of a copy. */
    Map<String, Object> report(Copied copied) {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("device_bytes_per_s", device);
      report.put("memory_bytes_per_s", memory);
      report.put("file_share", copied.fileShare());
      report.put("holder", holder(copied).name().toLowerCase(Locale.ROOT));
      return report;
    }

    /** The same in a sentence. */
    String line(Copied copied) {
      return String.format(
          Locale.ROOT,
          "file here alone %s/s, bulk from memory %s/s; the copy spent %.0f %% of its time in the"
              + " file here and was held by %s",
          Figures.bytes(Math.round(device)),
          Figures.bytes(Math.round(memory)),
          100 * copied.fileShare(),
          holder(copied).text);
    }
  }
}
