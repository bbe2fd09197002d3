package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.NodeLife;
import org.jspecify.annotations.Nullable;

/** The permission of a sender to write under one key, by the packets that the sender has opened. */
final class ShadowToken {
  private final NodeLife holder;
  private final long path;
  private final int region;
  private final long address;
  private final int sizeBytes;
  private int fill;
  private int authorisedBytes;

  /**
   * Authorised bytes of the next fill, which the receiver may announce before the acknowledgement
   * of the present fill.
   */
  private int aheadBytes;

  /** The newest fill with a write or an announcement. */
  private int toldFill;

  private boolean isVoid;

  /** Creates a token without permission to write. */
  ShadowToken(LifePath holder, int region, long address, int sizeBytes) {
    this.holder = holder.life();
    path = holder.path();
    this.region = region;
    this.address = address;
    this.sizeBytes = sizeBytes;
  }

  /** Whether the token was given over this path. */
  boolean isOf(LifePath other) {
    return other.life().equals(holder) && other.path() == path;
  }

  /** The receiver authorises this many bytes of a fill. */
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

  /** The receiver has taken a fill out, and authorises this many bytes of the next fill. */
  void onConsumed(int number, int nextBytes) {
    if (number == fill) {
      fill++;
      authorisedBytes = Math.max(nextBytes, aheadBytes);
      aheadBytes = 0;
    }
  }

  /** The receiver accepts no more writes under this key. */
  void onVoid() {
    isVoid = true;
  }

  /** Describes the fault of writing these bytes of a fill; null without a fault. */
  @Nullable String write(LifePath writer, int index, int number, long at, long length) {
    String wrong = wrong(writer, index, number);
    return wrong == null ? within(at, length) : wrong;
  }

  /**
   * Describes the fault of announcing a fill; null without a fault. A sender may announce a begun
   * or announced fill again, even if the receiver took the fill out meanwhile or the key is void.
   * Other fills may stand in the same frame, and the receiver answers that the key is void. Giving
   * a fill up, by a length of 0, is always right.
   */
  @Nullable String announce(LifePath writer, int index, int number, long length) {
    boolean isTold = length == 0 || number <= toldFill;
    if (isTold && number <= fill && (isVoid || number < fill)) {
      return null;
    }
    return write(writer, index, number, 0, length);
  }

  /** Describes the fault of a one-sided write, which names no fill; null without a fault. */
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
