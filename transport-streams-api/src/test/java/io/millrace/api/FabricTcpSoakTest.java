package io.millrace.api;

import io.millrace.testkit.driver.NeedsDriver;
import org.junit.jupiter.api.Tag;

/** Every test of patterns, with libfabric's provider tcp. */
@Tag("soak")
@Tag(PatternWorld.TCP)
@NeedsDriver(PatternWorld.TCP)
class FabricTcpSoakTest extends FabricPatterns {}
