package io.millrace.api;

import io.millrace.testkit.driver.NeedsDriver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Every test of patterns, with the provider of libfabric that is called tcp. */
@Tag("soak")
@EnabledIfSystemProperty(named = "millrace.soak", matches = "true")
@Tag(PatternWorld.TCP)
@NeedsDriver(PatternWorld.TCP)
class FabricTcpSoakTest extends FabricPatterns {}
