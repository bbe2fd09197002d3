package io.millrace.testkit.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Base64;

/** Turns a program into text and the text into a program; both JVMs have the same class path. */
final class ShippedProgram {
  private static final int MOST_CHARS = 64 * 1024;

  private ShippedProgram() {}

  static String pack(NodeProgram program) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(program);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "a program with a captured object that is not serializable: " + e.getMessage(), e);
    }
    String text = Base64.getEncoder().encodeToString(bytes.toByteArray());
    if (text.length() > MOST_CHARS) {
      throw new IllegalArgumentException("a program of " + text.length() + " characters");
    }
    return text;
  }

  static NodeProgram unpack(String text) throws IOException, ClassNotFoundException {
    byte[] bytes = Base64.getDecoder().decode(text);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (NodeProgram) in.readObject();
    }
  }
}
