package io.millrace.api;

import io.millrace.testkit.driver.NeedsDriver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Every test of patterns, with the provider of libfabric that is called shm. */
@Tag("soak")
@EnabledIfSystemProperty(named = "millrace.soak", matches = "true")
@Tag(PatternWorld.SHM)
@NeedsDriver(PatternWorld.SHM)
class FabricShmSoakTest extends FabricPatterns {}
