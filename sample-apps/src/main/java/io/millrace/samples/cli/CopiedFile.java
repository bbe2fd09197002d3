package io.millrace.samples.cli;

/**
 * A file that went to the other process' disk and came back, with the right digest.
 *
 * @param bytes its length
 * @param thereNs how long it went
 * @param backNs how long it came back
 * @param digest SHA-256 of the file that came back
 */
record CopiedFile(long bytes, long thereNs, long backNs, String digest) {
  long movedBytes() {
    return 2 * bytes;
  }

  long elapsedNs() {
    return thereNs + backNs;
  }
}
