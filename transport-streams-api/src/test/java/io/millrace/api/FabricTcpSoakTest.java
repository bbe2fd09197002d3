package io.millrace.api;

import io.millrace.testkit.driver.NeedsDriver;
import org.junit.jupiter.api.Tag;

/** Every test of patterns, with the provider of libfabric that is called tcp. */
@Tag("soak")
@Tag(PatternWorld.TCP)
@NeedsDriver(PatternWorld.TCP)
class FabricTcpSoakTest extends FabricPatterns {}
