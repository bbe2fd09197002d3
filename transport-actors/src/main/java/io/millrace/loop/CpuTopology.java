package io.millrace.loop;

import java.util.List;

/** The topology of a machine's CPUs. Read while a transport opens; may do file input. */
public interface CpuTopology {
  /** {@link #nodeOfInterface} does not know. */
  int UNKNOWN_NODE = -1;

  /**
   * A part of the machine whose CPUs share near memory.
   *
   * @param id the kernel's number
   * @param cpus the node's online CPUs
   */
  record NumaNode(int id, CpuSet cpus) {}

  /** The memory nodes, by ascending id; at least 1. */
  List<NumaNode> nodes();

  /** The hardware threads of the physical core that {@code cpu} belongs to, itself included. */
  CpuSet siblingsOf(int cpu);

  /** CPUs that the kernel's scheduler leaves alone, by boot option or by an isolated cpuset. */
  CpuSet isolated();

  /** CPUs that the process's control group leaves to the process; empty when not known. */
  CpuSet cpuset();

  /** The memory node next to a network interface, or {@link #UNKNOWN_NODE}. */
  int nodeOfInterface(String name);

  /** The memory node of a CPU, or {@link #UNKNOWN_NODE}. */
  default int nodeOf(int cpu) {
    for (NumaNode node : nodes()) {
      if (node.cpus().contains(cpu)) {
        return node.id();
      }
    }
    return UNKNOWN_NODE;
  }
}
