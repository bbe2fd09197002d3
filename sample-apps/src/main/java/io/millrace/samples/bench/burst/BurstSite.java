package io.millrace.samples.bench.burst;

import java.nio.file.Path;
import java.util.function.IntConsumer;

/**
 * What one side finds in its process.
 *
 * @param host the address of its namespace
 * @param endpoints how many peers it is; 0 for the receiver, which is one
 * @param mtu of the links
 * @param directory scratch space that all sides share
 * @param settings of Millrace, HOCON
 * @param opened told how many of the nodes are open, after each
 */
record BurstSite(
    String host, int endpoints, int mtu, Path directory, String settings, IntConsumer opened) {
  /** Whether it is the receiver. */
  boolean isReceiver() {
    return endpoints == 0;
  }

  /** How many nodes to open. */
  int nodes() {
    return Math.max(1, endpoints);
  }
}
