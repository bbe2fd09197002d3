package io.millrace.loop;

import com.typesafe.config.ConfigException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The assignment of cores to workers.
 *
 * @param coreOfWorker per worker, in the order given: its CPU, or {@link LoopSettings#ANY_CORE}
 * @param surplus listed CPUs that no worker needs; for crypto or the application
 * @param notices the flaws of the assignment, one sentence each, for one event each
 */
public record CoreAssignment(List<Integer> coreOfWorker, CpuSet surplus, List<String> notices) {
  /** Copies the lists. */
  public CoreAssignment {
    coreOfWorker = List.copyOf(coreOfWorker);
    notices = List.copyOf(notices);
  }

  /**
   * Spreads cores over workers. First each worker with a known memory node of its NIC takes a core
   * of this node, then the other workers take the remaining cores in the order of the list. Each
   * time a core with an unused physical core is preferred. With an empty list nobody is pinned.
   *
   * @param key of the list in the configuration, for messages
   * @param cores the CPUs to use, in order of preference
   * @param nodeOfWorker per worker the memory node of its NIC, or {@link CpuTopology#UNKNOWN_NODE}
   * @param allowed where the process may run; empty when not known
   * @throws ConfigException naming {@code key} if a CPU is listed twice or is negative, or there
   *     are fewer than workers
   */
  public static CoreAssignment assign(
      String key,
      List<Integer> cores,
      List<Integer> nodeOfWorker,
      CpuTopology topology,
      CpuSet allowed) {
    requireDistinct(key, cores);
    if (cores.isEmpty()) {
      return new CoreAssignment(
          nodeOfWorker.stream().map(node -> LoopSettings.ANY_CORE).toList(),
          CpuSet.NONE,
          List.of());
    }
    if (cores.size() < nodeOfWorker.size()) {
      throw new ConfigException.BadValue(
          key, "lists " + cores.size() + " CPUs for " + nodeOfWorker.size() + " workers");
    }
    return new Draft(cores, nodeOfWorker, topology).assignment(allowed);
  }

  /**
   * CPUs to choose from if the configuration names no CPU. If enough CPUs are isolated, the
   * isolated CPUs; else the isolated CPUs first, and then the others from the highest allowed id
   * downwards. Systems tend to put their own work on the lowest CPUs, and the lowest CPU stays for
   * all other threads.
   *
   * @return {@code count} CPUs or more; an empty list if there are fewer
   */
  public static List<Integer> candidates(int count, CpuTopology topology, CpuSet allowed) {
    CpuSet cpuset = topology.cpuset();
    CpuSet isolated =
        cpuset.isEmpty()
            ? topology.isolated()
            : topology.isolated().without(topology.isolated().without(cpuset));
    List<Integer> found = new ArrayList<>(isolated.toList());
    if (found.size() < count) {
      List<Integer> shared = allowed.without(isolated).toList().reversed();
      found.addAll(shared.subList(0, Math.max(0, shared.size() - 1)));
    }
    return found.size() < count ? List.of() : List.copyOf(found);
  }

  private static void requireDistinct(String key, List<Integer> cores) {
    BitSet seen = new BitSet();
    for (int core : cores) {
      if (core < 0) {
        throw new ConfigException.BadValue(key, "no CPU has the id " + core);
      }
      if (seen.get(core)) {
        throw new ConfigException.BadValue(key, "lists CPU " + core + " twice");
      }
      seen.set(core);
    }
  }

  /** An assignment in the making. */
  private static final class Draft {
    private final List<Integer> free;
    private final List<Integer> nodeOfWorker;
    private final CpuTopology topology;
    private final List<@Nullable Integer> taken;
    private final List<String> notices = new ArrayList<>();

    Draft(List<Integer> cores, List<Integer> nodeOfWorker, CpuTopology topology) {
      this.free = new ArrayList<>(cores);
      this.nodeOfWorker = nodeOfWorker;
      this.topology = topology;
      this.taken = new ArrayList<>();
      nodeOfWorker.forEach(node -> taken.add(null));
    }

    CoreAssignment assignment(CpuSet allowed) {
      for (int worker = 0; worker < nodeOfWorker.size(); worker++) {
        int node = nodeOfWorker.get(worker);
        if (node != CpuTopology.UNKNOWN_NODE) {
          take(worker, bestOf(free.stream().filter(cpu -> topology.nodeOf(cpu) == node).toList()));
        }
      }
      List<Integer> result = new ArrayList<>();
      for (int worker = 0; worker < nodeOfWorker.size(); worker++) {
        if (taken.get(worker) == null) {
          take(worker, bestOf(free));
        }
        Integer core = taken.get(worker);
        if (core == null) {
          throw new AssertionError("fewer cores than workers");
        }
        result.add(core);
        describe(worker, core, allowed);
      }
      CpuSet shared = CpuSet.of(result).without(topology.isolated());
      if (!shared.isEmpty()) {
        notices.add("not isolated, so other threads may run there: " + shared);
      }
      return new CoreAssignment(result, CpuSet.of(free), notices);
    }

    /** The first candidate whose physical core is unused, else the first, else null. */
    private @Nullable Integer bestOf(List<Integer> candidates) {
      for (Integer cpu : candidates) {
        if (!isCoreShared(cpu)) {
          return cpu;
        }
      }
      return candidates.isEmpty() ? null : candidates.getFirst();
    }

    private void take(int worker, @Nullable Integer cpu) {
      taken.set(worker, cpu);
      free.removeIf(each -> each.equals(cpu));
    }

    private boolean isCoreShared(int cpu) {
      CpuSet siblings = topology.siblingsOf(cpu);
      return taken.stream()
          .anyMatch(other -> other != null && other != cpu && siblings.contains(other));
    }

    private void describe(int worker, int cpu, CpuSet allowed) {
      int node = nodeOfWorker.get(worker);
      if (node != CpuTopology.UNKNOWN_NODE && topology.nodeOf(cpu) != node) {
        notices.add(
            "worker %d runs on CPU %d of node %d, its NIC is at node %d"
                .formatted(worker, cpu, topology.nodeOf(cpu), node));
      }
      if (isCoreShared(cpu)) {
        notices.add("worker %d on CPU %d shares a physical core".formatted(worker, cpu));
      }
      boolean isolated = topology.isolated().contains(cpu);
      if (!isolated && !allowed.isEmpty() && !allowed.contains(cpu)) {
        notices.add("CPU %d is not among those of the process: %s".formatted(cpu, allowed));
      }
    }
  }
}
