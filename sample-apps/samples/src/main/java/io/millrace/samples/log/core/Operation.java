package io.millrace.samples.log.core;

import org.apache.pekko.util.ByteString;

/**
 * An operation that a client asks of the log.
 *
 * @param kind the kind of the operation
 * @param session the session of the client; 0 to open a session
 * @param sequence the number among the session's operations, from 1 on, one at a time
 * @param key the key to read or write
 * @param expected the expected value of a compare-and-set; empty for a key without a value
 * @param value the value to store
 */
public record Operation(
    Kind kind, long session, long sequence, ByteString key, ByteString expected, ByteString value) {
  /** The bytes of an operation without key and values. */
  static final int LEAST_BYTES = 32;

  private static final ByteString NOTHING = ByteString.emptyByteString();
  private static final Kind[] KINDS = Kind.values();

  /** The kind of an operation; the order is on the wire and on the disk. */
  public enum Kind {
    /** Opens a session, whose number is the answer. */
    OPEN,
    PUT,
    COMPARE_AND_SET,
    /** A read goes through the log, as all operations: so a read sees all earlier writes. */
    GET
  }

  /** Opens a session. */
  public static Operation open() {
    return new Operation(Kind.OPEN, 0, 0, NOTHING, NOTHING, NOTHING);
  }

  /** Stores a value. */
  public static Operation put(ByteString key, ByteString value) {
    return new Operation(Kind.PUT, 0, 0, key, NOTHING, value);
  }

  /**
   * Stores a value if the key has the expected value; an empty expected value stands for no value.
   */
  public static Operation compareAndSet(ByteString key, ByteString expected, ByteString value) {
    return new Operation(Kind.COMPARE_AND_SET, 0, 0, key, expected, value);
  }

  /** Reads a value. */
  public static Operation get(ByteString key) {
    return new Operation(Kind.GET, 0, 0, key, NOTHING, NOTHING);
  }

  /** Returns the same operation, as the next operation of a session. */
  public Operation in(long ofSession, long number) {
    return new Operation(kind, ofSession, number, key, expected, value);
  }

  /** Returns the bytes of this operation, about. */
  public int bytes() {
    return LEAST_BYTES + key.size() + expected.size() + value.size();
  }

  /** Writes the fields. */
  public void write(FieldWriter out) {
    out.small(kind.ordinal()).number(session).number(sequence);
    out.bytes(key).bytes(expected).bytes(value);
  }

  /** Reads the fields. */
  public static Operation read(FieldReader in) {
    int kind = in.small();
    if (kind < 0 || kind >= KINDS.length) {
      throw new IllegalArgumentException("there is no operation " + kind);
    }
    return new Operation(KINDS[kind], in.number(), in.number(), in.bytes(), in.bytes(), in.bytes());
  }
}
