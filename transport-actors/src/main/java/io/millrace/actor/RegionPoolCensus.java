package io.millrace.actor;

import io.millrace.path.region.WorkerRegions;
import io.millrace.protocol.region.RegionCensus;

/**
 * The receive regions of a worker between two turns of the worker's loop.
 *
 * @param worker the worker's id
 * @param regions all regions, by state and in bytes
 * @param peakOutstandingBytes the largest number of authorised bytes without arrival, at any time
 */
public record RegionPoolCensus(int worker, RegionCensus regions, long peakOutstandingBytes) {
  static RegionPoolCensus of(int worker, WorkerRegions regions) {
    return new RegionPoolCensus(worker, regions.census(), regions.peakOutstandingBytes());
  }
}
