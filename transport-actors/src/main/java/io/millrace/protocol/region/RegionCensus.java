package io.millrace.protocol.region;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The regions of a pool at a moment: the pool's own sums, and the same sums computed from the
 * regions themselves. Bytes.
 *
 * @param counts regions in each state, in the order of {@link RegionState}
 * @param sums the pool's own sums
 * @param counted the sums computed from the regions
 * @param budgetBytes the most bytes that may be outstanding
 * @param perHolderBytes the most bytes that a holder may have
 * @param holders holders with a region
 */
public record RegionCensus(
    List<Integer> counts,
    Sums sums,
    Sums counted,
    long budgetBytes,
    long perHolderBytes,
    int holders) {
  /**
   * Sums over regions.
   *
   * @param outstandingBytes authorised and not arrived
   * @param grantedBytes sizes of the regions with a good key
   * @param largestHolderBytes the bytes of the holder with the most bytes
   * @param freeRegions regions that are in a list of free regions, or free by their state
   */
  public record Sums(
      long outstandingBytes, long grantedBytes, long largestHolderBytes, int freeRegions) {}

  /** Regions in this state. */
  public int count(RegionState state) {
    return counts.get(state.ordinal());
  }

  static RegionCensus of(RegionBook book) {
    final Integer[] counts = new Integer[RegionState.values().length];
    Arrays.fill(counts, 0);
    final Map<RegionHolder, Long> held = new HashMap<>();
    long outstanding = 0;
    long granted = 0;
    long largest = 0;
    long largestSaid = 0;
    for (int index = 0; index < book.classes.count(); index++) {
      final ReceiveRegion region = Objects.requireNonNull(book.classes.region(index));
      counts[region.state().ordinal()]++;
      outstanding += region.outstandingBytes();
      final RegionHolder holder = region.holder();
      if (holder != null && region.isGranted()) {
        granted += region.sizeBytes();
        largest = Math.max(largest, held.merge(holder, (long) region.sizeBytes(), Long::sum));
        largestSaid = Math.max(largestSaid, holder.grantedBytes());
      }
    }
    return new RegionCensus(
        List.of(counts),
        new Sums(
            book.budget.outstandingBytes(), book.grantedBytes(), largestSaid, book.freeRegions()),
        new Sums(outstanding, granted, largest, counts[RegionState.FREE.ordinal()]),
        book.settings.budgetBytes(),
        book.settings.perHolderBytes(),
        held.size());
  }
}
