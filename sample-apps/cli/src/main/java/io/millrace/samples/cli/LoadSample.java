package io.millrace.samples.cli;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.millrace.api.TransportSnapshot;
import io.millrace.api.WorkerSnapshot;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;

/**
 * The totals of a run up to one moment; figures of a run are differences of two samples.
 *
 * @param atNs the time of the sample
 * @param calls the number of answered calls
 * @param bytes the payload bytes of these calls, or the bytes moved so far
 * @param cpuNs processor time of this process
 * @param allocatedBytes heap bytes allocated by all threads
 * @param workerAllocatedBytes heap bytes allocated by the workers' threads
 * @param node counters of the node
 */
record LoadSample(
    long atNs,
    long calls,
    long bytes,
    long cpuNs,
    long allocatedBytes,
    long workerAllocatedBytes,
    TransportSnapshot node) {

  static LoadSample take(long calls, long bytes, TransportSnapshot node) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new LoadSample(
        System.nanoTime(),
        calls,
        bytes,
        system.getProcessCpuTime(),
        threads.getTotalThreadAllocatedBytes(),
        workerAllocatedBytes(threads, node),
        node);
  }

  private static long workerAllocatedBytes(ThreadMXBean threads, TransportSnapshot node) {
    Set<String> names = new HashSet<>();
    for (WorkerSnapshot worker : node.workers()) {
      names.add(worker.threadName());
    }
    long bytes = 0;
    for (var thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && names.contains(thread.getThreadName())) {
        bytes += threads.getThreadAllocatedBytes(thread.getThreadId());
      }
    }
    return bytes;
  }
}
