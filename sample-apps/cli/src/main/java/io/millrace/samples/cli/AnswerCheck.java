package io.millrace.samples.cli;

import io.millrace.api.Response;
import io.millrace.samples.file.Sha256;
import io.millrace.transfer.Headers;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.apache.pekko.util.ByteString;

/**
 * Checks the answers of a pass over the file, byte by byte and in the order of the records. Puts
 * the file together again from the answers. A single thread at a time may use the check.
 */
final class AnswerCheck {
  private static final long LONGEST_NS = 60_000_000_000L;
  private static final int PRIORITIES = 8;

  private final Transformation transformation = new Transformation();
  private final MessageDigest rebuilt = Sha256.begin();
  private final Histogram latencies = new Histogram(LONGEST_NS, 3);
  private final long[] perPriority = new long[PRIORITIES];
  private volatile long records;
  private long recordBytes;
  private long answerBytes;

  /** A record on its way: its number, its bytes, and the time of sending. */
  static final class Sent {
    private final long number;
    private final byte[] record;
    private final long atNs;

    Sent(long number, byte[] record, long atNs) {
      this.number = number;
      this.record = record;
      this.atNs = atNs;
    }

    long number() {
      return number;
    }

    byte[] record() {
      return record;
    }

    long atNs() {
      return atNs;
    }

    int priority() {
      return (int) (number % PRIORITIES);
    }

    Headers headers() {
      return Transformation.headers(number, priority());
    }
  }

  /**
   * Takes the answer to {@code sent}.
   *
   * @throws CommandException if a byte of the answer is wrong, or the answer is not for the next
   *     record
   */
  void onAnswer(Sent sent, Response<ByteString> response, long latencyNs) {
    requireNext(sent);
    if (!response.headers().equals(sent.headers())) {
      throw wrong(sent, "has other headers");
    }
    onAnswer(sent, response.value(), latencyNs);
  }

  private void requireNext(Sent sent) {
    if (sent.number() != records) {
      throw wrong(sent, "came out of order");
    }
  }

  /**
   * Takes the answer of a stream, without headers of its own, to {@code sent}.
   *
   * @throws CommandException if a byte of the answer is wrong, or the answer is not for the next
   *     record
   */
  void onAnswer(Sent sent, ByteString answer, long latencyNs) {
    requireNext(sent);
    byte[] payload = answer.toArrayUnsafe();
    if (!Arrays.equals(payload, transformation.answer(sent.record()))) {
      throw wrong(sent, "has wrong bytes");
    }
    for (int i = payload.length - 1; i >= Transformation.DIGEST_BYTES; i--) {
      rebuilt.update(payload[i]);
    }
    // Only the checking thread writes this field; the thread that waits for the end reads it.
    records = sent.number() + 1;
    recordBytes += sent.record().length;
    answerBytes += payload.length;
    perPriority[sent.priority()]++;
    latencies.recordValue(Math.min(latencyNs, LONGEST_NS));
  }

  /** Returns the result of the pass, with the digest of the file rebuilt from the answers. */
  Verified end(long elapsedNs) {
    return new Verified(
        records,
        recordBytes,
        answerBytes,
        Arrays.stream(perPriority).boxed().toList(),
        latencies,
        elapsedNs,
        HexFormat.of().formatHex(rebuilt.digest()));
  }

  long records() {
    return records;
  }

  long recordBytes() {
    return recordBytes;
  }

  private static CommandException wrong(Sent sent, String how) {
    return CommandException.failed("the answer to record " + sent.number() + " " + how);
  }

  /**
   * A pass with right answers only.
   *
   * @param calls records sent and answered
   * @param recordBytes payload sent
   * @param answerBytes payload received
   * @param perPriority calls of each priority
   * @param latencies from the sending of a record to its answer, ns
   * @param elapsedNs the whole pass
   * @param digest SHA-256 of the file as put together from the answers
   */
  record Verified(
      long calls,
      long recordBytes,
      long answerBytes,
      List<Long> perPriority,
      Histogram latencies,
      long elapsedNs,
      String digest) {}
}
