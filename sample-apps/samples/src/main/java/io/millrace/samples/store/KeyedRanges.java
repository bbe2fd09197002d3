package io.millrace.samples.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The bytes of an artifact that a replica exports: ranges, each under a key of its own. Adjacent
 * chunks are one range, so a whole artifact is one key.
 *
 * @param ranges the ranges in order; no range touches the next
 */
public record KeyedRanges(List<Range> ranges) {
  /**
   * Exported bytes.
   *
   * @param key the daemon's key for these bytes
   * @param offset the offset in the artifact
   * @param length the number of bytes, at least 1
   */
  public record Range(String key, long offset, long length) {
    long end() {
      return offset + length;
    }
  }

  /** A part of a read: bytes inside one range. */
  record Slice(String key, long offsetInKey, long length) {}

  /**
   * Checks the order.
   *
   * @throws IllegalArgumentException if ranges overlap, are empty or out of order
   */
  public KeyedRanges {
    ranges = List.copyOf(ranges);
    long end = 0;
    for (Range range : ranges) {
      if (range.offset() < end || range.length() < 1) {
        throw new IllegalArgumentException("ranges overlap, are empty or out of order: " + ranges);
      }
      end = range.end();
    }
  }

  /**
   * Returns the ranges of all chunks of an artifact in one piece of memory; no ranges for an empty
   * artifact.
   */
  static KeyedRanges ofChunks(String key, Manifest manifest) {
    List<Range> chunks = new ArrayList<>();
    for (long at = 0; at < manifest.sizeBytes(); at = manifest.chunkEnd(at)) {
      chunks.add(new Range(key, at, manifest.chunkEnd(at) - at));
    }
    return coalesced(chunks);
  }

  /**
   * Returns the ranges of some chunks, in any order: adjacent chunks become one range with the key
   * of the first chunk.
   */
  static KeyedRanges coalesced(List<Range> chunks) {
    List<Range> merged = new ArrayList<>();
    for (Range next : chunks.stream().sorted(Comparator.comparingLong(Range::offset)).toList()) {
      Range last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && last.end() == next.offset()) {
        merged.set(
            merged.size() - 1, new Range(last.key(), last.offset(), last.length() + next.length()));
      } else {
        merged.add(next);
      }
    }
    return new KeyedRanges(merged);
  }

  /**
   * Returns the number of bytes that the replica has in one piece from this byte on; 0 if the
   * replica lacks this byte.
   */
  long contiguousFrom(long offset) {
    long end = offset;
    for (Range range : ranges) {
      if (range.offset() <= end && end < range.end()) {
        end = range.end();
      }
    }
    return end - offset;
  }

  /**
   * Translates a part of the artifact into parts of keys.
   *
   * @throws IllegalArgumentException if the replica lacks a byte of the part
   */
  List<Slice> slices(long offset, long length) {
    List<Slice> slices = new ArrayList<>();
    long at = offset;
    for (Range range : ranges) {
      if (at < offset + length && range.offset() <= at && at < range.end()) {
        long taken = Math.min(range.end(), offset + length) - at;
        slices.add(new Slice(range.key(), at - range.offset(), taken));
        at += taken;
      }
    }
    if (at != offset + length) {
      throw new IllegalArgumentException("the replica does not have byte " + at);
    }
    return slices;
  }
}
