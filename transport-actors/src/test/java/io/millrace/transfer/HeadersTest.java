package io.millrace.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {
  private static final ByteString BYTES = ByteString.fromArray(new byte[] {0, -1, 7});
  private static final Headers HEADERS =
      Headers.of("User-Agent", "mill")
          .with("trace", "a")
          .withBinary("key-bin", BYTES)
          .with("TRACE", "b\u00fc");

  @Test
  void shouldKeepOrderAndAllValuesOfAName() {
    Headers got = Headers.decode(HEADERS.encode());

    assertEquals(HEADERS, got);
    assertEquals(List.of("user-agent", "trace", "key-bin", "trace"), got.names());
    assertEquals(List.of("a", "b\u00fc"), got.texts("Trace"));
    assertEquals(Optional.of("a"), got.text("trace"));
    assertEquals(Optional.of(BYTES), got.binary("key-bin"));
    assertEquals(Optional.empty(), got.text("none"));
    assertEquals(Optional.empty(), got.text("key-bin"));
    assertEquals(Optional.empty(), got.binary("trace"));
    assertEquals("Headers[user-agent=mill, trace=a, key-bin=3 bytes, trace=b\u00fc]", got + "");
  }

  /** The layout of the protocol's document. */
  @Test
  void shouldEncodeNameAndValueBehindTheirLengths() {
    assertArrayEquals(new byte[] {1, 'a', 2, 0, 'x', 'y'}, Headers.of("A", "xy").encode());
    assertEquals(6, Headers.of("a", "xy").encodedBytes());
    assertSame(Headers.EMPTY, Headers.decode(new byte[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a:b", "\u00fc", "a\n"})
  void shouldRefuseNamesThatAreNone(String name) {
    assertThrows(IllegalArgumentException.class, () -> Headers.of(name, "x"));
    assertThrows(IllegalArgumentException.class, () -> HEADERS.text(name));
  }

  @Test
  void shouldTellTextFromBytesByTheName() {
    assertThrows(IllegalArgumentException.class, () -> Headers.of("key-bin", "x"));
    assertThrows(IllegalArgumentException.class, () -> HEADERS.withBinary("key", BYTES));
    assertThrows(IllegalArgumentException.class, () -> Headers.of("a".repeat(256), "x"));
    assertThrows(IllegalArgumentException.class, () -> Headers.of("a", "x".repeat(65_536)));
  }

  /** Any bytes from a peer are decoded, or refused with a single kind of exception. */
  @Test
  void shouldRefuseWhatIsCutOrNoName() {
    byte[] whole = HEADERS.encode();
    for (int length = 1; length < whole.length; length++) {
      Headers cut = Headers.decode(Arrays.copyOf(whole, length));
      if (cut.toString().startsWith("Headers[malformed")) {
        assertThrows(MalformedHeadersException.class, cut::names);
      } else {
        assertEquals(HEADERS.names().subList(0, cut.names().size()), cut.names());
      }
    }
    for (byte[] wrong :
        new byte[][] {{1}, {1, 'a', 0}, {0, 0, 0}, {1, 'A', 0, 0}, {1, 'a', 1, 0}}) {
      assertThrows(MalformedHeadersException.class, () -> Headers.decode(wrong).text("a"));
    }
  }
}
