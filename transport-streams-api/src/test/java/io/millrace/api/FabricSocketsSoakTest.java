package io.millrace.api;

import io.millrace.testkit.driver.NeedsDriver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Every test of patterns, with the provider of libfabric that is called sockets. */
@Tag("soak")
@EnabledIfSystemProperty(named = "millrace.soak", matches = "true")
@Tag(PatternWorld.SOCKETS)
@NeedsDriver(PatternWorld.SOCKETS)
class FabricSocketsSoakTest extends FabricPatterns {}
