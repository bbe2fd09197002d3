package io.millrace.samples.cli;

import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** Draws the progress of a transfer. */
final class TransferBar {
  private static final long STEP_MS = 100;
  private static final int WIDTH = 24;
  private static final long SECONDS_PER_MINUTE = 60;

  private TransferBar() {}

  /**
   * Shows a bar, on a terminal, until a transfer has ended in whatever way.
   *
   * @param totalBytes the size of the whole, negative if unknown
   * @return false if a signal came before the end
   */
  static boolean show(
      Screen screen,
      Future<?> transfer,
      LongSupplier doneBytes,
      LongSupplier totalBytes,
      StopSignal stop)
      throws InterruptedException {
    long startNs = System.nanoTime();
    Progress progress = new Progress(screen, startNs);
    try {
      while (!stop.hasCome()) {
        if (hasEnded(transfer)) {
          return true;
        }
        long nowNs = System.nanoTime();
        if (screen.isLive()) {
          progress.show(
              line(doneBytes.getAsLong(), totalBytes.getAsLong(), nowNs - startNs), nowNs);
        }
      }
      return false;
    } finally {
      progress.clear();
    }
  }

  /** Waits a moment for the transfer to end, in whatever way. */
  private static boolean hasEnded(Future<?> transfer) throws InterruptedException {
    try {
      transfer.get(STEP_MS, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | CancellationException e) {
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /**
   * Returns a line with bytes, rate and time left.
   *
   * @param totalBytes the size of the whole, negative if unknown
   */
  static String line(long doneBytes, long totalBytes, long elapsedNs) {
    double bytesPerSecond = elapsedNs <= 0 ? 0 : doneBytes * 1e9 / elapsedNs;
    String rate = Figures.bytes(Math.round(bytesPerSecond)) + "/s";
    if (totalBytes < 0) {
      return Figures.bytes(doneBytes) + "  " + rate;
    }
    double share = totalBytes == 0 ? 1 : Math.min(1, (double) doneBytes / totalBytes);
    int filled = (int) (share * WIDTH);
    return String.format(
        Locale.ROOT,
        "[%s%s] %3d %%  %s of %s  %s  %s left",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        (int) (share * 100),
        Figures.bytes(doneBytes),
        Figures.bytes(totalBytes),
        rate,
        timeLeft(totalBytes - doneBytes, bytesPerSecond));
  }

  private static String timeLeft(long bytes, double bytesPerSecond) {
    if (bytes <= 0) {
      return "0:00";
    }
    if (bytesPerSecond < 1) {
      return "?:??";
    }
    long seconds = (long) Math.ceil(bytes / bytesPerSecond);
    return String.format(
        Locale.ROOT, "%d:%02d", seconds / SECONDS_PER_MINUTE, seconds % SECONDS_PER_MINUTE);
  }
}
