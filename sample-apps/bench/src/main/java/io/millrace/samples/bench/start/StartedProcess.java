package io.millrace.samples.bench.start;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The resources that this process has taken so far. Figures of Linux are {@link #UNKNOWN} on other
 * systems.
 */
final class StartedProcess {
  static final long UNKNOWN = -1;

  private static final Path OF_THIS_PROCESS = Path.of("/proc/self");

  private StartedProcess() {}

  /** Processor time of all threads, ns. */
  static long processorNs() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }

  /** The cost of a start, read after a collection. */
  static StartRow row(String what, long wallNs, long processorNs) throws IOException {
    System.gc();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    long resident = status("VmRSS:", OF_THIS_PROCESS);
    return new StartRow(
        what,
        wallNs / 1e6,
        processorNs / 1e6,
        resident == UNKNOWN ? UNKNOWN : resident / 1024.0 - StartProbe.HEAP_MIB,
        heap.getUsed() >> 10,
        ManagementFactory.getThreadMXBean().getThreadCount(),
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getOpenFileDescriptorCount()
            : UNKNOWN,
        ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
  }

  /**
   * The number of times that threads of this process gave their core back and were woken, since
   * their beginning.
   */
  static long wakeUps() throws IOException {
    Path tasks = OF_THIS_PROCESS.resolve("task");
    if (!Files.isDirectory(tasks)) {
      return UNKNOWN;
    }
    long sum = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        sum += Math.max(0, status("voluntary_ctxt_switches:", thread));
      }
    }
    return sum;
  }

  /** A number that the kernel reports for a process or thread. */
  private static long status(String key, Path folder) throws IOException {
    try {
      for (String line : Files.readAllLines(folder.resolve("status"), StandardCharsets.UTF_8)) {
        if (line.startsWith(key)) {
          return Long.parseLong(line.replaceAll("\\D", ""));
        }
      }
    } catch (NoSuchFileException e) {
      // Another system, or the thread has ended.
      return UNKNOWN;
    }
    return UNKNOWN;
  }
}
