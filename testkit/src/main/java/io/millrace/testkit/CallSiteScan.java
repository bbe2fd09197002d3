package io.millrace.testkit;

import io.millrace.testkit.internal.patch.ClassScan;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Looks through the classes of an application, as the simulator's agent leaves them, for calls that
 * make a simulation depend on more than its seed. A call is in order when the agent rewrote the
 * call, when the call fails in a simulation, or when a list knows the call. One thread.
 */
public final class CallSiteScan {
  private final ClassScan scan;

  private CallSiteScan(ClassScan scan) {
    this.scan = scan;
  }

  /**
   * Creates a scan of the jars and folders with these classes, as the agent of this JVM rewrites
   * the classes.
   *
   * @throws IllegalStateException if this JVM runs without the simulator's agent
   */
  public static CallSiteScan of(Class<?>... samples) throws IOException {
    return new CallSiteScan(ClassScan.of(samples));
  }

  /**
   * Creates a scan of these jars and folders.
   *
   * @throws IllegalStateException if this JVM runs without the simulator's agent
   */
  public static CallSiteScan of(Path... locations) throws IOException {
    return new CallSiteScan(ClassScan.of(locations));
  }

  /**
   * Fails on each call that the simulator does not control, and on each line that describes no
   * call.
   *
   * @param known calls that may stay, {@code KIND[,KIND] CLASS REASON} each; the kinds are {@code
   *     clock}, {@code random}, {@code pool}, {@code thread} and {@code block}, and a {@code *} at
   *     the end of the class stands for any rest
   * @throws AssertionError with a line for each call, or if the scan found no class
   * @throws IllegalArgumentException naming the line that describes no call
   */
  public void requireControlled(String... known) {
    scan.requireControlled(known);
  }
}
