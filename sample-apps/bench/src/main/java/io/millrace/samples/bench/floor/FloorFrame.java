package io.millrace.samples.bench.floor;

/**
 * The first eight bytes of every datagram: the kind of the datagram, and an argument. The argument
 * is the place of the payload in the stream, or the number of a question, which the answer repeats.
 */
final class FloorFrame {
  static final int HEADER_BYTES = Long.BYTES;

  /** Bytes without a reader. */
  static final int RAW = 1;

  /** A stretch of sealed records. */
  static final int RECORDS = 2;

  /** Reset the counts. */
  static final int RESET = 3;

  /** Open a record again and again for the ns in the next eight bytes; then answer. */
  static final int OPEN_ALONE = 4;

  /** Answer at once. */
  static final int QUESTION = 5;

  /** The server's counts, as {@link Counted}. */
  static final int ANSWER = 6;

  /**
   * The offset of the asking client's address, length first: after the header, whose argument is
   * the question's number, and the time.
   */
  static final int CLIENT_OFFSET = 2 * Long.BYTES;

  /** Bytes of an answer. */
  static final int ANSWER_BYTES = 6 * Long.BYTES;

  private static final int KIND_SHIFT = 56;
  private static final long ARGUMENT_MASK = (1L << KIND_SHIFT) - 1;

  private FloorFrame() {}

  static long header(int kind, long argument) {
    return ((long) kind << KIND_SHIFT) | (argument & ARGUMENT_MASK);
  }

  static int kind(long header) {
    return (int) (header >>> KIND_SHIFT);
  }

  static long argument(long header) {
    return header & ARGUMENT_MASK;
  }

  /**
   * The counts of a server since the last reset.
   *
   * @param bytes payload bytes of received datagrams
   * @param opened the number of opened records
   * @param receiveNs time in polls that received datagrams, without the time for opening
   * @param openNs time spent opening
   * @param bad records with a wrong tag or wrong bytes
   */
  record Counted(long bytes, long opened, long receiveNs, long openNs, long bad) {
    static final Counted NOTHING = new Counted(0, 0, 0, 0, 0);
  }
}
