package io.millrace.testkit.cluster;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A message between the harness and a node.
 *
 * @param kind meaning of the message
 * @param id of the question that this frame asks, answers or gives up; 0 without a question
 * @param key name of a barrier or a value
 * @param value the content, as {@link Kind} says
 */
record Frame(Kind kind, long id, String key, String value) {
  /** Bytes of a text at most. */
  static final int MOST_BYTES = 256 * 1024;

  private static final Kind[] KINDS = Kind.values();

  /** The meaning of a frame. */
  enum Kind {
    /** The node's first word; value: the token that the harness gave to the node. */
    HELLO,
    /** To a node: run the program in value. */
    RUN,
    /** To a node: come to an end. */
    STOP,
    /** To a node: print the stacks of all threads. */
    DUMP,
    /** The stacks are printed. */
    DUMPED,
    /** The program returned; value: its result. */
    ENDED,
    /** The program threw; value: the stack trace. */
    FAILED,
    /**
     * A node has come to the barrier of this key; value: all parties of the barrier, with commas.
     */
    ARRIVE,
    /** A node publishes a value. */
    PUBLISH,
    /** A node wants the value of this key. */
    AWAIT,
    /** A node no longer wants the answer to this question. */
    GIVE_UP,
    /** To a node: yes; value: the value asked for. */
    DONE,
    /** To a node: no; value: why. */
    REFUSED
  }

  static Frame of(Kind kind, String value) {
    return new Frame(kind, 0, "", value);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeByte(kind.ordinal());
    out.writeLong(id);
    write(out, key);
    write(out, value);
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MOST_BYTES) {
      throw new IOException(bytes.length + " bytes do not fit a frame");
    }
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static Frame read(DataInputStream in) throws IOException {
    int kind = in.readUnsignedByte();
    if (kind >= KINDS.length) {
      throw new IOException("a frame of unknown kind " + kind);
    }
    return new Frame(KINDS[kind], in.readLong(), readText(in), readText(in));
  }

  private static String readText(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("a frame with a text of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
