package io.millrace.protocol.region;

import java.util.ArrayList;
import java.util.List;

/**
 * Records the messages of a pool, a line for each message: the kind, the holder, the region, and
 * the figures.
 */
final class RecordedSink implements RegionSink {
  private final List<String> lines = new ArrayList<>();

  /** The messages since the last call. */
  List<String> take() {
    List<String> taken = List.copyOf(lines);
    lines.clear();
    return taken;
  }

  @Override
  public void onGranted(RegionHolder holder, ReceiveRegion region) {
    lines.add("granted " + holder.owner() + " " + region.index() + " " + region.authorisedBytes());
  }

  @Override
  public void onAuthorised(RegionHolder holder, ReceiveRegion region) {
    lines.add(
        "authorised " + holder.owner() + " " + region.index() + " " + region.authorisedBytes());
  }

  @Override
  public void onReused(RegionHolder holder, ReceiveRegion region) {
    lines.add(
        "reused "
            + holder.owner()
            + " "
            + region.index()
            + " fill "
            + region.fill()
            + " "
            + region.authorisedBytes());
  }

  @Override
  public void onRevoked(RegionHolder holder, int region, long key, int consumedFill) {
    lines.add("revoked " + holder.owner() + " " + region + " taken " + consumedFill);
  }

  @Override
  public void onExhausted(RegionHolder holder) {
    lines.add("exhausted " + holder.owner());
  }

  @Override
  public void onRepair(RegionHolder holder, ReceiveRegion region, long records) {
    lines.add("repair " + holder.owner() + " " + region.index() + " " + records);
  }

  @Override
  public void onReleased(ReceiveRegion region) {
    lines.add("released " + region.index());
  }
}
