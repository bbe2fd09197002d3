package io.millrace.loop;

import io.millrace.config.NumaPolicy;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts a worker's memory on the memory node of the worker's core. The placing is a wish: bytes that
 * the system does not place are counted, and the memory is as good, only farther away. On the
 * worker's thread.
 */
public final class NodeMemory {
  /** The result of placing some memory. */
  record Placing(long localBytes, long remoteBytes, @Nullable String refusal) {}

  /** Moves the pages of touched memory to a node, as far as that can be done. */
  interface Mover {
    Placing move(MemorySegment memory, int node);
  }

  private final int node;
  private final Mover mover;
  private long localBytes;
  private long remoteBytes;
  private @Nullable String refusal;

  NodeMemory(int node, Mover mover) {
    this.node = node;
    this.mover = mover;
  }

  /** Leaves all memory in place. */
  public static NodeMemory anywhere() {
    return new NodeMemory(CpuTopology.UNKNOWN_NODE, MovedPages::move);
  }

  /**
   * For a worker on this CPU.
   *
   * @param cpu the CPU of the worker, or {@link LoopSettings#ANY_CORE}
   * @param topology asked only if memory is to be placed at all
   */
  public static NodeMemory of(NumaPolicy policy, int cpu, Supplier<CpuTopology> topology) {
    return new NodeMemory(nodeFor(policy, cpu, topology), MovedPages::move);
  }

  private static int nodeFor(NumaPolicy policy, int cpu, Supplier<CpuTopology> topology) {
    if (policy == NumaPolicy.IGNORE || cpu == LoopSettings.ANY_CORE) {
      return CpuTopology.UNKNOWN_NODE;
    }
    CpuTopology machine = topology.get();
    return machine.nodes().size() > 1 ? machine.nodeOf(cpu) : CpuTopology.UNKNOWN_NODE;
  }

  /** Puts unused memory on the node; the memory's bytes are zeroed. */
  public void place(MemorySegment memory) {
    if (node != CpuTopology.UNKNOWN_NODE) {
      // The first touch of a page decides the page's node, if the system has room there.
      memory.fill((byte) 0);
      Placing placing = mover.move(memory, node);
      localBytes += placing.localBytes();
      remoteBytes += placing.remoteBytes();
      refusal = refusal == null ? placing.refusal() : refusal;
    }
  }

  /** The node, or {@link CpuTopology#UNKNOWN_NODE} when memory is left in place. */
  public int node() {
    return node;
  }

  /** Placed bytes on the node. */
  public long localBytes() {
    return localBytes;
  }

  /** Placed bytes on other nodes, or on unknown nodes. */
  public long remoteBytes() {
    return remoteBytes;
  }

  /** The system's first reason for bytes on other nodes; null without a reason. */
  public @Nullable String refusal() {
    return refusal;
  }
}
