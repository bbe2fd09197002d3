package io.millrace.samples.cli;

import io.millrace.samples.file.DeviceRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;

/**
 * The two rates that bound a copy, in bytes per second, measured just before the copy.
 *
 * @param device one thread that only reads or writes a file here, forced as the copy forces
 * @param memory bulk from memory over the connection of the copy, in the direction of the copy
 */
record CopyBounds(double device, double memory) {
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
  static CopyBounds measure(CopyEnds ends, FileCopy copy, boolean force)
      throws InterruptedException, ExecutionException {
    long bytes = Math.min(copy.length(ends), MOST_BYTES);
    if (bytes == 0) {
      return new CopyBounds(0, 0);
    }
    double device = device(ends, bytes, force);
    copy.memoryRate(bytes / WARM_UP_PART, ends.isUpload());
    return new CopyBounds(device, copy.memoryRate(bytes, ends.isUpload()));
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

  private Holder holder(FileCopy.Copied copied) {
    return holder(copied.bytesPerSecond(), copied.fileShare());
  }

  /** The fields of {@code rates} in the report of a copy. */
  Map<String, Object> report(FileCopy.Copied copied) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("device_bytes_per_s", device);
    report.put("memory_bytes_per_s", memory);
    report.put("file_share", copied.fileShare());
    report.put("holder", holder(copied).name().toLowerCase(Locale.ROOT));
    return report;
  }

  /** The same in a sentence. */
  String line(FileCopy.Copied copied) {
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
