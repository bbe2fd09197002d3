package io.millrace.samples.jmh;

import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.buffer.TransferBuffer;
import java.util.List;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * The cost of a buffer besides its bytes; the contended benchmarks use two threads on the same
 * registry.
 */
@State(Scope.Benchmark)
public class BufferBench {
  private static final int SMALL = 8 * 1024;
  private static final int LARGE = 64 * 1024;
  private static final int LARGEST = 1024 * 1024;
  private static final int BLOCKS = 64;
  private static final int CONTENDERS = 2;

  private BufferRegistry registry;
  private TransferBuffer held;

  /** Allocates the memory, and a buffer to find. */
  @Setup(Level.Trial)
  public void open() {
    registry =
        new BufferRegistry(
            new BufferSettings(
                List.of(new BlockClass(SMALL, BLOCKS), new BlockClass(LARGE, BLOCKS)), LARGEST));
    held = allocate(1);
  }

  /** Gives the memory back. */
  @TearDown(Level.Trial)
  public void close() {
    held.release();
    registry.close();
  }

  /** A single block. */
  @Benchmark
  public boolean allocateAndRelease() {
    return allocate(SMALL).release();
  }

  /** Sixteen blocks. */
  @Benchmark
  public boolean allocateAndReleaseLargest() {
    return allocate(LARGEST).release();
  }

  /** A single block, while another thread does the same. */
  @Benchmark
  @Threads(CONTENDERS)
  public boolean allocateAndReleaseContended() {
    return allocate(SMALL).release();
  }

  /** A buffer by its id. */
  @Benchmark
  public TransferBuffer find() {
    return Objects.requireNonNull(registry.find(held.id()));
  }

  /** A reference more and a reference less. */
  @Benchmark
  public boolean retainAndRelease() {
    held.retain();
    return held.release();
  }

  /** The same by two threads on the same buffer. */
  @Benchmark
  @Threads(CONTENDERS)
  public boolean retainAndReleaseContended() {
    held.retain();
    return held.release();
  }

  private TransferBuffer allocate(int sizeBytes) {
    return Objects.requireNonNull(registry.tryAllocate(sizeBytes, "bench"));
  }
}
