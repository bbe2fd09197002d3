package io.millrace.testkit.cluster;

import java.io.Serializable;

/**
 * The work of a node in its JVM: a reference to a static method, or a record with the parameters of
 * this work. The harness serializes the program to ship it, so all captured objects must be
 * serializable and small.
 */
@FunctionalInterface
public interface NodeProgram extends Serializable {
  /**
   * Runs on the main thread of the node's JVM. The JVM exits when this method returns, whatever
   * other threads the JVM has. An exception is the node's failure.
   */
  void run(NodeHandle self) throws Exception;
}
