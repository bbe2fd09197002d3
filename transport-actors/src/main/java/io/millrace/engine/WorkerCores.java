package io.millrace.engine;

import io.millrace.config.WorkerSettings;
import io.millrace.event.TransportEvents;
import io.millrace.loop.CoreAssignment;
import io.millrace.loop.CpuSet;
import io.millrace.loop.LoopSettings;
import io.millrace.loop.Machine;
import java.util.Collections;
import java.util.List;

/** Chooses the core of each worker before the worker starts, and tells the flaws of the choice. */
final class WorkerCores {
  private static final String KEY = "millrace.workers.cores";

  private WorkerCores() {}

  /**
   * The CPU of each worker, or {@link LoopSettings#ANY_CORE}.
   *
   * @param nodeOfWorker the memory node of the NIC of each
   */
  static List<Integer> choose(
      WorkerSettings settings,
      List<Integer> nodeOfWorker,
      Machine machine,
      TransportEvents events) {
    int count = nodeOfWorker.size();
    List<Integer> cpus = settings.cores().ids();
    if (settings.cores().isAuto()) {
      cpus = CoreAssignment.candidates(count, machine.topology(), machine.allowed());
      if (cpus.isEmpty()) {
        events.onResourceMissing(
            "cores for workers",
            count + " wanted and one for other threads, allowed are " + named(machine.allowed()),
            "the workers run unpinned");
      }
    }
    if (cpus.isEmpty()) {
      return Collections.nCopies(count, LoopSettings.ANY_CORE);
    }
    CoreAssignment assignment =
        CoreAssignment.assign(KEY, cpus, nodeOfWorker, machine.topology(), machine.allowed());
    List<Integer> chosen = assignment.coreOfWorker();
    CpuSet isolated = machine.topology().isolated();
    events.onCoresAssigned(chosen, chosen.stream().filter(isolated::contains).toList());
    for (String notice : assignment.notices()) {
      events.onResourceMissing(
          "cores of their own for workers", notice, "the workers may wait for others");
    }
    return chosen;
  }

  private static String named(CpuSet cpus) {
    return cpus.isEmpty() ? "not known here" : cpus.toString();
  }
}
