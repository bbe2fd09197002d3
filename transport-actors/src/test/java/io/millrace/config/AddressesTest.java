package io.millrace.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:7400", "10.1.2.3:1", "[::1]:7400", "[fe80::1]:65535"})
  void shouldReadNumericAddresses(String text) {
    assertEquals(Addresses.parse("key", text), Addresses.parseNumeric("the address", text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:7400", "a.slow.name.example:1", "1.2.3.4.5:4", "", ":1", "::1:2"})
  void shouldAskNoNameServiceForANumericAddress(String text) {
    SettingsException failure =
        assertThrows(SettingsException.class, () -> Addresses.parseNumeric("the address", text));
    assertTrue(String.valueOf(failure.getMessage()).startsWith("the address must "));
  }

  @Test
  void shouldAdvertiseInNumbers() {
    TransportSettings settings =
        TransportSettings.parse("millrace.handshake.advertised = \"localhost:7400\"");
    assertEquals("127.0.0.1:7400", settings.handshake().advertised());
  }
}
