package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.EndpointAddress;
import io.millrace.driver.NotReadySettings;
import io.millrace.efa.ofi.FabricConstants;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks for operations to peers with shared memory that are gone. */
class DestinationsTest {
  private static final String FAMILY = "fabric:shm";

  @TempDir Path directory;

  private Destinations destinations;
  private int left;
  private int right;

  @BeforeEach
  void resolvePeers() throws Exception {
    AddressFormat format =
        new AddressFormat(FAMILY, FabricConstants.FI_ADDR_STR, living(0).bytes());
    ProcessEndpoints process = new ProcessEndpoints(new SharedMemoryFiles(directory));
    AddressVector addresses =
        new AddressVector(new FakeLibrary(), 1, format, process, new EndpointHealth());
    destinations =
        new Destinations(
            addresses, new PeerHolds(NotReadySettings.DEFAULTS, new SplittableRandom(1)));
    left = destinations.resolve(living(1));
    right = destinations.resolve(living(2));
    destinations.onBegun(left);
    destinations.onBegun(right);
  }

  /** The address of an endpoint of a process that lives, with a file. */
  private EndpointAddress living(int number) throws IOException {
    String name = "1:0:" + number;
    Files.write(directory.resolve(name), new byte[1]);
    return new EndpointAddress(
        FAMILY, ("fi_shm://" + name + "\0").getBytes(StandardCharsets.US_ASCII));
  }

  private void die(int number) throws IOException {
    Files.delete(directory.resolve("1:0:" + number));
  }

  @Test
  void shouldSeeTheSameDestinationWaitTwice() throws Exception {
    assertFalse(destinations.waitsForGone());
    die(1);
    assertFalse(destinations.waitsForGone(), "the first look");
    assertTrue(destinations.waitsForGone());
  }

  @Test
  void shouldNotTakeOneDestinationForAnother() throws Exception {
    die(1);
    assertFalse(destinations.waitsForGone());
    destinations.onEnded(left);
    die(2);
    assertFalse(destinations.waitsForGone(), "the first look at this peer");
    assertTrue(destinations.waitsForGone());
  }

  @Test
  void shouldBeginAgainAfterTheEndOfAllOperations() throws Exception {
    die(1);
    assertFalse(destinations.waitsForGone());
    destinations.onEnded(left);
    destinations.onBegun(left);
    assertFalse(destinations.waitsForGone(), "a new operation");
    destinations.release(left);
    assertTrue(destinations.waitsForGone(), "also on the way out");
    destinations.onEnded(left);
    assertFalse(destinations.waitsForGone());
  }
}
