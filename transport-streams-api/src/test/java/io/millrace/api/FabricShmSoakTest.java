package io.millrace.api;

import io.millrace.testkit.driver.NeedsDriver;
import org.junit.jupiter.api.Tag;

/** Every test of patterns, with libfabric's provider shm. */
@Tag("soak")
@Tag(PatternWorld.SHM)
@NeedsDriver(PatternWorld.SHM)
class FabricShmSoakTest extends FabricPatterns {}
