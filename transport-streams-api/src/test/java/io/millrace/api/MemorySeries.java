package io.millrace.api;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Samples of this process's memory during its work: live bytes on the heap after a collection, and
 * resident bytes from the system, 0 if unknown. Later samples are compared with the first sample.
 * Safe on any thread.
 */
final class MemorySeries {
  private static final Path STATUS = Path.of("/proc/self/status");

  private final List<Sample> samples = new ArrayList<>();

  private record Sample(int progress, long liveBytes, long residentBytes) {
    @Override
    public String toString() {
      return "%d: %.1f and %.1f".formatted(progress, mebi(liveBytes), mebi(residentBytes));
    }

    private static double mebi(long bytes) {
      return bytes / (double) (1 << 20);
    }
  }

  synchronized void sample(int progress) throws IOException {
    var memory = ManagementFactory.getMemoryMXBean();
    memory.gc();
    samples.add(new Sample(progress, memory.getHeapMemoryUsage().getUsed(), residentBytes()));
  }

  private static long residentBytes() throws IOException {
    if (!Files.exists(STATUS)) {
      return 0;
    }
    return Files.readAllLines(STATUS).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .sum();
  }

  synchronized int count() {
    return samples.size();
  }

  /** Returns the most live bytes beyond the first sample. */
  synchronized long liveGrowthBytes() {
    return samples.stream().mapToLong(Sample::liveBytes).max().orElseThrow()
        - samples.getFirst().liveBytes();
  }

  /** Returns the most resident bytes beyond the first sample. */
  synchronized long residentGrowthBytes() {
    return samples.stream().mapToLong(Sample::residentBytes).max().orElseThrow()
        - samples.getFirst().residentBytes();
  }

  @Override
  public synchronized String toString() {
    return samples.stream()
        .map(Sample::toString)
        .collect(Collectors.joining("; ", "live and resident MiB at ", ""));
  }
}
