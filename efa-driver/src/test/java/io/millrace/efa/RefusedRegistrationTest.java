package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Registrations that a fake provider refuses, and registrations that writes still need. */
class RefusedRegistrationTest extends EndpointFixture {
  private static final int BYTES = 4_096;

  private final MemorySegment memory = arena.allocate(BYTES);
  private RemoteMemory remote;

  @BeforeEach
  void takeMemory() {
    remote = Objects.requireNonNull(endpoint.remoteMemory());
  }

  private DriverException refusal(int errno) {
    fake.library.failures.put("open mr", -errno);
    return assertThrows(DriverException.class, () -> remote.register(memory, true));
  }

  /** The numbers of Linux, which runs this test. */
  @ParameterizedTest
  @CsvSource({
    "12, OUT_OF_MEMORY",
    "1, LOCKED_MEMORY_LIMIT",
    "11, LOCKED_MEMORY_LIMIT",
    "38, UNSUPPORTED",
    "95, UNSUPPORTED",
    "22, OTHER"
  })
  void shouldTellTheKindOfARefusal(int errno, DriverException.Kind kind) {
    DriverException refusal = refusal(errno);
    assertEquals(kind, refusal.kind());
    String text = String.valueOf(refusal.getMessage());
    assertTrue(text.startsWith("registering 4096 bytes failed: error " + errno), text);
    assertEquals(kind.isMemory(), text.contains("RLIMIT_MEMLOCK of this process is "), text);
  }

  @Test
  void shouldRegisterAgainAfterARefusal() throws DriverException {
    refusal(12);
    fake.library.failures.remove("open mr");
    remote.deregister(remote.register(memory, true));
  }

  @Test
  void shouldReadTheLimitOfTheProcess() {
    String limits =
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             128                  256                  processes
        Max locked memory         65536                unlimited            bytes
        Max address space         unlimited            unlimited            bytes
        """;
    assertEquals("RLIMIT_MEMLOCK of this process is 65536 bytes", LockedMemoryLimit.text(limits));
    assertEquals(
        "RLIMIT_MEMLOCK of this process is unlimited",
        LockedMemoryLimit.text(limits.replace("65536    ", "unlimited")));
    assertEquals("RLIMIT_MEMLOCK of this process is not known", LockedMemoryLimit.text("other"));
  }

  @Test
  void shouldKeepTheRegistrationThatAWriteReadsFrom() throws DriverException {
    region = remote.register(memory, false);
    RemoteWrite write = new RemoteWrite().source(region, 0, BYTES).target(0, 7);
    assertTrue(remote.postWrite(fake.destination(), write, 1));

    DriverException refusal = assertThrows(DriverException.class, () -> remote.deregister(region));
    assertEquals(DriverException.Kind.OTHER, refusal.kind());
    assertFalse(fake.library.calls.contains("close mr"), "the provider knows the region still");

    fake.verbs.completions.add(new FakeVerbs.Done(fake.verbs.writes.getFirst(), 0, 0, 0));
    poll();
    remote.deregister(region);
    assertTrue(fake.library.calls.contains("close mr"));
  }

  @Test
  void shouldLetGoOfTheMemoryOfAWriteThatWasNotTaken() throws DriverException {
    region = remote.register(memory, false);
    RemoteWrite write = new RemoteWrite().source(region, 0, BYTES).target(0, 7);
    fake.verbs.writeAnswer = -11;
    assertFalse(remote.postWrite(fake.destination(), write, 1));
    remote.deregister(region);
  }
}
