package io.millrace.loop;

import org.jspecify.annotations.Nullable;

/**
 * The result of the request to keep a thread on a CPU.
 *
 * @param requestedCpu the CPU, or {@link LoopSettings#ANY_CORE} when none was asked for
 * @param actual where the thread may run, read back from the system; empty when that is not known
 * @param refusal the reason of an unfulfilled request, a sentence; null after success, or without a
 *     request
 */
public record Pinning(int requestedCpu, CpuSet actual, @Nullable String refusal) {
  /** No CPU was asked for. */
  public static final Pinning NOT_REQUESTED = new Pinning(LoopSettings.ANY_CORE, CpuSet.NONE, null);

  /** Whether a CPU was asked for, and the thread is on it and on no other. */
  public boolean isPinned() {
    return requestedCpu != LoopSettings.ANY_CORE && refusal == null;
  }
}
