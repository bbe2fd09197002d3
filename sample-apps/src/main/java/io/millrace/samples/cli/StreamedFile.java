package io.millrace.samples.cli;

import io.millrace.samples.cli.AnswerCheck.Verified;

/**
 * A file whose records went by the three streaming patterns, all of them right.
 *
 * @param records how many
 * @param bytes of all of them
 * @param thereNs how long the streaming request took, to the other's disk
 * @param backNs how long the streaming response took, from there
 * @param keptDigest SHA-256 of what the other process kept
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
