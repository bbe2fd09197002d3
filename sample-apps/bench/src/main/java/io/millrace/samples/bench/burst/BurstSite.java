package io.millrace.samples.bench.burst;

import java.nio.file.Path;
import java.util.function.IntConsumer;

/**
 * The environment of a side in its process.
 *
 * @param host the address of the side's namespace
 * @param endpoints the number of peers in the process; 0 for the receiver, which is a single node
 * @param mtu the MTU of the links
 * @param directory scratch space, shared by all sides
 * @param settings the settings of Millrace, HOCON
 * @param opened receives the number of opened nodes, after each node
 */
record BurstSite(
    String host, int endpoints, int mtu, Path directory, String settings, IntConsumer opened) {
  /** Whether the side is the receiver. */
  boolean isReceiver() {
    return endpoints == 0;
  }

  /** The number of nodes to open. */
  int nodes() {
    return Math.max(1, endpoints);
  }
}
