package io.millrace.loop;

import org.jspecify.annotations.Nullable;

/**
 * What became of the wish to keep a thread on one CPU.
 *
 * @param requestedCpu the CPU, or {@link LoopSettings#ANY_CORE} when none was asked for
 * @param actual where the thread may run, read back from the system; empty when that is not known
 * @param refusal why the wish was not fulfilled, one sentence; null when it was, or there was none
 */
public record Pinning(int requestedCpu, CpuSet actual, @Nullable String refusal) {
  /** No CPU was asked for. */
  public static final Pinning NOT_REQUESTED = new Pinning(LoopSettings.ANY_CORE, CpuSet.NONE, null);

  /** Whether a CPU was asked for, and the thread is on it and on no other. */
  public boolean isPinned() {
    return requestedCpu != LoopSettings.ANY_CORE && refusal == null;
  }
}
