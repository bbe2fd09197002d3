package io.millrace.config;

import java.util.List;

/**
 * Memory for the writes of peers.
 *
 * @param sizesBytes sizes of regions, rising; multiples of 64 KiB
 * @param counts regions of each size, for each worker
 * @param grantBudgetBytes bytes that all peers together may have on their way to a worker
 * @param perPeerBytes most bytes of regions that a peer may hold
 * @param reserve the reserve for the first priorities
 * @param adaptiveSizes whether a peer that leaves its regions empty again and again gets smaller
 *     regions
 * @param idleRevokeNs an unused region is taken back after this time while other holders wait
 * @param idleTimeoutNs an unused region is taken back after this in any case
 * @param stallTimeoutNs a fill is taken back when the fill makes no progress for this long after
 *     its begin
 * @param revocation the treatment of revoked regions
 * @param packetSlots slots of a path for packets written with an immediate value; 0 for sent
 *     packets alone
 */
@SuppressWarnings("RecordComponentNumber") // a block of the configuration
public record RegionSettings(
    List<Integer> sizesBytes,
    List<Integer> counts,
    long grantBudgetBytes,
    long perPeerBytes,
    ReserveSettings reserve,
    boolean adaptiveSizes,
    long idleRevokeNs,
    long idleTimeoutNs,
    long stallTimeoutNs,
    RevocationSettings revocation,
    int packetSlots) {
  private static final int RECORD_BYTES = 64 << 10;
  private static final int LARGEST_REGION_BYTES = 1 << 20;
  private static final int MOST_PACKET_SLOTS = 64;
  private static final long NS_PER_S = 1_000_000_000L;

  static RegionSettings from(Section section) {
    List<Integer> sizes = section.sizes("sizes");
    List<Integer> counts = section.integers("counts");
    check(section, sizes, counts);
    long idleRevokeNs = section.nanos("idle-revoke", 1, 3_600 * NS_PER_S);
    return new RegionSettings(
        sizes,
        counts,
        section.longBytes("grant-budget", RECORD_BYTES, 1L << 40),
        section.longBytes("per-peer", sizes.getLast(), 1L << 40),
        ReserveSettings.from(section),
        section.flag("adaptive-sizes"),
        idleRevokeNs,
        section.nanos("idle-timeout", idleRevokeNs, 3_600 * NS_PER_S),
        section.nanos("stall-timeout", 1, 3_600 * NS_PER_S),
        RevocationSettings.from(section),
        section.integer("packet-slots", 0, MOST_PACKET_SLOTS));
  }

  /** The rest of a region with a revoked key before the region is granted again. */
  public long quarantineNs() {
    return revocation.quarantineNs();
  }

  /** Returns these settings with another rest of regions. */
  public RegionSettings withQuarantineNs(long restNs) {
    return new RegionSettings(
        sizesBytes,
        counts,
        grantBudgetBytes,
        perPeerBytes,
        reserve,
        adaptiveSizes,
        idleRevokeNs,
        idleTimeoutNs,
        stallTimeoutNs,
        new RevocationSettings(revocation.isTold(), restNs),
        packetSlots);
  }

  private static void check(Section section, List<Integer> sizes, List<Integer> counts) {
    int previous = 0;
    for (int size : sizes) {
      if (size <= previous || size % RECORD_BYTES != 0 || size > LARGEST_REGION_BYTES) {
        throw new SettingsException(
            section.key("sizes"),
            "must be multiples of 64 KiB up to 1 MiB, each larger than the one before, not "
                + sizes.stream().map(HoconText::size).toList());
      }
      previous = size;
    }
    if (sizes.isEmpty() || counts.size() != sizes.size() || counts.stream().anyMatch(n -> n < 1)) {
      throw new SettingsException(
          section.key("counts"),
          "must have a number from 1 up for each of the "
              + sizes.size()
              + " entries of "
              + section.key("sizes")
              + ", not "
              + counts);
    }
  }
}
