package io.millrace.protocol.region;

import org.jspecify.annotations.Nullable;

/**
 * The cached tokens with authorised bytes, by the power of two that these bytes reach: finds a
 * fitting token without a look at all tokens. The last token put in is the first looked at, so that
 * surplus tokens lie idle and go back to the receiver. Owned by a {@link TokenCache}. Does not
 * allocate.
 */
final class TokenBuckets {
  /** Tokens of a bucket that are compared; where more lie, the choice may be less than best. */
  static final int MOST_COMPARED = 32;

  private final @Nullable WriteToken[] heads = new WriteToken[Integer.SIZE];
  private int occupied;

  void add(WriteToken token) {
    assert token.bucket() < 0;
    if (token.authorisedBytes() == 0) {
      return;
    }
    final int bucket = bucketOf(token.authorisedBytes());
    final WriteToken head = heads[bucket];
    token.bucket(bucket);
    token.next(head);
    token.previous(null);
    if (head != null) {
      head.previous(token);
    }
    heads[bucket] = token;
    occupied |= 1 << bucket;
  }

  void remove(WriteToken token) {
    final int bucket = token.bucket();
    if (bucket < 0) {
      return;
    }
    final WriteToken next = token.next();
    final WriteToken previous = token.previous();
    if (previous == null) {
      heads[bucket] = next;
      if (next == null) {
        occupied &= ~(1 << bucket);
      }
    } else {
      previous.next(next);
    }
    if (next != null) {
      next.previous(previous);
    }
    token.next(null);
    token.previous(null);
    token.bucket(-1);
  }

  /**
   * The token with the fewest sufficient bytes; else the token with the most bytes; null if empty.
   */
  @Nullable WriteToken bestFor(int wantedBytes) {
    final int bucket = bucketOf(Math.max(wantedBytes, 1));
    final WriteToken fitting = least(heads[bucket], wantedBytes);
    if (fitting != null) {
      return fitting;
    }
    final int above = bucket == Integer.SIZE - 1 ? 0 : occupied & (-1 << bucket + 1);
    if (above != 0) {
      return least(heads[Integer.numberOfTrailingZeros(above)], wantedBytes);
    }
    return occupied == 0
        ? null
        : most(heads[Integer.SIZE - 1 - Integer.numberOfLeadingZeros(occupied)]);
  }

  private static int bucketOf(int bytes) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bytes);
  }

  private static @Nullable WriteToken least(@Nullable WriteToken head, int wantedBytes) {
    WriteToken best = null;
    WriteToken token = head;
    for (int i = 0; i < MOST_COMPARED && token != null; i++) {
      final int bytes = token.authorisedBytes();
      if (bytes >= wantedBytes && (best == null || bytes < best.authorisedBytes())) {
        best = token;
      }
      token = token.next();
    }
    return best;
  }

  private static @Nullable WriteToken most(@Nullable WriteToken head) {
    WriteToken best = head;
    WriteToken token = head;
    for (int i = 0; i < MOST_COMPARED && token != null && best != null; i++) {
      if (token.authorisedBytes() > best.authorisedBytes()) {
        best = token;
      }
      token = token.next();
    }
    return best;
  }
}
