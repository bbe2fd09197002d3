package io.millrace.protocol.stream;

import org.jspecify.annotations.Nullable;

/** Where the elements of a flow come from. */
@FunctionalInterface
public interface ElementSupply {
  /** The next element, which is the machine's from now on, or null while there is none. */
  byte @Nullable [] poll();
}
