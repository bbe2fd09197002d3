package io.millrace.samples.bench;

import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.Records;
import io.millrace.samples.jmh.Pieces;
import io.millrace.samples.jmh.RecordBench;
import io.millrace.samples.jmh.SendBench;
import java.io.IOException;
import java.util.Map;

/**
 * What of writing a byte to a peer a broadcast does once, and what it does for each peer; measured
 * by JMH with records of 64 KiB.
 *
 * @param sealNs sealing a byte
 * @param sendNs sending a sealed one
 */
record BroadcastPieces(double sealNs, double sendNs) {
  /** Bytes of the datagrams that nodes send on loopback. */
  private static final String DATAGRAM_BYTES = "8972";

  /** Measures them, in JVMs of their own. */
  static BroadcastPieces measure(boolean quick) throws IOException {
    String provider = AeadProviders.discover().select(Records.RECORD_BYTES).name();
    Map<String, String> records =
        Map.of("provider", provider, "recordBytes", String.valueOf(Records.RECORD_BYTES));
    Map<String, String> datagrams = Map.of("datagramBytes", DATAGRAM_BYTES);
    return new BroadcastPieces(
        Pieces.nsPerOperation(RecordBench.class, "seal", records, quick) / Records.RECORD_BYTES,
        Pieces.nsPerOperation(SendBench.class, "send", datagrams, quick) / Records.RECORD_BYTES);
  }

  /** What a broadcast should cost of what writing to each peer costs. */
  double composed(int peers) {
    return (sealNs / peers + sendNs) / (sealNs + sendNs);
  }
}
