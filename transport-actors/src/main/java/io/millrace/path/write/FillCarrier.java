package io.millrace.path.write;

import io.millrace.driver.SendBuffer;
import java.util.List;

/**
 * How the bytes of one path's fills get into the peer's regions: as chunks in packets, or by
 * one-sided writes. Everything around it, from tokens to acknowledgements, is the same for both.
 * Worker's thread only; does not allocate in the steady state.
 */
interface FillCarrier {
  /** The fill was begun, or more of it is authorised. */
  void list(WriteFill fill);

  /** Bit n is set when something of level n may go without packets. */
  int writeLevels();

  /**
   * Posts a one-sided write of {@code level}.
   *
   * @param buffer not needed; the carrier's if the answer is true
   * @return false if nothing may go
   */
  boolean sendWrite(SendBuffer buffer, int level, long nowNs);

  /**
   * Nobody wants the fill any more; {@link #forget} follows.
   *
   * @return whether bytes of it may still land: then the carrier tells when they do not any more
   */
  boolean abandon(WriteFill fill);

  /** The path uses another rail; these fills are being written. */
  default void onRail(List<WriteFill> open) {}

  /** The fill leaves every queue. */
  void forget(WriteFill fill, int level);

  /** The path is over: everything is forgotten. */
  void clear();
}
