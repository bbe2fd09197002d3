package io.millrace.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.agrona.DirectBuffer;

/**
 * Text that a peer wrote, made fit for outcomes, events, logs and terminals: no control character,
 * no escape sequence, no line break, no mark that turns the direction of writing, bounded in
 * length. The cleaning happens where text enters from a frame, a handshake or a certificate, so
 * that no later code needs to clean. Any thread; allocates only for a changed text.
 */
public final class PeerText {
  /** The longest text of an outcome, an event or the end of a path, bytes of UTF-8. */
  public static final int MOST_BYTES = 1_024;

  /** The longest name: of a peer, a host, a certificate's subject; bytes of UTF-8. */
  public static final int MOST_NAME_BYTES = 256;

  private static final char REPLACEMENT = '?';
  private static final String CUT = "...";

  private PeerText() {}

  /** Text for a person from the UTF-8 of a frame, at most {@value #MOST_BYTES} bytes. */
  public static String of(DirectBuffer buffer, int offset, int length) {
    // Bytes behind the longest text are not even decoded; the cut shows that the text went on.
    return of(buffer.getStringWithoutLengthUtf8(offset, Math.min(length, MOST_BYTES + 1)));
  }

  /** {@link #of(DirectBuffer, int, int)} of a whole array. */
  public static String of(byte[] utf8) {
    return of(new String(utf8, 0, Math.min(utf8.length, MOST_BYTES + 1), UTF_8));
  }

  /** Whether the text is shown unchanged. */
  public static boolean isClean(String text) {
    return text.codePoints().allMatch(PeerText::isPrintable);
  }

  /** Text for a person, at most {@value #MOST_BYTES} bytes of UTF-8. */
  public static String of(String text) {
    return clean(text, MOST_BYTES);
  }

  /** A name, at most {@value #MOST_NAME_BYTES} bytes of UTF-8. */
  public static String name(String name) {
    return clean(name, MOST_NAME_BYTES);
  }

  private static String clean(String text, int mostBytes) {
    int bytes = 0;
    int at = 0;
    boolean isClean = true;
    while (at < text.length() && bytes <= mostBytes) {
      int point = text.codePointAt(at);
      isClean &= isPrintable(point);
      bytes += length(point);
      at += Character.charCount(point);
    }
    return isClean && bytes <= mostBytes ? text : cleaned(text, mostBytes);
  }

  private static String cleaned(String text, int mostBytes) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), mostBytes));
    int bytes = 0;
    int at = 0;
    int lastFit = 0;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      int shown = isPrintable(point) ? point : isBreak(point) ? ' ' : REPLACEMENT;
      if (bytes + length(shown) > mostBytes) {
        clean.setLength(lastFit);
        return clean.append(CUT).toString();
      }
      bytes += length(shown);
      clean.appendCodePoint(shown);
      if (bytes + CUT.length() <= mostBytes) {
        lastFit = clean.length();
      }
      at += Character.charCount(point);
    }
    return clean.toString();
  }

  /** Whether the character ends a line or moves on within a line: a blank says the same. */
  private static boolean isBreak(int point) {
    return point == '\t'
        || point == '\n'
        || point == '\r'
        || Character.getType(point) == Character.LINE_SEPARATOR
        || Character.getType(point) == Character.PARAGRAPH_SEPARATOR;
  }

  /** Bytes of a code point in UTF-8; an unpaired surrogate is written as a question mark. */
  private static int length(int point) {
    if (point < 0x80) {
      return 1;
    }
    if (point < 0x800) {
      return 2;
    }
    return point < 0x10000 ? 3 : 4;
  }

  /** Whether a terminal shows the character and does nothing else. */
  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL, // C0 with escape and line breaks, delete, and C1
          Character.FORMAT, // marks of direction, invisible joiners, byte order marks, tags
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
