package io.millrace.crypto.internal;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Whether the JVM compiles AES-GCM for vectors of 512 bits, with which the JDK's cipher is by far
 * the fastest for records. On an x86 processor without wide vectors a native library is not slower,
 * makes no garbage, and is compiled already (docs/performance.md).
 */
final class WideVectors {
  private static final String OPTION = "UseAVX";
  private static final int AVX_512 = 3;
  private static final boolean MISSING = missing();

  private WideVectors() {}

  /** Whether this is an x86 processor on which the JVM does not use AVX-512. */
  static boolean areMissing() {
    return MISSING;
  }

  private static boolean missing() {
    String level = level();
    return level != null && areMissing(level);
  }

  /** The same of the value of the JVM's option. */
  static boolean areMissing(String level) {
    return Integer.parseInt(level) < AVX_512;
  }

  /** The vectors that the JVM uses; null where the JVM has no such option, or is no HotSpot. */
  private static @Nullable String level() {
    try {
      HotSpotDiagnosticMXBean hotSpot =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return hotSpot == null ? null : hotSpot.getVMOption(OPTION).getValue();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
