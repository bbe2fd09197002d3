package io.millrace.api;

import io.millrace.actor.RegionPoolCensus;
import io.millrace.protocol.region.RegionCensus;
import io.millrace.protocol.region.RegionState;

/**
 * The memory of one worker that peers write into, at one moment. Regions are of a few sizes ({@code
 * millrace.regions.sizes}); each is in one state.
 *
 * @param worker its id
 * @param states how many regions are in which state
 * @param grantedBytes sizes of the regions whose key is good, whatever state they are in
 * @param outstandingBytes that peers may write now and that have not come
 * @param peakOutstandingBytes the most that ever were outstanding
 * @param budgetBytes the most that may be: {@code millrace.regions.grant-budget}
 */
public record RegionSnapshot(
    int worker,
    States states,
    long grantedBytes,
    long outstandingBytes,
    long peakOutstandingBytes,
    long budgetBytes) {
  /**
   * Regions by what they do.
   *
   * @param free in the pool, under no key
   * @param granted held by a peer that has written nothing yet
   * @param written some or all bytes have come
   * @param consuming whole, and read by the executor
   * @param revoking taken back from the peer while the executor still reads it
   * @param quarantined taken back, resting until nothing can land there any more
   */
  public record States(
      int free, int granted, int written, int consuming, int revoking, int quarantined) {
    /** All regions. */
    public int total() {
      return free + granted + written + consuming + revoking + quarantined;
    }
  }

  static RegionSnapshot of(RegionPoolCensus pool) {
    RegionCensus census = pool.regions();
    return new RegionSnapshot(
        pool.worker(),
        new States(
            census.count(RegionState.FREE),
            census.count(RegionState.GRANTED),
            census.count(RegionState.WRITTEN),
            census.count(RegionState.CONSUMING),
            census.count(RegionState.REVOKING),
            census.count(RegionState.QUARANTINED)),
        census.sums().grantedBytes(),
        census.sums().outstandingBytes(),
        pool.peakOutstandingBytes(),
        census.budgetBytes());
  }
}
