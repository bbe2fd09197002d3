package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.efa.ofi.FabricErrno;
import io.millrace.efa.ofi.FabricException;
import io.millrace.efa.ofi.FabricInfo;
import org.junit.jupiter.api.Test;

class FabricGrantTest {
  private final FakeLibrary library = new FakeLibrary();

  private static FabricInfo info(String provider, String fabric) {
    FabricInfo some = FakeLibrary.INFO;
    return new FabricInfo(
        1, provider, fabric, some.mode(), some.addressFormat(), some.limits(), some.memory());
  }

  private FabricGrant ask(FabricInfo completing, FabricInfo answer) throws FabricException {
    library.completingAnswer = completing;
    library.answer = answer;
    return FabricGrant.ask(library, answer.provider(), null);
  }

  @Test
  void shouldCompleteAtTheTargetWhereTheFabricGrantsIt() throws FabricException {
    FabricInfo direct = info("efa", FabricInfo.EFA_DIRECT);
    FabricGrant grant = ask(info("efa", FabricInfo.EFA_DIRECT), direct);
    assertTrue(grant.hasDeliveryComplete());
    assertSame(direct, grant.info());
  }

  @Test
  void shouldNotTakeTheGrantOfAnotherFabric() throws FabricException {
    FabricGrant grant = ask(info("efa", "efa"), info("efa", FabricInfo.EFA_DIRECT));
    assertTrue(grant.isDirect());
    assertFalse(grant.hasDeliveryComplete());
  }

  @Test
  void shouldNotTakeTheGrantOfAnotherProviderInTheSameNetwork() throws FabricException {
    FabricGrant grant = ask(info("tcp;ofi_rxm", "10.0.0.0/8"), info("tcp", "10.0.0.0/8"));
    assertFalse(grant.hasDeliveryComplete());
  }

  @Test
  void shouldReleaseTheAnswerThatIsNotUsed() throws FabricException {
    ask(info("efa", "efa"), info("efa", FabricInfo.EFA_DIRECT));
    assertEquals(1, library.calls.stream().filter("release info"::equals).count());
  }

  @Test
  void shouldTellAFailureOfTheQuery() {
    library.failures.put("query", -FabricErrno.FI_ENOMEM);
    FabricException e =
        assertThrows(FabricException.class, () -> FabricGrant.ask(library, "efa", null));
    assertEquals(FabricErrno.FI_ENOMEM, e.errno());
  }
}
