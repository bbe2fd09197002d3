package io.millrace.loop;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The CPUs of this process's pinned loops, kept free of the process's other threads.
 *
 * <p>On Linux a new thread inherits where its creator may run. A pool that starts a thread because
 * of a loop's task thus gets a thread that may run on the loop's core and nowhere else, where a
 * spinning loop leaves the thread nothing. Nobody can prevent such threads at the source, so {@link
 * #evictStrays()} is to be called now and then from the control plane; the method reads {@code
 * /proc}.
 */
public final class DedicatedCores {
  /** Cores belong to the process, whatever transports share it. */
  public static final DedicatedCores OF_PROCESS = new DedicatedCores(Path.of("/proc/self/task"));

  private final Path tasks;
  private final ConcurrentHashMap<Integer, Integer> cpuOfThread = new ConcurrentHashMap<>();

  /**
   * For tests; everybody else uses {@link #OF_PROCESS}.
   *
   * @param tasks a directory with an entry per thread, named by the kernel's id
   */
  DedicatedCores(Path tasks) {
    this.tasks = tasks;
  }

  /** The CPUs of pinned loops. Any thread. */
  public CpuSet cpus() {
    return CpuSet.of(cpuOfThread.values());
  }

  /**
   * Moves every other thread that is confined to these CPUs elsewhere: to the CPUs of the process,
   * without these CPUs if any CPU is left. Any thread but a loop's.
   *
   * @return the number of moved threads
   */
  public int evictStrays() {
    CpuSet dedicated = cpus();
    if (dedicated.isEmpty()) {
      return 0;
    }
    CpuSet all = CpuAffinity.ofProcess();
    CpuSet elsewhere = all.without(dedicated);
    CpuSet home = elsewhere.isEmpty() ? all : elsewhere;
    int evicted = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(tasks, "[0-9]*")) {
      for (Path entry : entries) {
        if (evict(Integer.parseInt(entry.getFileName().toString()), dedicated, home)) {
          evicted++;
        }
      }
    } catch (IOException e) {
      return evicted; // no such directory on this system: nothing was pinned either
    }
    return evicted;
  }

  /**
   * Pins the calling thread, a loop's, and dedicates the CPU to the thread if the pinning works.
   */
  Pinning pin(int cpu) {
    Pinning[] outcome = {Pinning.NOT_REQUESTED};
    // Within the map's compute no thread evicts the loop's thread between its pinning and its
    // entry.
    cpuOfThread.compute(
        CpuAffinity.currentThreadId(),
        (threadId, none) -> {
          outcome[0] = CpuAffinity.pinCurrentThread(cpu);
          return outcome[0].isPinned() ? cpu : null;
        });
    return outcome[0];
  }

  /** The calling thread, a loop's, ends. */
  void onEnded() {
    cpuOfThread.remove(CpuAffinity.currentThreadId());
  }

  private boolean evict(int threadId, CpuSet dedicated, CpuSet home) {
    boolean[] isEvicted = {false};
    cpuOfThread.compute(
        threadId,
        (id, cpu) -> {
          if (cpu == null) {
            CpuSet confined = CpuAffinity.get(id);
            isEvicted[0] =
                confined.count() == 1
                    && confined.overlaps(dedicated)
                    && !confined.equals(home)
                    && CpuAffinity.set(id, home) == null;
          }
          return cpu;
        });
    return isEvicted[0];
  }
}
