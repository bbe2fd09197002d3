package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class AeadProvidersTest {
  private final Fake quick = new Fake("quick", 9, 1, true);
  private final Fake large = new Fake("large", 1, 9, true);
  private final Fake absent = new Fake("absent", 99, 99, false);

  @Test
  void shouldChooseBySizeAmongTheAvailable() {
    AeadProviders providers = new AeadProviders(List.of(large, absent, quick));
    assertSame(quick, providers.select(64));
    assertSame(quick, providers.select(AeadProviders.RECORD_BYTES - 1));
    assertSame(large, providers.select(AeadProviders.RECORD_BYTES));
    assertEquals(List.of(absent, quick, large), providers.all());
  }

  @Test
  void shouldAuthenticateByTheNativeOneEvenWhereAnotherSealsRecords() {
    AeadProviders providers = new AeadProviders(List.of(large, absent, quick));
    assertSame(quick, providers.selectAuthenticating());
    assertSame(large, new AeadProviders(List.of(large, absent)).selectAuthenticating());
  }

  @Test
  void shouldTakeTheOneThatWasAskedFor() {
    AeadProviders providers = new AeadProviders(List.of(large, absent, quick));
    assertSame(large, providers.named("large"));
    assertEquals(
        "the AEAD provider absent is not available: it was not installed",
        assertThrows(IllegalArgumentException.class, () -> providers.named("absent")).getMessage());
    assertEquals(
        "there is no AEAD provider quik; known are absent, quick, large",
        assertThrows(IllegalArgumentException.class, () -> providers.named("quik")).getMessage());
  }

  @Test
  void shouldSayWhyThereIsNone() {
    AeadProviders providers = new AeadProviders(List.of(absent));
    assertEquals(
        "no AES-GCM is available: absent: it was not installed",
        assertThrows(IllegalStateException.class, () -> providers.select(64)).getMessage());
  }

  @Test
  void shouldFindAllFourAndExplainThoseThatAreMissing() {
    List<AeadProvider> found = AeadProviders.discover().all();
    assertEquals(
        List.of("boringssl", "libcrypto", "accp", "jdk"),
        found.stream().map(AeadProvider::name).toList());
    for (AeadProvider provider : found) {
      if (provider.probe() instanceof AeadAvailability.Unavailable unavailable) {
        assertTrue(unavailable.reason().length() > 10, unavailable::reason);
        assertFalse(
            unavailable.reason().contains("failed its test"),
            "a library that is here and works wrongly must not just vanish from the tests: "
                + unavailable.reason());
      }
    }
    assertInstanceOf(
        AeadAvailability.Available.class, AeadProviders.discover().named("jdk").probe());
  }

  private record Fake(String name, int packetPreference, int recordPreference, boolean available)
      implements AeadProvider {
    @Override
    public AeadAvailability probe() {
      return available
          ? new AeadAvailability.Available("works")
          : new AeadAvailability.Unavailable("it was not installed");
    }

    @Override
    public PacketCipher cipher(AeadKey key, CipherUse use, KeyLimits limits) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RecordCipher recordCipher(byte[] key, CipherUse use) {
      throw new UnsupportedOperationException();
    }
  }
}
