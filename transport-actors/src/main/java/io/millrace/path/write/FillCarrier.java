package io.millrace.path.write;

import io.millrace.path.packet.BulkSource;
import java.util.List;

/**
 * The way of one path's fills into the peer's regions: as chunks in packets, or by one-sided
 * writes. All code around a carrier, from tokens to acknowledgements, is the same for both ways.
 * Worker's thread only; does not allocate in the steady state.
 */
interface FillCarrier extends BulkSource {
  /** The fill was begun, or more bytes of the fill are authorised. */
  void list(WriteFill fill);

  /**
   * Nobody wants the fill any more; {@link #forget} follows.
   *
   * @return whether bytes of the fill may still land: then the carrier tells when the last byte has
   *     landed
   */
  boolean abandon(WriteFill fill);

  /** The path uses another rail; these fills are being written. */
  default void onRail(List<WriteFill> open) {}

  /** The fill leaves every queue of the carrier. */
  void forget(WriteFill fill, int level);

  /** The path is over: forgets every fill. */
  void clear();
}
