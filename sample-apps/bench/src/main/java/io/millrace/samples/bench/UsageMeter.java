package io.millrace.samples.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Measures the resources that this process used since the last restart. For one thread only. */
final class UsageMeter {
  private static final double BUSY_SHARE = 0.01;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private Map<Long, Long> threadCpuNs = Map.of();
  private long startNs;
  private long processCpuNs;
  private long waitedNs;
  private long allocatedBytes;

  /** Forgets the use until now. */
  void restart() {
    threadCpuNs = cpuByThread();
    waitedNs = RunQueue.waitedNs();
    processCpuNs = system.getProcessCpuTime();
    allocatedBytes = threads.getTotalThreadAllocatedBytes();
    startNs = System.nanoTime();
  }

  /** The use since the last restart. */
  Usage read() {
    long wallNs = System.nanoTime() - startNs;
    long allocated = threads.getTotalThreadAllocatedBytes() - allocatedBytes;
    long cpuNs = system.getProcessCpuTime() - processCpuNs;
    long waited = Math.max(0, RunQueue.waitedNs() - waitedNs);
    Map<Long, Long> spentNs = cpuByThread();
    spentNs.replaceAll((id, cpu) -> cpu - threadCpuNs.getOrDefault(id, 0L));
    long javaCpuNs = spentNs.values().stream().mapToLong(Long::longValue).sum();
    return new Usage(wallNs, cpuNs, javaCpuNs, waited, allocated, busyThreads(spentNs, wallNs));
  }

  private Map<Long, Long> cpuByThread() {
    Map<Long, Long> cpu = new TreeMap<>();
    for (long id : threads.getAllThreadIds()) {
      cpu.put(id, Math.max(0, threads.getThreadCpuTime(id)));
    }
    return cpu;
  }

  private List<String> busyThreads(Map<Long, Long> spentNs, long wallNs) {
    record Busy(String name, double share) {}

    List<Busy> busy = new ArrayList<>();
    for (Map.Entry<Long, Long> entry : spentNs.entrySet()) {
      double share = (double) entry.getValue() / wallNs;
      ThreadInfo info = threads.getThreadInfo(entry.getKey());
      if (share >= BUSY_SHARE && info != null) {
        busy.add(new Busy(info.getThreadName().replaceAll("[\\s,;]", "_"), share));
      }
    }
    busy.sort(Comparator.comparingDouble(Busy::share).reversed());
    return busy.stream().map(b -> "%s:%.0f%%".formatted(b.name(), b.share() * 100)).toList();
  }
}
