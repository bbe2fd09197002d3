package io.millrace.samples.selftest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The limits of this process and host that registrations and shared memory meet. */
final class HostLimits {
  /** Enough for the pools of a node with the defaults. */
  private static final long ENOUGH_LOCKED_BYTES = 256L << 20;

  /** Several times the file of one endpoint of shared memory. */
  private static final long ENOUGH_SHARED_BYTES = 64L << 20;

  private static final int CAP_IPC_LOCK = 14;

  /** The file system of shared memory; a driver that lacks space there names the file system. */
  static final Path SHARED = Path.of("/dev/shm");

  private HostLimits() {}

  /** Judges the soft limit of locked memory; {@code pins} whether the driver locks memory. */
  static Finding lockedMemory(boolean pins) {
    String limit = word(behind("/proc/self/limits", "Max locked memory"));
    if (limit.isEmpty()) {
      return Finding.skipped(Check.LOCKED_MEMORY, "the system does not tell the limit");
    }
    if (limit.equals("unlimited")) {
      return Finding.ok(Check.LOCKED_MEMORY, "unlimited");
    }
    long bytes = Long.parseLong(limit);
    String told = bytes + " bytes";
    if (!pins) {
      return Finding.ok(Check.LOCKED_MEMORY, told + "; this driver locks none")
          .with("limit_bytes", bytes);
    }
    if (mayLockAll()) {
      return Finding.ok(Check.LOCKED_MEMORY, told + "; CAP_IPC_LOCK lifts the limit")
          .with("limit_bytes", bytes);
    }
    Finding finding =
        bytes >= ENOUGH_LOCKED_BYTES
            ? Finding.ok(Check.LOCKED_MEMORY, told)
            : Finding.failed(
                Check.LOCKED_MEMORY, told + ", less than " + ENOUGH_LOCKED_BYTES + " bytes");
    return finding.with("limit_bytes", bytes);
  }

  /** Judges the free room for shared memory; {@code uses} whether the driver uses any. */
  static Finding sharedMemory(boolean uses) {
    if (!uses) {
      return Finding.skipped(Check.SHARED_MEMORY, "this driver uses none");
    }
    try {
      long free = Files.getFileStore(SHARED).getUsableSpace();
      Finding finding =
          free >= ENOUGH_SHARED_BYTES
              ? Finding.ok(Check.SHARED_MEMORY, free + " bytes free")
              : Finding.failed(
                  Check.SHARED_MEMORY,
                  free + " bytes free, less than " + ENOUGH_SHARED_BYTES + " bytes");
      return finding.with("free_bytes", free);
    } catch (IOException e) {
      return Finding.failed(Check.SHARED_MEMORY, "there is no " + SHARED);
    }
  }

  private static boolean mayLockAll() {
    String mask = word(behind("/proc/self/status", "CapEff:"));
    return !mask.isEmpty() && (Long.parseUnsignedLong(mask, 16) >>> CAP_IPC_LOCK & 1) == 1;
  }

  private static String word(String line) {
    return line.split("\\s+", 2)[0];
  }

  /** Returns the rest of the line with this beginning; empty without such a line. */
  private static String behind(String file, String beginning) {
    List<String> lines;
    try {
      lines = Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
    return lines.stream()
        .filter(line -> line.startsWith(beginning))
        .map(line -> line.substring(beginning.length()).strip())
        .findFirst()
        .orElse("");
  }
}
