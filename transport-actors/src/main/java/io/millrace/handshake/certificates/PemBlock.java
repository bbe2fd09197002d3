package io.millrace.handshake.certificates;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A block of a PEM file, between its two marks. Marks may stand in one line, and text between
 * blocks says nothing. A view of the file's bytes, which belong to the reader of the file.
 *
 * @param file the bytes of the whole file
 * @param label the name in the mark, for example {@code CERTIFICATE}
 * @param from where the body begins
 * @param to the end of the body
 * @param ended whether the second mark is present
 */
record PemBlock(byte[] file, String label, int from, int to, boolean ended) {
  private static final String BEGIN = "-----BEGIN ";
  private static final String DASHES = "-----";
  private static final int MAX_LABEL = 64;

  /** The blocks of a file, in the file's order. */
  static List<PemBlock> of(byte[] file) {
    List<PemBlock> found = new ArrayList<>();
    int begin = indexOf(file, BEGIN, 0, file.length);
    while (begin >= 0) {
      int labelFrom = begin + BEGIN.length();
      int most = Math.min(file.length, labelFrom + MAX_LABEL + DASHES.length());
      int labelTo = indexOf(file, DASHES, labelFrom, most);
      int next = labelFrom;
      if (labelTo >= 0) {
        String label =
            new String(file, labelFrom, labelTo - labelFrom, StandardCharsets.ISO_8859_1);
        int from = labelTo + DASHES.length();
        int end = indexOf(file, "-----END " + label + DASHES, from, file.length);
        found.add(new PemBlock(file, label, from, end < 0 ? file.length : end, end >= 0));
        next = end < 0 ? file.length : end + DASHES.length();
      }
      begin = indexOf(file, BEGIN, next, file.length);
    }
    return found;
  }

  /**
   * The content of the body; the caller overwrites secret content.
   *
   * @throws IllegalArgumentException if the body is no Base64
   */
  byte[] der() {
    byte[] text = Arrays.copyOfRange(file, from, to);
    try {
      return Base64.getMimeDecoder().decode(text);
    } finally {
      Arrays.fill(text, (byte) 0);
    }
  }

  /** Whether the body has this text. */
  boolean has(String text) {
    return indexOf(file, text, from, to) >= 0;
  }

  private static int indexOf(byte[] bytes, String text, int from, int to) {
    byte[] wanted = text.getBytes(StandardCharsets.ISO_8859_1);
    for (int at = from; at <= to - wanted.length; at++) {
      if (bytes[at] == wanted[0]
          && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return -1;
  }

  /** Never the content of the block. */
  @Override
  public String toString() {
    return "PemBlock[" + label + "]";
  }
}
