package io.millrace.protocol.stream;

import org.jspecify.annotations.Nullable;

/** The source of the elements of a flow. */
@FunctionalInterface
public interface ElementSupply {
  /**
   * The next element, which belongs to the machine from now on, or null without an element at
   * present.
   */
  byte @Nullable [] poll();
}
