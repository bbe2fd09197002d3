package io.millrace.samples.bench;

import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.Records;
import io.millrace.samples.jmh.Pieces;
import io.millrace.samples.jmh.RecordBench;
import io.millrace.samples.jmh.SendBench;
import java.io.IOException;
import java.util.Map;

/**
 * Measures the parts of writing a byte to a peer: sealing, which a broadcast does once, and
 * sending, which a broadcast does for each peer. JMH measures with records of 64 KiB.
 *
 * @param sealNs sealing a byte
 * @param sendNs sending a sealed byte
 */
record BroadcastPieces(double sealNs, double sendNs) {
  /** The size of the datagrams that nodes send on loopback, in bytes. */
  private static final String DATAGRAM_BYTES = "8972";

  /** Measures both parts, in JVMs of their own. */
  static BroadcastPieces measure(boolean quick) throws IOException {
    String provider = AeadProviders.discover().select(Records.RECORD_BYTES).name();
    Map<String, String> records =
        Map.of("provider", provider, "recordBytes", String.valueOf(Records.RECORD_BYTES));
    Map<String, String> datagrams = Map.of("datagramBytes", DATAGRAM_BYTES);
    return new BroadcastPieces(
        Pieces.nsPerOperation(RecordBench.class, "seal", records, quick) / Records.RECORD_BYTES,
        Pieces.nsPerOperation(SendBench.class, "send", datagrams, quick) / Records.RECORD_BYTES);
  }

  /** The expected cost of a broadcast as a share of the cost of writing to each peer. */
  double composed(int peers) {
    return (sealNs / peers + sendNs) / (sealNs + sendNs);
  }
}
