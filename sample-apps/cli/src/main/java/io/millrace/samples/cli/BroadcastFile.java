package io.millrace.samples.cli;

/**
 * A file, or its first bytes, sent to several nodes in one call; the digest of each node's copy was
 * right.
 *
 * @param peers the number of nodes
 * @param bytes the bytes of the file at each node
 * @param isWhole whether these bytes are the whole file
 * @param elapsedNs from the call until the last node had written the last byte
 * @param recordsSealed the number of records that the sender sealed, independent of the number of
 *     nodes
 * @param allocations the number of memory allocations at the sender for the broadcast
 */
record BroadcastFile(
    int peers, long bytes, boolean isWhole, long elapsedNs, long recordsSealed, long allocations) {
  long movedBytes() {
    return peers * bytes;
  }
}
