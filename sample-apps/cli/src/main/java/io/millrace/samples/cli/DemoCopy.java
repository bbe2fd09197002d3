package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.FileOptions;
import io.millrace.samples.file.MeteredSource;
import io.millrace.samples.file.MeteredTarget;
import io.millrace.samples.file.Sha256;
import io.millrace.samples.process.ScratchDirectory;
import io.millrace.samples.served.ServedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** Copies the demo's file to the other process and back, file to file, by bulk. */
final class DemoCopy {
  private static final TransferOptions OPTIONS =
      TransferOptions.DEFAULTS.withHeaders(ServedFiles.named("copy"));
  private static final long STEP_MS = 100;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

  private final Peer peer;
  private final Progress progress;

  DemoCopy(Peer peer, Progress progress) {
    this.peer = peer;
    this.progress = progress;
  }

  /** Copies there and back; reads the returned copy from the disk once more. */
  CopiedFile run(Path file) throws IOException, InterruptedException, ExecutionException {
    MeteredSource source = new MeteredSource(BulkSource.file(file), null);
    long startNs = System.nanoTime();
    CompletableFuture<BulkReceipt> written = peer.bulkWrite(ServedFiles.FILE, source, OPTIONS);
    long bytes = await(written, "bulk, there", source::bytes, source.lengthBytes(), startNs);
    long thereNs = System.nanoTime() - startNs;
    try (ScratchDirectory scratch = ScratchDirectory.create("millrace-demo")) {
      Path copy = scratch.path().resolve("copy");
      FileOptions unforced = FileOptions.DEFAULT.withoutForcing();
      MeteredTarget target = new MeteredTarget(BulkTarget.file(copy, unforced), null);
      long backFromNs = System.nanoTime();
      CompletableFuture<BulkReceipt> read = peer.bulkRead(ServedFiles.FILE, target, OPTIONS);
      await(read, "bulk, back", target::bytes, bytes, backFromNs);
      return new CopiedFile(bytes, thereNs, System.nanoTime() - backFromNs, Sha256.of(copy));
    }
  }

  /** Waits as long as bytes move. */
  private long await(
      CompletableFuture<BulkReceipt> future,
      String what,
      LongSupplier doneBytes,
      long totalBytes,
      long startNs)
      throws InterruptedException, ExecutionException {
    long before = -1;
    long movedNs = startNs;
    while (true) {
      try {
        return future.get(STEP_MS, TimeUnit.MILLISECONDS).bytes();
      } catch (TimeoutException e) {
        long nowNs = System.nanoTime();
        long done = doneBytes.getAsLong();
        if (done != before) {
          before = done;
          movedNs = nowNs;
        } else if (nowNs - movedNs > PATIENCE_NS) {
          throw CommandException.failed(what + ": no byte moved for 20 s");
        }
        if (progress.isDue(nowNs)) {
          progress.show(what + " " + TransferBar.line(done, totalBytes, nowNs - startNs), nowNs);
        }
      }
    }
  }
}
