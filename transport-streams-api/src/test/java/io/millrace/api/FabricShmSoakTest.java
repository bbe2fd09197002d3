package io.millrace.api;

import io.millrace.testkit.driver.NeedsDriver;
import org.junit.jupiter.api.Tag;

/** Every test of patterns, with the provider of libfabric that is called shm. */
@Tag("soak")
@Tag(PatternWorld.SHM)
@NeedsDriver(PatternWorld.SHM)
class FabricShmSoakTest extends FabricPatterns {}
