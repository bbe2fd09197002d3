package io.millrace.protocol.region;

import org.jspecify.annotations.Nullable;

/**
 * A queue of regions, linked through them: no allocation, and removal from the middle. A region is
 * in at most one list of each track. Owned by a {@link RegionPool}.
 */
final class RegionList {
  /** The track of lists that determine a region's deadline. */
  static final int LIFE = 0;

  /** The track of lists of regions that want budget. */
  static final int WANT = 1;

  static final int TRACKS = 2;

  private final int track;
  private @Nullable ReceiveRegion head;
  private @Nullable ReceiveRegion tail;
  private int size;

  RegionList(int track) {
    this.track = track;
  }

  int size() {
    return size;
  }

  @Nullable ReceiveRegion head() {
    return head;
  }

  @Nullable ReceiveRegion after(ReceiveRegion region) {
    return region.link(2 * track);
  }

  boolean contains(ReceiveRegion region) {
    return region.list(track) == this;
  }

  /** Puts the region last, out of its present list of this track. */
  void add(ReceiveRegion region) {
    if (region == tail) {
      return;
    }
    remove(track, region);
    final ReceiveRegion last = tail;
    region.link(2 * track + 1, last);
    if (last == null) {
      head = region;
    } else {
      last.link(2 * track, region);
    }
    tail = region;
    region.list(track, this);
    size++;
  }

  /** Puts the region first; the region must be in no list of this track. */
  void push(ReceiveRegion region) {
    assert region.list(track) == null;
    final ReceiveRegion first = head;
    region.link(2 * track, first);
    if (first == null) {
      tail = region;
    } else {
      first.link(2 * track + 1, region);
    }
    head = region;
    region.list(track, this);
    size++;
  }

  /** Takes the region out of its list of this track, if the region is in a list. */
  static void remove(int track, ReceiveRegion region) {
    final RegionList list = region.list(track);
    if (list != null) {
      list.unlink(region);
    }
  }

  private void unlink(ReceiveRegion region) {
    final ReceiveRegion next = region.link(2 * track);
    final ReceiveRegion prev = region.link(2 * track + 1);
    if (prev == null) {
      head = next;
    } else {
      prev.link(2 * track, next);
    }
    if (next == null) {
      tail = prev;
    } else {
      next.link(2 * track + 1, prev);
    }
    region.link(2 * track, null);
    region.link(2 * track + 1, null);
    region.list(track, null);
    size--;
  }
}
