package io.millrace.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.agrona.AsciiNumberFormatException;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Text and written numbers in a buffer, by the buffer's accesses to bytes and whole numbers. A
 * character that ASCII lacks is written and appended as a question mark. Allocates: not for the
 * data path.
 */
abstract class BufferText implements MutableDirectBuffer {
  private static final int LAST_ASCII = 0x7F;

  @Override
  public final String getStringAscii(int index) {
    return getStringAscii(index, getInt(index));
  }

  @Override
  public final int getStringAscii(int index, Appendable appendable) {
    return getStringAscii(index, getInt(index), appendable);
  }

  @Override
  public final String getStringAscii(int index, ByteOrder byteOrder) {
    return getStringAscii(index, getInt(index, byteOrder));
  }

  @Override
  public final int getStringAscii(int index, Appendable appendable, ByteOrder byteOrder) {
    return getStringAscii(index, getInt(index, byteOrder), appendable);
  }

  @Override
  public final String getStringAscii(int index, int length) {
    boundsCheck(index, STR_HEADER_LEN);
    return getStringWithoutLengthAscii(index + STR_HEADER_LEN, length);
  }

  @Override
  public final int getStringAscii(int index, int length, Appendable appendable) {
    boundsCheck(index, STR_HEADER_LEN);
    return getStringWithoutLengthAscii(index + STR_HEADER_LEN, length, appendable);
  }

  @Override
  public final String getStringWithoutLengthAscii(int index, int length) {
    return text(index, length, StandardCharsets.US_ASCII);
  }

  @Override
  public final int getStringWithoutLengthAscii(int index, int length, Appendable appendable) {
    boundsCheck(index, length);
    try {
      for (int at = index; at < index + length; at++) {
        appendable.append((char) ascii((char) (getByte(at) & 0xFF)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return length;
  }

  @Override
  public final String getStringUtf8(int index) {
    return getStringUtf8(index, getInt(index));
  }

  @Override
  public final String getStringUtf8(int index, ByteOrder byteOrder) {
    return getStringUtf8(index, getInt(index, byteOrder));
  }

  @Override
  public final String getStringUtf8(int index, int length) {
    boundsCheck(index, STR_HEADER_LEN);
    return getStringWithoutLengthUtf8(index + STR_HEADER_LEN, length);
  }

  @Override
  public final String getStringWithoutLengthUtf8(int index, int length) {
    return text(index, length, StandardCharsets.UTF_8);
  }

  private String text(int index, int length, Charset charset) {
    boundsCheck(index, length);
    byte[] bytes = new byte[length];
    getBytes(index, bytes);
    return new String(bytes, charset);
  }

  @Override
  public final int putStringAscii(int index, @Nullable String value) {
    return putStringAscii(index, value, ByteOrder.nativeOrder());
  }

  @Override
  public final int putStringAscii(int index, @Nullable CharSequence value) {
    return putStringAscii(index, value, ByteOrder.nativeOrder());
  }

  @Override
  public final int putStringAscii(int index, @Nullable String value, ByteOrder byteOrder) {
    return putStringAscii(index, (CharSequence) value, byteOrder);
  }

  @Override
  public final int putStringAscii(int index, @Nullable CharSequence value, ByteOrder byteOrder) {
    CharSequence text = value == null ? "" : value;
    boundsCheck(index, Math.addExact(STR_HEADER_LEN, text.length()));
    putInt(index, text.length(), byteOrder);
    return STR_HEADER_LEN + putStringWithoutLengthAscii(index + STR_HEADER_LEN, text);
  }

  @Override
  public final int putStringWithoutLengthAscii(int index, @Nullable String value) {
    return putStringWithoutLengthAscii(index, (CharSequence) value);
  }

  @Override
  public final int putStringWithoutLengthAscii(int index, @Nullable CharSequence value) {
    return putStringWithoutLengthAscii(index, value, 0, Integer.MAX_VALUE);
  }

  @Override
  public final int putStringWithoutLengthAscii(
      int index, @Nullable String value, int valueOffset, int length) {
    return putStringWithoutLengthAscii(index, (CharSequence) value, valueOffset, length);
  }

  @Override
  public final int putStringWithoutLengthAscii(
      int index, @Nullable CharSequence value, int valueOffset, int length) {
    if (value == null) {
      return 0;
    }
    int written = Math.min(value.length() - valueOffset, length);
    boundsCheck(index, written);
    for (int i = 0; i < written; i++) {
      putByte(index + i, ascii(value.charAt(valueOffset + i)));
    }
    return written;
  }

  private static byte ascii(char character) {
    return (byte) (character > LAST_ASCII ? '?' : character);
  }

  @Override
  public final int putStringUtf8(int index, @Nullable String value) {
    return putStringUtf8(index, value, Integer.MAX_VALUE);
  }

  @Override
  public final int putStringUtf8(int index, @Nullable String value, ByteOrder byteOrder) {
    return putStringUtf8(index, value, byteOrder, Integer.MAX_VALUE);
  }

  @Override
  public final int putStringUtf8(int index, @Nullable String value, int maxEncodedLength) {
    return putStringUtf8(index, value, ByteOrder.nativeOrder(), maxEncodedLength);
  }

  @Override
  public final int putStringUtf8(
      int index, @Nullable String value, ByteOrder byteOrder, int maxEncodedLength) {
    byte[] bytes = utf8(value);
    if (bytes.length > maxEncodedLength) {
      throw new IllegalArgumentException(
          "encoded string larger than maximum size: " + maxEncodedLength);
    }
    boundsCheck(index, Math.addExact(STR_HEADER_LEN, bytes.length));
    putInt(index, bytes.length, byteOrder);
    putBytes(index + STR_HEADER_LEN, bytes);
    return STR_HEADER_LEN + bytes.length;
  }

  @Override
  public final int putStringWithoutLengthUtf8(int index, @Nullable String value) {
    byte[] bytes = utf8(value);
    putBytes(index, bytes);
    return bytes.length;
  }

  private static byte[] utf8(@Nullable String value) {
    return String.valueOf(value).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public final int parseNaturalIntAscii(int index, int length) {
    return (int) parse(index, length, 0, Integer.MAX_VALUE);
  }

  @Override
  public final long parseNaturalLongAscii(int index, int length) {
    return parse(index, length, 0, Long.MAX_VALUE);
  }

  @Override
  public final int parseIntAscii(int index, int length) {
    return (int) parse(index, length, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  @Override
  public final long parseLongAscii(int index, int length) {
    return parse(index, length, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private long parse(int index, int length, long least, long most) {
    String text = getStringWithoutLengthAscii(index, length);
    try {
      long number = Long.parseLong(text);
      boolean isPlain = text.charAt(0) != '+' && (least < 0 || text.charAt(0) != '-');
      if (isPlain && number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw unparsed(text);
    }
    throw unparsed(text);
  }

  private static AsciiNumberFormatException unparsed(String text) {
    return new AsciiNumberFormatException("not a number of this kind: '" + text + "'");
  }

  @Override
  public final int putIntAscii(int index, int value) {
    return putStringWithoutLengthAscii(index, Integer.toString(value));
  }

  @Override
  public final int putNaturalIntAscii(int index, int value) {
    return putIntAscii(index, value);
  }

  @Override
  public final int putNaturalLongAscii(int index, long value) {
    return putLongAscii(index, value);
  }

  @Override
  public final int putLongAscii(int index, long value) {
    return putStringWithoutLengthAscii(index, Long.toString(value));
  }

  @Override
  public final void putNaturalPaddedIntAscii(int offset, int length, int value) {
    String digits = Integer.toString(value);
    if (digits.length() > length) {
      throw new NumberFormatException("Cannot write " + value + " in " + length + " bytes");
    }
    boundsCheck(offset, length);
    int zeros = length - digits.length();
    setMemory(offset, zeros, (byte) '0');
    putStringWithoutLengthAscii(offset + zeros, digits);
  }

  @Override
  public final int putNaturalIntAsciiFromEnd(int value, int endExclusive) {
    String digits = Integer.toString(value);
    int begin = endExclusive - digits.length();
    putStringWithoutLengthAscii(begin, digits);
    return begin;
  }
}
