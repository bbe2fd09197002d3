package io.millrace.engine;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether the compilers of the JVM have become quiet: over several windows of time in a row,
 * compilations took only a small part of the time. The JVM counts a compilation at its end, so a
 * single long compilation looks like quiet for a window. On one thread; time comes in as a
 * parameter.
 */
public final class CompilerWatch {
  private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(250);

  /** Quiet windows in a row. */
  private static final int QUIET_WINDOWS = 3;

  /** A window with less compilation than this part of its length is quiet. */
  private static final int QUIET_PART = 20;

  private final @Nullable CompilationMXBean compilers;
  private long windowStartNs;
  private long compiledMs;
  private int quietWindows;

  /** Begins a first window. */
  public CompilerWatch(long nowNs) {
    CompilationMXBean present = ManagementFactory.getCompilationMXBean();
    compilers = present != null && present.isCompilationTimeMonitoringSupported() ? present : null;
    windowStartNs = nowNs;
    compiledMs = totalMs();
  }

  /** Whether the compilers are quiet; false for ever if the JVM does not tell. */
  public boolean isQuiet(long nowNs) {
    if (compilers != null && nowNs - windowStartNs >= WINDOW_NS) {
      long totalMs = totalMs();
      long spentNs = TimeUnit.MILLISECONDS.toNanos(totalMs - compiledMs);
      quietWindows = spentNs * QUIET_PART < nowNs - windowStartNs ? quietWindows + 1 : 0;
      windowStartNs = nowNs;
      compiledMs = totalMs;
    }
    return quietWindows >= QUIET_WINDOWS;
  }

  private long totalMs() {
    return compilers == null ? 0 : compilers.getTotalCompilationTime();
  }
}
