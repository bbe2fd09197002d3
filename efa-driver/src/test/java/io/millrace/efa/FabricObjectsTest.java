package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FabricObjectsTest {
  /** The one step that may fail: most providers do not know the option. */
  private static final String RETRIES = "retries 3";

  private static final List<String> OPENED =
      List.of(
          "open fabric",
          "open eq",
          "open domain",
          "open av",
          "open cq",
          "open ep",
          "bind ep av",
          "bind ep cq",
          "bind ep eq",
          RETRIES,
          "enable ep");

  private static final List<String> CLOSED =
      List.of(
          "close ep",
          "close cq",
          "close eq",
          "close av",
          "close domain",
          "close fabric",
          "release info");

  @Test
  void shouldOpenEverythingWithAnEventQueueAndCloseItInOrder() throws FabricException {
    FakeLibrary library = new FakeLibrary();
    FabricObjects objects = FabricObjects.open(library, FakeLibrary.INFO, 64, 3);
    assertEquals(OPENED, library.calls);
    library.calls.clear();
    assertTrue(objects.close());
    assertEquals(CLOSED, library.calls);
  }

  @Test
  void shouldOpenWhereTheDeviceHasNoRetries() throws FabricException {
    FakeLibrary library = new FakeLibrary();
    library.failures.put(RETRIES, -FabricErrno.FI_ENOSYS);
    FabricObjects.open(library, FakeLibrary.INFO, 64, 3);
    assertEquals(OPENED, library.calls);
  }

  @Test
  void shouldCloseWhatIsOpenWhicheverStepFails() {
    for (String failing : OPENED.stream().filter(step -> !step.equals(RETRIES)).toList()) {
      FakeLibrary library = new FakeLibrary();
      library.failures.put(failing, -FabricErrno.FI_EADDRINUSE);
      FabricException e =
          assertThrows(
              FabricException.class, () -> FabricObjects.open(library, FakeLibrary.INFO, 64, 3));
      assertEquals(FabricErrno.FI_EADDRINUSE, e.errno());
      List<String> expected = new ArrayList<>(OPENED.subList(0, OPENED.indexOf(failing) + 1));
      for (String close : CLOSED) {
        boolean wasOpened = expected.contains(close.replace("close", "open"));
        if ((wasOpened && !close.endsWith(failing.replace("open", "")))
            || close.startsWith("rel")) {
          expected.add(close);
        }
      }
      assertEquals(expected, library.calls, "failing: " + failing);
    }
  }

  @Test
  void shouldLeaveTheRestOpenWhenTheEndpointCannotBeClosed() throws FabricException {
    FakeLibrary library = new FakeLibrary();
    FabricObjects objects = FabricObjects.open(library, FakeLibrary.INFO, 64, 3);
    library.calls.clear();
    library.failures.put("close ep", -FabricErrno.FI_EBUSY);
    assertFalse(objects.close());
    assertEquals(List.of("close ep"), library.calls);
  }
}
