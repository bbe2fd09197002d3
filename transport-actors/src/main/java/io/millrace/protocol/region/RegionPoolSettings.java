package io.millrace.protocol.region;

import java.util.List;

/**
 * The memory of a {@link RegionPool} and the rules for giving the memory out.
 *
 * @param classBytes sizes of regions, ascending, at most 4 MiB each
 * @param classCounts regions of each size
 * @param budgetBytes bytes that may be authorised and not yet arrived, over all holders
 * @param stepBytes the unit of a fill that does not get all its bytes; at most the budget, and best
 *     the length of a record
 * @param perHolderBytes the most bytes of regions that a holder may have in all
 * @param reserve the reserve for the first priorities
 * @param isAdaptive whether a sender that leaves its regions empty again and again gets smaller
 *     regions
 * @param times how long the receiver waits for senders
 */
public record RegionPoolSettings(
    List<Integer> classBytes,
    List<Integer> classCounts,
    long budgetBytes,
    int stepBytes,
    long perHolderBytes,
    RegionReserve reserve,
    boolean isAdaptive,
    RegionTimes times) {
  /** The longest region: as many records as RecordRequest has bits. */
  public static final int MAX_REGION_BYTES = Long.SIZE * ReceiveRegion.RECORD_BYTES;

  /** Checks the values. */
  public RegionPoolSettings {
    classBytes = List.copyOf(classBytes);
    classCounts = List.copyOf(classCounts);
    check(
        !classBytes.isEmpty() && classCounts.size() == classBytes.size(),
        "classCounts must have one entry for each of classBytes",
        classCounts);
    int previous = 0;
    for (int i = 0; i < classBytes.size(); i++) {
      int bytes = classBytes.get(i);
      check(
          bytes > previous && bytes <= MAX_REGION_BYTES,
          "classBytes must ascend and be in 1.." + MAX_REGION_BYTES,
          classBytes);
      check(classCounts.get(i) > 0, "classCounts must be 1 or more", classCounts);
      previous = bytes;
    }
    check(stepBytes > 0 && stepBytes <= budgetBytes, "stepBytes must be in 1..budget", stepBytes);
    check(
        budgetBytes >= Math.min(previous, ReceiveRegion.RECORD_BYTES),
        "budgetBytes must hold a record",
        budgetBytes);
    check(
        perHolderBytes >= classBytes.get(0),
        "perHolderBytes must hold the smallest region",
        perHolderBytes);
  }

  private static void check(boolean holds, String rule, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ": " + value);
    }
  }
}
