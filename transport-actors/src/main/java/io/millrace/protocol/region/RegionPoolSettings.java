package io.millrace.protocol.region;

import java.util.List;

/**
 * The memory of a {@link RegionPool} and how it is given out.
 *
 * @param classBytes sizes of regions, ascending, at most 4 MiB each
 * @param classCounts regions of each size
 * @param budgetBytes bytes that may be authorised and not yet arrived, over all holders
 * @param stepBytes a fill that does not get all it could use gets a multiple of this; at most the
 *     budget, and best the length of a record
 * @param perHolderBytes sizes of the regions that one holder may have in all
 * @param reservePercent part of each size that is kept for priorities 0 and 1
 * @param idleRevokeNs how long a token lies unused before others who wait may have its region
 * @param idleTimeoutNs how long a token lies unused, or a fill makes no progress, before it is
 *     revoked in any case
 * @param quarantineNs how long a revoked region rests before it is granted again
 */
public record RegionPoolSettings(
    List<Integer> classBytes,
    List<Integer> classCounts,
    long budgetBytes,
    int stepBytes,
    long perHolderBytes,
    int reservePercent,
    long idleRevokeNs,
    long idleTimeoutNs,
    long quarantineNs) {
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
    check(
        reservePercent >= 0 && reservePercent < 100,
        "reservePercent must be in 0..99",
        reservePercent);
    check(idleRevokeNs > 0, "idleRevokeNs must be positive", idleRevokeNs);
    check(
        idleTimeoutNs >= idleRevokeNs,
        "idleTimeoutNs must not be below idleRevokeNs",
        idleTimeoutNs);
    check(quarantineNs >= 0, "quarantineNs must not be negative", quarantineNs);
  }

  private static void check(boolean holds, String rule, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ": " + value);
    }
  }
}
