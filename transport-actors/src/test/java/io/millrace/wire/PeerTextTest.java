package io.millrace.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text from peers does no harm to outcomes, logs and terminals; rule X-6. */
class PeerTextTest {
  @ParameterizedTest
  @CsvSource({
    "'two\\nlines\\r\\n', 'two lines  '",
    "'\\u001b[2Jgone', '?[2Jgone'",
    "'\\u009b31mred', '?31mred'",
    "'a\\u202egpj.exe', 'a?gpj.exe'",
    "'\\u2066x\\u2069', '?x?'",
    "'zero\\u200bwidth\\ufeff', 'zero?width?'",
    "'nul\\u0000\\u0007\\u007f', 'nul???'",
    "'tag\\udb40\\udc41', 'tag?'",
    "'line\\u2028para\\u2029', 'line para '",
    "'half\\ud83d', 'half?'",
  })
  void shouldReplaceWhatATerminalObeys(String written, String shown) {
    String text = unescaped(written).translateEscapes();
    assertEquals(shown, PeerText.of(text));
    assertFalse(PeerText.isClean(text));
  }

  /** Undoes the text's own escapes, because CSV has no such escapes. */
  private static String unescaped(String text) {
    StringBuilder all = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      boolean isEscape = text.startsWith("\\u", at);
      all.append(isEscape ? (char) Integer.parseInt(text, at + 2, at + 6, 16) : text.charAt(at));
      at += isEscape ? 6 : 1;
    }
    return all.toString();
  }

  @Test
  void shouldLeaveWhatPeopleWrite() {
    String text = "Größe, 日本語, عربى, emoji 🙂 and 'quotes'";
    assertSame(text, PeerText.of(text));
    assertTrue(PeerText.isClean(text));
    assertEquals(text, PeerText.of(text.getBytes(UTF_8)));
  }

  @Test
  void shouldBoundEachTextInBytes() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 2_000; i++) {
      StringBuilder text = new StringBuilder();
      int points = random.nextInt(1_200);
      while (text.length() < points) {
        text.appendCodePoint(random.nextInt(i % 2 == 0 ? 0x80 : 0x11_0000));
      }
      String clean = PeerText.of(text.toString());
      assertTrue(clean.getBytes(UTF_8).length <= PeerText.MOST_BYTES);
      assertTrue(PeerText.isClean(clean));
      assertSame(clean, PeerText.of(clean));
      assertTrue(PeerText.name(clean).getBytes(UTF_8).length <= PeerText.MOST_NAME_BYTES);
    }
  }

  @Test
  void shouldShowThatATextWasCut() {
    byte[] longest = "x".repeat(PeerText.MOST_BYTES).getBytes(UTF_8);
    assertEquals(new String(longest, UTF_8), PeerText.of(longest));
    byte[] longer = "x".repeat(60_000).getBytes(UTF_8);
    String cut = PeerText.of(new SegmentBuffer(longer), 0, longer.length);
    assertEquals("x".repeat(PeerText.MOST_BYTES - 3) + "...", cut);
  }
}
