package io.millrace.samples.log.core;

import org.apache.pekko.util.ByteString;

/**
 * What a client wants of the log.
 *
 * @param kind what to do
 * @param session of the client; 0 to open one
 * @param sequence of the session's operations, from 1 on, one at a time
 * @param key what it is about
 * @param expected of a compare-and-set; empty for a key that is not there
 * @param value to be stored
 */
public record Operation(
    Kind kind, long session, long sequence, ByteString key, ByteString expected, ByteString value) {
  /** Bytes of one without key and values. */
  static final int LEAST_BYTES = 32;

  private static final ByteString NOTHING = ByteString.emptyByteString();
  private static final Kind[] KINDS = Kind.values();

  /** What to do; the order is on the wire and on the disk. */
  public enum Kind {
    /** Opens a session, whose number is the answer. */
    OPEN,
    PUT,
    COMPARE_AND_SET,
    /** Goes through the log, as all else: so it sees all that was done before. */
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

  /** Stores a value if another one is there; an empty one stands for none. */
  public static Operation compareAndSet(ByteString key, ByteString expected, ByteString value) {
    return new Operation(Kind.COMPARE_AND_SET, 0, 0, key, expected, value);
  }

  /** Reads a value. */
  public static Operation get(ByteString key) {
    return new Operation(Kind.GET, 0, 0, key, NOTHING, NOTHING);
  }

  /** The same, as the next one of a session. */
  public Operation in(long ofSession, long number) {
    return new Operation(kind, ofSession, number, key, expected, value);
  }

  /** Bytes that it takes, about. */
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
