package io.millrace.testkit;

import io.millrace.testkit.internal.patch.ClassScan;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Looks through the classes of an application, as the simulator's agent leaves them, for calls that
 * make a simulation depend on more than its seed. A call is in order when it was rewritten, when it
 * fails in a simulation, or when a list knows it. One thread.
 */
public final class CallSiteScan {
  private final ClassScan scan;

  private CallSiteScan(ClassScan scan) {
    this.scan = scan;
  }

  /**
   * A scan of all that lies where these classes come from, a jar or a folder each, as the agent of
   * this JVM rewrites it.
   *
   * @throws IllegalStateException if this JVM runs without the simulator's agent
   */
  public static CallSiteScan of(Class<?>... samples) throws IOException {
    return new CallSiteScan(ClassScan.of(samples));
  }

  /**
   * The same of jars and folders.
   *
   * @throws IllegalStateException if this JVM runs without the simulator's agent
   */
  public static CallSiteScan of(Path... locations) throws IOException {
    return new CallSiteScan(ClassScan.of(locations));
  }

  /**
   * Fails on each call that the simulator does not control, and on each line that knows none.
   *
   * @param known calls that may stay, {@code KIND[,KIND] CLASS REASON} each; the kinds are {@code
   *     clock}, {@code random}, {@code pool}, {@code thread} and {@code block}, and a {@code *} at
   *     the end of the class stands for any rest
   * @throws AssertionError with a line for each call, or if there was no class to look at
   * @throws IllegalArgumentException which names the line that is none
   */
  public void requireControlled(String... known) {
    scan.requireControlled(known);
  }
}
