package io.millrace.samples.cli;

/**
 * A file, or its first bytes, that went to several nodes in one call; the digest of each node's
 * copy was right.
 *
 * @param peers how many nodes
 * @param bytes of the file that each of them has
 * @param isWhole these are all of it
 * @param elapsedNs from the call until the last node had written the last byte
 * @param recordsSealed records that this cost the sender, whatever the number of nodes
 * @param allocations how often the sender was handed memory for it
 */
record BroadcastFile(
    int peers, long bytes, boolean isWhole, long elapsedNs, long recordsSealed, long allocations) {
  long movedBytes() {
    return peers * bytes;
  }
}
