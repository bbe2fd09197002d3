package io.millrace.samples.served;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

class ServedChainsTest {
  private static final int COUNT = 3;

  private final ServedChains chains = new ServedChains();

  private int execute(String peer, long chain, int number) {
    ByteString answer =
        chains.answer(
            peer, ServedChains.request(chain, number, COUNT, ServedChains.LEAST_BYTES + 5));
    return ByteBuffer.wrap(answer.toArrayUnsafe()).getInt();
  }

  private String failure(String peer, long chain, int number) {
    return String.valueOf(
        assertThrows(IllegalStateException.class, () -> execute(peer, chain, number)).getMessage());
  }

  @Test
  void shouldExecuteEachChainInItsOrder() {
    for (int number = 0; number < COUNT; number++) {
      assertEquals(number + 1, execute("a", 7, number));
      assertEquals(number + 1, execute("a", 8, number));
      assertEquals(number + 1, execute("b", 7, number));
    }
    assertEquals(1, execute("a", 7, 0));
  }

  @Test
  void shouldFailACallThatIsNotTheNextOfItsChain() {
    execute("a", 7, 0);
    execute("b", 7, 0);

    assertEquals("call 2 of a chain came when call 1 was due", failure("a", 7, 2));
    assertEquals("call 0 of a chain came when call 1 was due", failure("b", 7, 0));
  }

  @Test
  void shouldKeepNoMoreThanSoManyChains() {
    for (int chain = 0; chain <= 1_024; chain++) {
      execute("a", chain, 0);
    }

    assertEquals(2, execute("a", 1, 1));
    assertEquals("call 1 of a chain came when call 0 was due", failure("a", 0, 1));
  }

  @Test
  void shouldRefuseARequestThatIsTooShort() {
    assertThrows(
        IllegalArgumentException.class,
        () -> chains.answer("a", ByteString.fromArrayUnsafe(new byte[15])));
  }
}
