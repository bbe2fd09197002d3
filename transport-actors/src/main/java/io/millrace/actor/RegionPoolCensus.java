package io.millrace.actor;

import io.millrace.path.region.WorkerRegions;
import io.millrace.protocol.region.RegionCensus;

/**
 * The receive regions of one worker between two turns of its loop.
 *
 * @param worker its id
 * @param regions all of them, by state and in bytes
 * @param peakOutstandingBytes the most that were authorised and had not arrived, at any time
 */
public record RegionPoolCensus(int worker, RegionCensus regions, long peakOutstandingBytes) {
  static RegionPoolCensus of(int worker, WorkerRegions regions) {
    return new RegionPoolCensus(worker, regions.census(), regions.peakOutstandingBytes());
  }
}
