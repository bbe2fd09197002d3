package io.millrace.api;

import io.millrace.testkit.driver.NeedsDriver;
import org.junit.jupiter.api.Tag;

/** Every test of patterns, with libfabric's provider sockets. */
@Tag("soak")
@Tag(PatternWorld.SOCKETS)
@NeedsDriver(PatternWorld.SOCKETS)
class FabricSocketsSoakTest extends FabricPatterns {}
