package io.millrace.protocol.causality;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The receiver's memory, by number, of a path's transfers that other transfers wait for, and the
 * transfers that the receiver holds back until these have been answered; rules D-5 to D-8. Bounded
 * by {@link SentNumbers#WINDOW}. Owned by the path's worker. No clock.
 */
public final class ArrivedNumbers {
  private static final int INITIAL = 16;
  private static final byte OPEN = 0;
  private static final byte SUCCEEDED = 1;
  private static final byte FAILED = 2;

  private byte[] states = new byte[INITIAL];
  private long[] roots = new long[INITIAL];
  private HeldTransfer.@Nullable Link[] waiting = new HeldTransfer.Link[INITIAL];
  private final ArrayDeque<HeldTransfer> settled = new ArrayDeque<>();
  private long floor = 1;
  private long end = 1;

  /** Creates the memory with no number seen. */
  public ArrivedNumbers() {}

  /**
   * The sender keeps no number below this any more.
   *
   * @param number the number of the telling transfer, or 0
   * @return false if the two cannot both be true
   */
  public boolean onFloor(long newFloor, long number) {
    if (newFloor < 1 || number != 0 && (number < newFloor || isFar(newFloor, number))) {
      return false;
    }
    while (floor < newFloor && floor < end) {
      forget(floor);
      floor++;
    }
    if (floor < newFloor) {
      floor = newFloor;
      end = newFloor;
    }
    return number == 0 || number < floor || reach(number);
  }

  private static boolean isFar(long from, long number) {
    return number - from >= SentNumbers.WINDOW;
  }

  /** Makes room up to a number; false if the number is beyond the window. */
  private boolean reach(long number) {
    if (isFar(floor, number)) {
      return false;
    }
    while (number - floor >= states.length) {
      grow();
    }
    end = Math.max(end, number + 1);
    return true;
  }

  /**
   * A transfer is to begin only after the transfer with this number.
   *
   * @param own the waiting transfer's own number, or 0
   * @return false if the sender must not name this number
   */
  public boolean await(HeldTransfer transfer, long number, boolean isCascading, long own) {
    if (number < floor || own != 0 && number >= own || !reach(number)) {
      return false;
    }
    int place = place(number);
    if (transfer.root() != 0) {
      return true;
    }
    if (states[place] == OPEN) {
      HeldTransfer.Link link = transfer.link(number, isCascading);
      HeldTransfer.Link first = waiting[place];
      link.next = first;
      if (first != null) {
        first.previous = link;
      }
      waiting[place] = link;
    } else if (states[place] == FAILED && isCascading) {
      transfer.fail(roots[place]);
    }
    return true;
  }

  /** A transfer is not wanted any more: the transfer waits for nothing. */
  public void abandon(HeldTransfer transfer) {
    unlinkAll(transfer);
    transfer.abandon();
  }

  private void unlinkAll(HeldTransfer transfer) {
    HeldTransfer.Link link = transfer.links();
    while (link != null) {
      if (link.number >= floor && states[place(link.number)] == OPEN) {
        unlink(link);
      }
      link = link.sibling;
    }
  }

  private void unlink(HeldTransfer.Link link) {
    HeldTransfer.Link previous = link.previous;
    HeldTransfer.Link next = link.next;
    if (next != null) {
      next.previous = previous;
    }
    if (previous != null) {
      previous.next = next;
    } else {
      waiting[place(link.number)] = next;
    }
  }

  /**
   * The transfer with this number was answered here, or will not be answered; {@link #poll} gives
   * out the transfers that waited for the number.
   *
   * @param root the token of the transfer that caused the failure
   */
  public void onEnded(long number, boolean isSuccess, long root) {
    if (number < floor || !reach(number)) {
      return;
    }
    int place = place(number);
    if (states[place] != OPEN) {
      return;
    }
    states[place] = isSuccess ? SUCCEEDED : FAILED;
    roots[place] = root;
    HeldTransfer.Link link = reversed(waiting[place]);
    waiting[place] = null;
    while (link != null) {
      if (link.held.onEnded(isSuccess, root, link.isCascading)) {
        unlinkAll(link.held);
        settled.addLast(link.held);
      }
      link = link.next;
    }
  }

  /** Returns the waiting transfers in the order of their arrival. */
  private static HeldTransfer.@Nullable Link reversed(HeldTransfer.@Nullable Link first) {
    HeldTransfer.Link result = null;
    HeldTransfer.Link link = first;
    while (link != null) {
      HeldTransfer.Link next = link.next;
      link.next = result;
      result = link;
      link = next;
    }
    return result;
  }

  /** Takes the next transfer that need not wait any more and is still wanted, or null. */
  public @Nullable HeldTransfer poll() {
    HeldTransfer next = settled.pollFirst();
    while (next != null && next.isAbandoned()) {
      next = settled.pollFirst();
    }
    return next;
  }

  private void forget(long number) {
    int place = place(number);
    states[place] = OPEN;
    roots[place] = 0;
    waiting[place] = null;
  }

  private int place(long number) {
    return (int) number & states.length - 1;
  }

  private void grow() {
    int length = states.length;
    byte[] oldStates = states;
    long[] oldRoots = roots;
    HeldTransfer.@Nullable Link[] oldWaiting = waiting;
    states = new byte[length * 2];
    roots = new long[length * 2];
    waiting = Arrays.copyOf(oldWaiting, length * 2);
    Arrays.fill(waiting, null);
    for (long number = floor; number < end; number++) {
      int from = (int) number & length - 1;
      states[place(number)] = oldStates[from];
      roots[place(number)] = oldRoots[from];
      waiting[place(number)] = oldWaiting[from];
    }
  }
}
