package io.millrace.testkit.internal.oracle;

import io.millrace.body.RegionMemory;
import io.millrace.path.region.RegionWatcher;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionHolder;
import io.millrace.testkit.internal.oracle.ShadowRegion.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/** An independent model of the regions of a worker, stepped by the reports of the engine. */
final class RegionShadow implements RegionWatcher {
  private final LongSupplier clockNs;
  private final long quarantineNs;
  private final boolean isRestLong;
  private final Coverage coverage;
  private final GrantedKeys granted;
  private final Consumer<String> onViolation;
  private final Int2ObjectHashMap<ShadowRegion> regions = new Int2ObjectHashMap<>();
  private final LongHashSet keys = new LongHashSet();
  private final List<Counted> counted = new ArrayList<>();
  private boolean hasChanged;

  /** A region and its model. */
  private record Counted(ReceiveRegion engine, ShadowRegion shadow) {}

  /**
   * Creates a model without regions.
   *
   * @param repeatedNs for how long NICs repeat their writes; 0 where no NIC writes
   */
  RegionShadow(
      LongSupplier clockNs,
      long quarantineNs,
      long repeatedNs,
      GrantedKeys granted,
      Coverage coverage,
      Consumer<String> onViolation) {
    this.clockNs = clockNs;
    this.quarantineNs = quarantineNs;
    isRestLong = quarantineNs >= repeatedNs;
    this.granted = granted;
    this.coverage = coverage;
    this.onViolation = onViolation;
  }

  @Override
  public void onGranted(RegionHolder holder, ReceiveRegion region) {
    ShadowRegion shadow = shadow(region);
    require(shadow.phase == Phase.VOID, region, "granted", shadow);
    require(keys.add(region.key()), region, "granted under a key that was used before", shadow);
    boolean isFirst = shadow.voidSinceNs == Long.MIN_VALUE;
    require(
        isFirst || clockNs.getAsLong() - shadow.voidSinceNs >= quarantineNs,
        region,
        "granted before it rested",
        shadow);
    if (!isFirst) {
      coverage.hit(Coverage.Mark.REGION_GRANTED_AGAIN);
    }
    shadow.holder = holder;
    shadow.key = region.key();
    shadow.address = region.address();
    granted.add(region.key(), region.remoteKey(), shadow);
    shadow.fill = 0;
    begin(region, shadow);
  }

  @Override
  public void onReused(ReceiveRegion region) {
    ShadowRegion shadow = shadow(region);
    require(shadow.phase == Phase.TAKEN_OUT, region, "used again", shadow);
    coverage.hit(Coverage.Mark.REGION_REUSED);
    begin(region, shadow);
  }

  private void begin(ReceiveRegion region, ShadowRegion shadow) {
    shadow.phase = Phase.GRANTED;
    shadow.fill++;
    shadow.authorisedBytes = region.authorisedBytes();
    shadow.arrived.clear();
    requireEngine(region, shadow);
  }

  @Override
  public void onAuthorised(ReceiveRegion region) {
    ShadowRegion shadow = shadow(region);
    boolean grows =
        region.authorisedBytes() > shadow.authorisedBytes
            && region.authorisedBytes() <= region.sizeBytes();
    require(shadow.isWritable() && grows, region, "given more", shadow);
    shadow.authorisedBytes = region.authorisedBytes();
  }

  @Override
  public void onLanding(
      RegionHolder holder, ReceiveRegion region, int fill, long key, int at, int length) {
    ShadowRegion shadow = shadow(region);
    require(shadow.isWritable(), region, "written", shadow);
    require(holder.equals(shadow.holder), region, "written by another than its holder", shadow);
    require(key == shadow.key && fill == shadow.fill, region, "written as another fill", shadow);
    boolean isWithin = at >= 0 && length > 0 && at <= shadow.authorisedBytes - length;
    require(isWithin, region, "written beyond its bounds", shadow);
    if (shadow.phase == Phase.TAKEN_OUT) {
      coverage.hit(Coverage.Mark.RECORD_WRITTEN_AGAIN);
    }
    shadow.phase = Phase.WRITTEN;
    if (isWithin) {
      shadow.arrived.add(at, length);
    }
    requireEngine(region, shadow);
  }

  @Override
  public void onConsuming(ReceiveRegion region, RegionMemory memory) {
    ShadowRegion shadow = shadow(region);
    require(shadow.isWritable(), region, "read", shadow);
    if (shadow.phase == Phase.GRANTED) {
      coverage.hit(Coverage.Mark.FILL_DISCARDED);
    }
    shadow.phase = Phase.READING;
    shadow.checksum = memory.checksum(region.notifiedBytes());
    requireEngine(region, shadow);
  }

  @Override
  public void onConsumed(ReceiveRegion region, RegionMemory memory) {
    ShadowRegion shadow = shadow(region);
    boolean isVoid = shadow.phase == Phase.READING_VOID;
    require(isVoid || shadow.phase == Phase.READING, region, "taken out", shadow);
    require(
        !isRestLong || memory.checksum(region.notifiedBytes()) == shadow.checksum,
        region,
        "changed while it was read",
        shadow);
    requireEngine(region, shadow);
    shadow.phase = isVoid ? Phase.VOID : Phase.TAKEN_OUT;
    shadow.voidSinceNs = clockNs.getAsLong();
  }

  @Override
  public void onReleased(ReceiveRegion region) {
    ShadowRegion shadow = shadow(region);
    Phase before = shadow.phase;
    require(before != Phase.VOID && before != Phase.READING_VOID, region, "taken back", shadow);
    shadow.phase = before == Phase.READING ? Phase.READING_VOID : Phase.VOID;
    shadow.voidSinceNs = clockNs.getAsLong();
    coverage.hit(mark(before));
    RegionHolder holder = region.holder();
    if (holder != null && holder.isSuspected()) {
      granted.suspected(shadow.key);
    }
    requireEngine(region, shadow);
  }

  private static Coverage.Mark mark(Phase before) {
    return switch (before) {
      case WRITTEN -> Coverage.Mark.REVOKED_WRITTEN;
      case READING -> Coverage.Mark.REVOKED_WHILE_READ;
      case TAKEN_OUT -> Coverage.Mark.REVOKED_AFTER_FILL;
      default -> Coverage.Mark.REVOKED_UNUSED;
    };
  }

  /**
   * Compares the engine's count of authorised bytes still to arrive with the model's own sum, if a
   * region has changed since the last comparison. The model does not know which records of a fill
   * with a wrong tag may be written again.
   */
  void compare(LongSupplier countedBytes) {
    if (!hasChanged) {
      return;
    }
    hasChanged = false;
    long leastBytes = 0;
    long spoiledBytes = 0;
    for (int i = 0; i < counted.size(); i++) {
      ShadowRegion shadow = counted.get(i).shadow();
      ReceiveRegion engine = counted.get(i).engine();
      if (shadow.isWritable() && engine.isSpoiled()) {
        spoiledBytes += engine.notifiedBytes();
      } else {
        leastBytes += shadow.outstandingBytes(engine.notifiedBytes());
      }
    }
    long bytes = countedBytes.getAsLong();
    if (bytes < leastBytes || bytes > leastBytes + spoiledBytes) {
      onViolation.accept(
          "%d bytes count as authorised and not arrived, the regions have %d to %d"
              .formatted(bytes, leastBytes, leastBytes + spoiledBytes));
    }
  }

  private ShadowRegion shadow(ReceiveRegion region) {
    hasChanged = true;
    ShadowRegion known = regions.get(region.index());
    if (known != null) {
      return known;
    }
    ShadowRegion shadow = new ShadowRegion(isRestLong);
    regions.put(region.index(), shadow);
    counted.add(new Counted(region, shadow));
    return shadow;
  }

  private void requireEngine(ReceiveRegion region, ShadowRegion shadow) {
    require(region.state() == shadow.expected(), region, "in another state", shadow);
  }

  private void require(boolean holds, ReceiveRegion region, String what, ShadowRegion shadow) {
    if (!holds) {
      onViolation.accept(
          "region "
              + region.index()
              + " is "
              + what
              + " while "
              + shadow
              + ", the engine: "
              + region.state());
    }
  }
}
