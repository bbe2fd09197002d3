package io.millrace.samples.cli;

import io.millrace.samples.cli.AnswerCheck.Verified;

/**
 * The result of a file's records on the three streaming patterns, all records right.
 *
 * @param records the number of records
 * @param bytes the bytes of all records
 * @param thereNs the time of the streaming request, to the other's disk
 * @param backNs the time of the streaming response, from the other's disk
 * @param keptDigest the SHA-256 of the file kept by the other process
 * @param bothWays the bidirectional stream
 */
record StreamedFile(
    long records, long bytes, long thereNs, long backNs, String keptDigest, Verified bothWays) {
  long movedBytes() {
    return 2 * bytes + bothWays.recordBytes() + bothWays.answerBytes();
  }

  long elapsedNs() {
    return thereNs + backNs + bothWays.elapsedNs();
  }
}
