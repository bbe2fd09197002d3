package io.millrace.testkit.internal.node;

import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.core.TraceKind;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.WriteView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Adds every one-sided write, with all its bytes, to the trace of a run. */
final class FabricTrace implements FabricObserver {
  private final Simulation simulation;

  FabricTrace(Simulation simulation) {
    this.simulation = simulation;
  }

  @Override
  public void onPosted(WriteView write, long nowNs) {
    simulation.trace(TraceKind.WRITE, write.link(), write.ordinal());
    simulation.trace().add(write.remoteKey());
    simulation.trace().add(write.remoteAddress());
    MemorySegment source = write.source();
    byte[] bytes = source.toArray(ValueLayout.JAVA_BYTE);
    simulation.trace().add(new SegmentBuffer(bytes), 0, bytes.length);
  }

  @Override
  public void onLanded(WriteView write, int at, int length, long nowNs) {
    simulation.trace(TraceKind.LANDING, write.link(), write.ordinal());
    simulation.trace().add(at);
  }

  @Override
  public void onEnded(WriteView write, int status, long nowNs) {
    simulation.trace(TraceKind.WRITE_END, write.link(), write.ordinal());
    simulation.trace().add(status);
  }
}
