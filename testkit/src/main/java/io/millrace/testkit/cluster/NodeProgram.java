package io.millrace.testkit.cluster;

import java.io.Serializable;

/**
 * What one node does in its JVM: a reference to a static method, or a record with what it needs to
 * know. It is serialized to get there, so whatever it captures must be serializable and small.
 */
@FunctionalInterface
public interface NodeProgram extends Serializable {
  /**
   * Runs on the main thread of the node's JVM, which exits when this returns, whatever other
   * threads it has. What it throws is the node's failure.
   */
  void run(NodeHandle self) throws Exception;
}
