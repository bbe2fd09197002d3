package io.millrace.samples.jmh;

import io.millrace.protocol.causality.SlotTable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;

/**
 * The cost of a slot of causality, with the given number of other slots taken; the contended
 * benchmark uses four threads.
 */
@State(Scope.Benchmark)
public class SlotBench {
  private static final int MOST = 1 << 21;
  private static final int SEGMENT = 1_024;
  private static final int CONTENDERS = 4;

  /** The number of slots taken all the time. */
  @Param({"1000", "32000", "1000000"})
  private int taken;

  private SlotTable slots = new SlotTable(0, SEGMENT, MOST);
  private long held;

  /** Takes the slots. */
  @Setup(Level.Trial)
  public void open() {
    slots = new SlotTable(0, SEGMENT, MOST);
    for (int count = 0; count < taken; count++) {
      held = slots.allocate();
    }
  }

  /** A slot, from its allocation to its next use. */
  @Benchmark
  public boolean allocateEndAndFree() {
    long id = slots.allocate();
    slots.send(id);
    boolean isEnded = slots.end(id, true, 0);
    slots.free(SlotTable.slot(id));
    return isEnded;
  }

  /** The same, while three other threads do the same. */
  @Benchmark
  @Threads(CONTENDERS)
  public boolean allocateEndAndFreeContended() {
    return allocateEndAndFree();
  }

  /** Whether a transfer has ended. */
  @Benchmark
  public SlotTable.Finding look() {
    return slots.look(held);
  }
}
