package io.millrace.engine;

import io.millrace.node.TransportException;
import org.agrona.DirectBuffer;

/**
 * The only flag of the JVM that Millrace cannot run without. Asked ahead of Agrona, which would
 * fail with an {@link IllegalAccessError} that names neither the flag nor Millrace; the other flags
 * of {@code millrace.args} only silence warnings of a JDK 25. Any thread.
 */
public final class JvmFlags {
  private static final String INTERNAL = "jdk.internal.misc";

  private JvmFlags() {}

  /**
   * Checks that Agrona may use its required parts of the JDK.
   *
   * @throws TransportException naming the missing flag
   */
  public static void require() {
    Module agrona = DirectBuffer.class.getModule();
    if (!Object.class.getModule().isExported(INTERNAL, agrona)) {
      throw new TransportException(
          "Millrace needs a flag of the JVM: --add-exports java.base/"
              + INTERNAL
              + "="
              + (agrona.isNamed() ? agrona.getName() : "ALL-UNNAMED")
              + " (the file millrace.args in the jar of transport-actors holds all flags)",
          null);
    }
  }
}
