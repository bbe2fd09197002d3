package io.millrace.efa;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Names the set of processes that shared memory connects: the processes of one boot of one machine
 * with a view of the same files and processes. Addresses of the provider shm have no meaning
 * outside of the set.
 */
final class SharedMemoryHost {
  private static final List<Path> SIGNS =
      List.of(
          Path.of("/proc/sys/kernel/random/boot_id"),
          Path.of("/proc/self/ns/mnt"),
          Path.of("/proc/self/ns/pid"));

  private SharedMemoryHost() {}

  /** Returns 8 hexadecimal digits, equal in two processes that can share memory. */
  static String id() {
    StringBuilder signs = new StringBuilder();
    for (Path sign : SIGNS) {
      signs.append(read(sign)).append('/');
    }
    return String.format("%08x", signs.toString().hashCode());
  }

  /**
   * Reads a sign of the host. An unreadable sign gets a value of this process alone, which shares
   * memory only with itself.
   */
  private static String read(Path sign) {
    try {
      return Files.isSymbolicLink(sign)
          ? Files.readSymbolicLink(sign).toString()
          : Files.readString(sign).strip();
    } catch (IOException e) {
      return String.valueOf(ProcessHandle.current().pid());
    }
  }
}
