package io.millrace.efa;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Names the set of processes that shared memory connects: those of one boot of one machine that see
 * the same files and processes. Addresses of the provider shm mean nothing outside of it.
 */
final class SharedMemoryHost {
  private static final List<Path> SIGNS =
      List.of(
          Path.of("/proc/sys/kernel/random/boot_id"),
          Path.of("/proc/self/ns/mnt"),
          Path.of("/proc/self/ns/pid"));

  private SharedMemoryHost() {}

  /** 8 hexadecimal digits: the same in two processes that can share memory. */
  static String id() {
    StringBuilder signs = new StringBuilder();
    for (Path sign : SIGNS) {
      signs.append(read(sign)).append('/');
    }
    return String.format("%08x", signs.toString().hashCode());
  }

  /** What cannot be read is taken for this process's own, which shares memory with itself. */
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
