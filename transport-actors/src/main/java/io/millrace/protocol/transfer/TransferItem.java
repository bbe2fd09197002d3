package io.millrace.protocol.transfer;

/**
 * The record of a frame in loss recovery: a transfer id whose worker bits, constant on a path and
 * direction, make room for the frame's kind.
 */
public final class TransferItem {
  private static final long ID_MASK = 0x00FF_FFFF_FFFF_FFFFL;

  private TransferItem() {}

  /** An item of this kind, 0 to 255, for this transfer. */
  public static long of(int kind, long transferId) {
    return ((long) kind << 56) | (transferId & ID_MASK);
  }

  /** The kind. */
  public static int kind(long item) {
    return (int) (item >>> 56);
  }

  /** The slot of the transfer's id. */
  public static int slot(long item) {
    return TransferId.slot(item);
  }

  /** The generation of the transfer's id. */
  public static int generation(long item) {
    return TransferId.generation(item);
  }
}
