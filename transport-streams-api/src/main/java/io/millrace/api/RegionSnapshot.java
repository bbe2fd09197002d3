package io.millrace.api;

import io.millrace.actor.RegionPoolCensus;
import io.millrace.protocol.region.RegionCensus;
import io.millrace.protocol.region.RegionState;

/**
 * The receive memory of one worker, into which peers write, at one moment. Regions have a few sizes
 * ({@code millrace.regions.sizes}); each region is in one state.
 *
 * @param worker the worker's id
 * @param states the number of regions in each state
 * @param grantedBytes the sizes of all regions with a valid key, in any state
 * @param outstandingBytes bytes that peers may write now and that have not arrived
 * @param peakOutstandingBytes the most bytes ever outstanding
 * @param budgetBytes the most bytes that may be outstanding: {@code millrace.regions.grant-budget}
 */
public record RegionSnapshot(
    int worker,
    States states,
    long grantedBytes,
    long outstandingBytes,
    long peakOutstandingBytes,
    long budgetBytes) {
  /**
   * The number of regions by state.
   *
   * @param free regions in the pool, without a key
   * @param granted regions held by a peer without a first write
   * @param written regions with some or all bytes arrived
   * @param consuming whole regions, read by the executor
   * @param revoking regions taken back from the peer while the executor still reads
   * @param quarantined regions taken back, at rest until no late packet can write there
   */
  public record States(
      int free, int granted, int written, int consuming, int revoking, int quarantined) {
    /** Returns the number of all regions. */
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
