package io.millrace.protocol.region;

/**
 * Receives the decisions of a {@link RegionPool} for its owner. Called on the worker's thread from
 * within a method of the pool; the sink must not call back into the pool's mutators.
 */
public interface RegionSink {
  /** The holder has a new token: tell the holder (RegionGrant). */
  void onGranted(RegionHolder holder, ReceiveRegion region);

  /** More of the region's current fill may be written: tell the holder (RegionGrant). */
  void onAuthorised(RegionHolder holder, ReceiveRegion region);

  /**
   * The previous fill was taken out, {@link ReceiveRegion#fill} is the next: tell the holder
   * (TransferAck with REUSE). Nothing may be authorised yet; the authorisation grows once the
   * holder asks.
   */
  void onReused(RegionHolder holder, ReceiveRegion region);

  /**
   * The token is void: tell the holder. Not called for a closed holder.
   *
   * @param consumedFill the last fill that was taken out, or 0 without such a fill (RegionRevoke).
   *     The owner sends a TransferAck of this fill with REVOKED. From this frame the sender sees
   *     whether its last writes were still taken, in any order of arrival
   */
  void onRevoked(RegionHolder holder, int region, long key, int consumedFill);

  /** The holder wants memory, has no region, and no region can be granted (RegionExhausted). */
  void onExhausted(RegionHolder holder);

  /**
   * These records of the fill may be written again (RecordRequest).
   *
   * @param records bit n stands for record n of the fill
   */
  void onRepair(RegionHolder holder, ReceiveRegion region, long records);

  /**
   * The key is void from here on: the driver deregisters. Called once for each key, before the
   * quarantine. The attachment is still there; in {@link RegionState#REVOKING} a thread still reads
   * the region.
   */
  void onReleased(ReceiveRegion region);

  /**
   * The region has rested: the region may be granted again.
   *
   * @return false if the region's memory cannot be used anew yet; then the region rests once more
   */
  default boolean onRested(ReceiveRegion region) {
    return true;
  }
}
