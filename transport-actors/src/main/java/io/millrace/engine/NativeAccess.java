package io.millrace.engine;

import io.millrace.node.TransportException;
import java.lang.foreign.MemorySegment;

/**
 * The JVM's permission for native memory and native calls. A JDK 25 permits both with a warning,
 * unless its flags deny them; no node can run then. Asked ahead of the first use, which would fail
 * with an error that names neither the flag nor Millrace. Any thread.
 */
public final class NativeAccess {
  private NativeAccess() {}

  /**
   * Checks that this module may use native memory.
   *
   * @throws TransportException naming the flag that permits native access
   */
  @SuppressWarnings("restricted") // the question is whether the call is permitted
  public static void require() {
    try {
      var _ = MemorySegment.NULL.reinterpret(1);
    } catch (IllegalCallerException e) {
      Module own = NativeAccess.class.getModule();
      throw new TransportException(
          "this JVM denies Millrace the access to native memory; the flag that permits the access"
              + " is --enable-native-access="
              + (own.isNamed() ? own.getName() : "ALL-UNNAMED"),
          e);
    }
  }
}
