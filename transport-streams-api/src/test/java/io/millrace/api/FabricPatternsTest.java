package io.millrace.api;

import io.millrace.testkit.driver.NeedsDriver;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The patterns with a provider of libfabric; the soak runs every test of patterns with three. */
@Tag(PatternWorld.SOCKETS)
@NeedsDriver(PatternWorld.SOCKETS)
class FabricPatternsTest {
  @Nested
  class Patterns extends PatternsTest {}
}
