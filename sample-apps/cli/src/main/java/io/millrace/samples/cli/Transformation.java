package io.millrace.samples.cli;

import io.millrace.api.Route;
import io.millrace.samples.file.Sha256;
import io.millrace.transfer.Headers;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import org.apache.pekko.util.ByteString;

/**
 * The demo server's transformation of a record: the SHA-256 of the record and then its bytes in
 * reverse. The client can check every byte of such an answer, and nobody can make the answer
 * without the record.
 */
final class Transformation {
  /** Served on the application's executor. */
  static final Route<ByteString, ByteString> ON_EXECUTOR = Route.bytes("demo-transform-executor");

  /** Served on the worker. */
  static final Route<ByteString, ByteString> ON_WORKER = Route.bytes("demo-transform-worker");

  private static final String RECORD = "record-bin";

  /** The number of bytes that an answer is longer than its record. */
  static final int DIGEST_BYTES = 32;

  private final MessageDigest digest = Sha256.begin();

  /** The answer to a record. A single thread at a time may use the transformation. */
  byte[] answer(byte[] record) {
    byte[] answer = Arrays.copyOf(digest.digest(record), DIGEST_BYTES + record.length);
    for (int i = 0; i < record.length; i++) {
      answer[answer.length - 1 - i] = record[i];
    }
    return answer;
  }

  /** Returns the headers of the record with this number; the server sends the same headers back. */
  static Headers headers(long number, int priority) {
    byte[] record =
        ByteBuffer.allocate(Long.BYTES + Integer.BYTES).putLong(number).putInt(priority).array();
    return Headers.EMPTY.withBinary(RECORD, ByteString.fromArrayUnsafe(record));
  }
}
