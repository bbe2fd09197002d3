package io.millrace.loop;

import io.millrace.config.NumaPolicy;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts one worker's memory on the memory node of its core. It is a wish: what the system does not
 * do is counted, and the memory is as good, only farther away. On the worker's thread.
 */
public final class NodeMemory {
  /** What became of some memory. */
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

  /** Leaves all memory where it is. */
  public static NodeMemory anywhere() {
    return new NodeMemory(CpuTopology.UNKNOWN_NODE, MovedPages::move);
  }

  /**
   * For a worker on this CPU.
   *
   * @param cpu the one CPU that it runs on, or {@link LoopSettings#ANY_CORE}
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

  /** Puts memory that nobody uses yet on the node; its bytes are zeroed. */
  public void place(MemorySegment memory) {
    if (node != CpuTopology.UNKNOWN_NODE) {
      // The first to touch a page decides where it lies, if the system has room there.
      memory.fill((byte) 0);
      Placing placing = mover.move(memory, node);
      localBytes += placing.localBytes();
      remoteBytes += placing.remoteBytes();
      refusal = refusal == null ? placing.refusal() : refusal;
    }
  }

  /** The node, or {@link CpuTopology#UNKNOWN_NODE} when memory is left where it is. */
  public int node() {
    return node;
  }

  /** Bytes of what was placed that lie on the node. */
  public long localBytes() {
    return localBytes;
  }

  /** Bytes of what was placed that lie on others, or nobody knows where. */
  public long remoteBytes() {
    return remoteBytes;
  }

  /** Why some lie elsewhere, as the system said first; null if it said nothing. */
  public @Nullable String refusal() {
    return refusal;
  }
}
