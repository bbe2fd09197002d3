package io.millrace.samples.cli;

/**
 * A file copied to the other process' disk and back, with the right digest.
 *
 * @param bytes the length of the file
 * @param thereNs the time of the copy to the other process
 * @param backNs the time of the copy back
 * @param digest the SHA-256 of the returned file
 */
record CopiedFile(long bytes, long thereNs, long backNs, String digest) {
  long movedBytes() {
    return 2 * bytes;
  }

  long elapsedNs() {
    return thereNs + backNs;
  }
}
