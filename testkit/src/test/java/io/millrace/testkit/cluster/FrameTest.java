package io.millrace.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Frames on their way, and bytes that are not frames. */
class FrameTest {
  private static final Frame SOME = new Frame(Frame.Kind.PUBLISH, 77, "kéy", "välue\n2");

  private static byte[] bytes(Frame frame) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    frame.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static Frame read(byte[] bytes) throws IOException {
    return Frame.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  @Test
  void shouldComeOutAsItWentIn() throws IOException {
    for (Frame.Kind kind : Frame.Kind.values()) {
      Frame frame = new Frame(kind, Long.MIN_VALUE, SOME.key(), SOME.value());
      assertEquals(frame, read(bytes(frame)));
    }
    Frame longest = Frame.of(Frame.Kind.FAILED, "x".repeat(Frame.MOST_BYTES));
    assertEquals(longest, read(bytes(longest)));
  }

  @Test
  void shouldEndWhereverItIsCutOff() throws IOException {
    byte[] bytes = bytes(SOME);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(EOFException.class, () -> read(cut));
    }
  }

  @Test
  void shouldNeitherSendNorTakeMoreThanFits() throws IOException {
    Frame tooLong = Frame.of(Frame.Kind.FAILED, "x".repeat(Frame.MOST_BYTES + 1));
    assertThrows(IOException.class, () -> bytes(tooLong));
    byte[] head = HexFormat.of().parseHex("000000000000000000" + "00040001");
    assertArrayEquals(
        Arrays.copyOf(head, 9), Arrays.copyOf(bytes(Frame.of(Frame.Kind.HELLO, "")), 9));
    assertEquals(
        "a frame with a text of 262145 bytes",
        assertThrows(IOException.class, () -> read(head)).getMessage());
    byte[] unknown = {(byte) 200};
    assertEquals(
        "a frame of unknown kind 200",
        assertThrows(IOException.class, () -> read(unknown)).getMessage());
  }
}
