package io.millrace.protocol.region;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which free region serves a demand: the smallest region that holds the demand, else a
 * larger, else a smaller; a reserve of each size is kept for the first priorities. Owned by a
 * {@link RegionPool}. No clock; does not allocate after construction.
 */
final class RegionClasses {
  private final int[] sizes;
  private final int[] counts;
  private final int[] reserved;
  private final RegionReserve reserve;
  private final RegionList[] free;
  private final ReceiveRegion[] regions;
  private final long totalBytes;

  RegionClasses(RegionPoolSettings settings) {
    final int classes = settings.classBytes().size();
    sizes = new int[classes];
    counts = new int[classes];
    reserved = new int[classes];
    reserve = settings.reserve();
    free = new RegionList[classes];
    final List<ReceiveRegion> all = new ArrayList<>();
    long total = 0;
    for (int c = 0; c < classes; c++) {
      final int count = settings.classCounts().get(c);
      sizes[c] = settings.classBytes().get(c);
      counts[c] = count;
      reserved[c] = (int) reserve.of(count);
      free[c] = new RegionList(RegionList.LIFE);
      for (int i = 0; i < count; i++) {
        final ReceiveRegion region = new ReceiveRegion(all.size(), c, sizes[c]);
        all.add(region);
        free[c].add(region);
      }
      total += (long) count * sizes[c];
    }
    regions = all.toArray(new ReceiveRegion[0]);
    totalBytes = total;
  }

  @Nullable ReceiveRegion region(int index) {
    return index >= 0 && index < regions.length ? regions[index] : null;
  }

  int count() {
    return regions.length;
  }

  long totalBytes() {
    return totalBytes;
  }

  int sizeBytes(int sizeClass) {
    return sizes[sizeClass];
  }

  int freeCount(int sizeClass) {
    return free[sizeClass].size();
  }

  /** Whether a region of this class could be granted at this priority. */
  boolean isAvailable(int sizeClass, int priority) {
    final int kept = reserve.isFor(priority) ? 0 : reserved[sizeClass];
    return free[sizeClass].size() > kept;
  }

  /**
   * Whether more than half of this class, and the reserve, stays free after the grant of a region
   * of the class.
   */
  boolean isPlentiful(int sizeClass) {
    final int left = free[sizeClass].size() - 1;
    return 2 * left > counts[sizeClass] && left >= reserved[sizeClass];
  }

  /** The class to take a region from, or -1; {@code mostBytes} bounds its size. */
  int select(int priority, int pieceBytes, long mostBytes) {
    final int fitting = smallestFor(pieceBytes);
    for (int c = fitting; c < sizes.length; c++) {
      if (sizes[c] <= mostBytes && isAvailable(c, priority)) {
        return c;
      }
    }
    for (int c = fitting - 1; c >= 0; c--) {
      if (sizes[c] <= mostBytes && isAvailable(c, priority)) {
        return c;
      }
    }
    return -1;
  }

  /** The smallest class whose regions hold the piece, or the largest class. */
  int smallestFor(int pieceBytes) {
    int c = 0;
    while (c < sizes.length - 1 && sizes[c] < pieceBytes) {
      c++;
    }
    return c;
  }

  ReceiveRegion take(int sizeClass) {
    final ReceiveRegion region = free[sizeClass].head();
    if (region == null) {
      throw new IllegalStateException("no free region of " + sizes[sizeClass] + " bytes");
    }
    RegionList.remove(RegionList.LIFE, region);
    return region;
  }

  /**
   * Takes a region back; the region will be the next to be granted, since its memory is the
   * warmest.
   */
  void put(ReceiveRegion region) {
    RegionList.remove(RegionList.LIFE, region);
    free[region.sizeClass()].push(region);
  }
}
