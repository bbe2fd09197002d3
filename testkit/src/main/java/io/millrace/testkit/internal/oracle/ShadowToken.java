package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.NodeLife;
import org.jspecify.annotations.Nullable;

/** What a sender may write under one key, by what it has opened packets with. */
final class ShadowToken {
  private final NodeLife holder;
  private final long path;
  private final int region;
  private final long address;
  private final int sizeBytes;
  private int fill;
  private int authorisedBytes;

  /** Of the fill after this one, which may be told of before this one is acknowledged. */
  private int aheadBytes;

  /** The newest fill of which something was written or announced. */
  private int toldFill;

  private boolean isVoid;

  /** Nothing may be written yet. */
  ShadowToken(LifePath holder, int region, long address, int sizeBytes) {
    this.holder = holder.life();
    path = holder.path();
    this.region = region;
    this.address = address;
    this.sizeBytes = sizeBytes;
  }

  /** Whether it was given over this path. */
  boolean isOf(LifePath other) {
    return other.life().equals(holder) && other.path() == path;
  }

  /** The receiver authorises so much of a fill. */
  void onGrant(int number, int bytes) {
    if (fill == 0) {
      fill = number;
    }
    if (number == fill) {
      authorisedBytes = Math.max(authorisedBytes, bytes);
    } else if (number == fill + 1) {
      aheadBytes = Math.max(aheadBytes, bytes);
    }
  }

  /** The receiver has taken a fill out, and authorises so much of the next. */
  void onConsumed(int number, int nextBytes) {
    if (number == fill) {
      fill++;
      authorisedBytes = Math.max(nextBytes, aheadBytes);
      aheadBytes = 0;
    }
  }

  /** The receiver takes nothing under this key any more. */
  void onVoid() {
    isVoid = true;
  }

  /** What is wrong with writing these bytes of a fill; null if nothing is. */
  @Nullable String write(LifePath writer, int index, int number, long at, long length) {
    String wrong = wrong(writer, index, number);
    return wrong == null ? within(at, length) : wrong;
  }

  /**
   * The same for announcing a fill. What was begun or announced before may be told of though the
   * fill was taken out meanwhile or the key is void: other fills may stand in the same frame, and
   * the receiver answers that the key is void. To give a fill up, by a length of 0, is always
   * right.
   */
  @Nullable String announce(LifePath writer, int index, int number, long length) {
    boolean isTold = length == 0 || number <= toldFill;
    if (isTold && number <= fill && (isVoid || number < fill)) {
      return null;
    }
    return write(writer, index, number, 0, length);
  }

  /** The same for a one-sided write, which names no fill. */
  @Nullable String place(long target, long length) {
    return within(target - address, length);
  }

  private @Nullable String wrong(LifePath writer, int index, int number) {
    if (!isOf(writer) || index != region) {
      return "of another path or region";
    }
    return number == fill ? null : "in fill " + number + ", may write " + this;
  }

  private @Nullable String within(long at, long length) {
    if (isVoid) {
      return "that was told to be void";
    }
    toldFill = fill;
    boolean isWithin = at >= 0 && at + length <= Math.min(authorisedBytes, sizeBytes);
    return isWithin ? null : "at " + at + ", may write " + this;
  }

  @Override
  public String toString() {
    return authorisedBytes + " bytes of fill " + fill;
  }
}
