package io.millrace.samples.bench.floor;

import org.agrona.DirectBuffer;

/** Puts records together from stretches that come in order and opens each complete record. */
final class RecordAssembly {
  private final FloorCipher cipher = new FloorCipher();
  private final byte[] sealed = new byte[FloorCipher.SEALED_BYTES];
  private long record = -1;
  private int filled;
  private long opened;
  private long bad;
  private long openNs;

  /** Takes bytes of the stream of sealed records, from {@code position} in the stream on. */
  void take(long position, DirectBuffer buffer, int offset, int length) {
    int taken = 0;
    while (taken < length) {
      long at = position + taken;
      int within = (int) (at % FloorCipher.SEALED_BYTES);
      int part = Math.min(length - taken, FloorCipher.SEALED_BYTES - within);
      buffer.getBytes(offset + taken, sealed, within, part);
      onPart(at / FloorCipher.SEALED_BYTES, part);
      taken += part;
    }
  }

  long opened() {
    return opened;
  }

  long bad() {
    return bad;
  }

  long openNs() {
    return openNs;
  }

  void reset() {
    opened = 0;
    bad = 0;
    openNs = 0;
  }

  /** A record with lost datagrams is never complete and so never opened. */
  private void onPart(long number, int length) {
    if (number != record) {
      record = number;
      filled = 0;
    }
    filled += length;
    if (filled == FloorCipher.SEALED_BYTES) {
      long startNs = System.nanoTime();
      if (cipher.open(number, sealed)) {
        opened++;
      } else {
        bad++;
      }
      openNs += System.nanoTime() - startNs;
    }
  }
}
