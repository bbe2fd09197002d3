package io.millrace.handshake.quic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TlsExporterTest {
  private static final String RANDOM = "4d".repeat(32);
  private static final byte[] NO_CONTEXT = {};

  /**
   * The secret in OpenSSL 3.0's log, and the value that OpenSSL exported, of a connection with each
   * cipher suite.
   */
  @ParameterizedTest
  @CsvSource({
    "1c2a73e8e89cea72f29b3a3c81bbfcb70e002f8ed06a2e80d4290229b0541ee0,"
        + "CE5CD916FF65D0F646CCEF08180A1D3C3C5A23CB6572353A278CA67BECBB8C2E",
    "e7f6f1126ed285efe341d3f0a93406388ce15c260b10e6b17f38c595df7ca0b0a8e2db8c25994f053d610c32dea328cc,"
        + "3D7A89C24AD4738615F6DD3CCAACDAF0D5A4E96C7CD8FAC544C8E7B991F208B8"
  })
  void shouldExportWhatOpenSslExports(String secret, String exported) {
    byte[] read = TlsExporter.secretOf("EXPORTER_SECRET " + RANDOM + ' ' + secret);
    assertNotNull(read);
    assertArrayEquals(HexFormat.of().parseHex(secret), read);
    assertEquals(
        exported,
        HexFormat.of()
            .withUpperCase()
            .formatHex(TlsExporter.export(read, "EXPORTER-millrace-test", NO_CONTEXT, 32)));
  }

  @Test
  void shouldBindTheContext() {
    byte[] secret = HexFormat.of().parseHex("5c".repeat(32));
    assertFalse(
        Arrays.equals(
            TlsExporter.export(secret, "EXPORTER-x", NO_CONTEXT, 32),
            TlsExporter.export(secret, "EXPORTER-x", new byte[] {1}, 32)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "EXPORTER_SECRET",
        "EXPORTER_SECRET ",
        "EXPORTER_SECRET 4d4d",
        "EXPORTER_SECRET 4d4d 00ff",
        "CLIENT_TRAFFIC_SECRET_0 4d4d"
            + " 1c2a73e8e89cea72f29b3a3c81bbfcb70e002f8ed06a2e80d4290229b0541ee0",
        "EXPORTER_SECRET 4d4d 1c2a73e8e89cea72f29b3a3c81bbfcb70e002f8ed06a2e80d4290229b0541eeg"
      })
  void shouldReadNothingElse(String line) {
    assertNull(TlsExporter.secretOf(line));
  }

  @Test
  void shouldTellASecretOnceAndOverwriteIt() {
    TlsFacts facts = new TlsFacts(null);
    byte[] secret = HexFormat.of().parseHex("5c".repeat(32));
    facts.onExporterSecret(secret);
    assertNotNull(facts.export("EXPORTER-x", NO_CONTEXT, 32));
    assertArrayEquals(new byte[32], secret);
    assertNull(facts.export("EXPORTER-x", NO_CONTEXT, 32));
    byte[] unused = HexFormat.of().parseHex("6d".repeat(48));
    facts.onExporterSecret(unused);
    facts.close();
    assertArrayEquals(new byte[48], unused);
  }
}
