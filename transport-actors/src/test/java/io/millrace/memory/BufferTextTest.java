package io.millrace.memory;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferTextTest {
  private final SegmentBuffer buffer = new SegmentBuffer(new byte[64], 1, 60);

  @Test
  void shouldWriteAndReadAsciiWithItsLength() {
    String text = "a\u00fcz";
    StringBuilder appended = new StringBuilder();
    assertEquals(7, buffer.putStringAscii(2, text));
    assertEquals(3, buffer.getInt(2));
    assertEquals("a?z", buffer.getStringAscii(2));
    assertEquals("a?", buffer.getStringAscii(2, 2));
    assertEquals(3, buffer.getStringAscii(2, appended));
    assertEquals(2, buffer.getStringAscii(2, 2, appended));
    assertEquals("a?za?", appended.toString());

    assertEquals(7, buffer.putStringAscii(2, CharBuffer.wrap("xyz")));
    assertEquals("xyz", buffer.getStringAscii(2, ByteOrder.nativeOrder()));
    assertEquals(7, buffer.putStringAscii(2, "uvw", BIG_ENDIAN));
    assertEquals(3, buffer.getInt(2, BIG_ENDIAN));
    assertEquals("uvw", buffer.getStringAscii(2, BIG_ENDIAN));
    assertEquals(6, buffer.putStringAscii(2, CharBuffer.wrap("rs"), BIG_ENDIAN));
    assertEquals(2, buffer.getStringAscii(2, appended, BIG_ENDIAN));
    assertEquals("a?za?rs", appended.toString());
    assertEquals(4, buffer.putStringAscii(2, (String) null));
    assertEquals("", buffer.getStringAscii(2));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.putStringAscii(58, "abc"));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.getStringAscii(2, 55));
  }

  @Test
  void shouldWriteAndReadAsciiWithoutLength() {
    assertEquals(4, buffer.putStringWithoutLengthAscii(0, "abcd"));
    assertEquals(2, buffer.putStringWithoutLengthAscii(4, "wxyz", 2, 9));
    assertEquals(1, buffer.putStringWithoutLengthAscii(6, CharBuffer.wrap("wxyz"), 1, 1));
    assertEquals(2, buffer.putStringWithoutLengthAscii(7, CharBuffer.wrap("\u20ac!")));
    assertEquals(0, buffer.putStringWithoutLengthAscii(0, (String) null));
    assertEquals("abcdyzx?!", buffer.getStringWithoutLengthAscii(0, 9));
    buffer.putByte(1, (byte) 0x80);
    StringBuilder appended = new StringBuilder();
    assertEquals(3, buffer.getStringWithoutLengthAscii(0, 3, appended));
    assertEquals("a?c", appended.toString());
    assertThrows(
        IndexOutOfBoundsException.class, () -> buffer.putStringWithoutLengthAscii(57, "abcd"));
  }

  @Test
  void shouldWriteAndReadUtf8() {
    String text = "\u20acx";
    assertEquals(8, buffer.putStringUtf8(1, text));
    assertEquals(4, buffer.getInt(1));
    assertEquals(text, buffer.getStringUtf8(1));
    assertEquals("\u20ac", buffer.getStringUtf8(1, 3));
    assertEquals(8, buffer.putStringUtf8(1, text, BIG_ENDIAN));
    assertEquals(text, buffer.getStringUtf8(1, BIG_ENDIAN));
    assertEquals(8, buffer.putStringUtf8(1, text, 4));
    assertThrows(IllegalArgumentException.class, () -> buffer.putStringUtf8(1, text, 3));
    assertThrows(
        IllegalArgumentException.class, () -> buffer.putStringUtf8(1, text, BIG_ENDIAN, 3));
    assertEquals(4, buffer.putStringWithoutLengthUtf8(1, text));
    assertEquals(text, buffer.getStringWithoutLengthUtf8(1, 4));
    assertEquals(8, buffer.putStringUtf8(1, null));
    assertEquals("null", buffer.getStringUtf8(1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.putStringUtf8(55, "ab"));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.getStringWithoutLengthUtf8(0, 61));
  }

  @Test
  void shouldWriteAndParseNumbers() {
    for (long number : new long[] {0, 7, -7, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      String text = Long.toString(number);
      assertEquals(text.length(), buffer.putIntAscii(3, (int) number));
      assertEquals(text, buffer.getStringWithoutLengthAscii(3, text.length()));
      assertEquals(number, buffer.parseIntAscii(3, text.length()));
    }
    for (long number : new long[] {0, -7, Long.MAX_VALUE, Long.MIN_VALUE}) {
      int length = buffer.putLongAscii(3, number);
      assertEquals(number, buffer.parseLongAscii(3, length));
    }
    assertEquals(10, buffer.putNaturalIntAscii(3, Integer.MAX_VALUE));
    assertEquals(Integer.MAX_VALUE, buffer.parseNaturalIntAscii(3, 10));
    assertEquals(19, buffer.putNaturalLongAscii(3, Long.MAX_VALUE));
    assertEquals(Long.MAX_VALUE, buffer.parseNaturalLongAscii(3, 19));
    buffer.putNaturalPaddedIntAscii(3, 5, 42);
    assertEquals("00042", buffer.getStringWithoutLengthAscii(3, 5));
    assertThrows(NumberFormatException.class, () -> buffer.putNaturalPaddedIntAscii(3, 1, 42));
    assertEquals(8, buffer.putNaturalIntAsciiFromEnd(42, 10));
    assertEquals("42", buffer.getStringWithoutLengthAscii(8, 2));
  }

  @Test
  void shouldRefuseTextThatIsNoNumber() {
    for (String text : List.of("", "-", "+1", "1x", "0x1", "2147483648", "99999999999999999999")) {
      int length = buffer.putStringWithoutLengthAscii(0, text);
      assertThrows(NumberFormatException.class, () -> buffer.parseIntAscii(0, length), text);
      assertThrows(NumberFormatException.class, () -> buffer.parseNaturalIntAscii(0, length), text);
    }
    int length = buffer.putLongAscii(0, -1);
    assertThrows(NumberFormatException.class, () -> buffer.parseNaturalIntAscii(0, length));
    assertThrows(NumberFormatException.class, () -> buffer.parseNaturalLongAscii(0, length));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.parseIntAscii(58, 3));
  }
}
