package io.millrace.body;

import io.millrace.ends.WorkerInbox;
import org.jspecify.annotations.Nullable;

/** Fills of one body as a list in the order of their bytes; each fill has a link to the next. */
final class FillOrder {
  private FillOrder() {}

  /** Returns the list with one more fill, behind the fills that begin at the same byte. */
  static InboundFill insert(@Nullable InboundFill first, InboundFill fill) {
    InboundFill before = null;
    InboundFill after = first;
    while (after != null && after.position() <= fill.position()) {
      before = after;
      after = after.next;
    }
    fill.next = after;
    if (before == null || first == null) {
      return fill;
    }
    before.next = fill;
    return first;
  }

  /** Returns the list without the fills taken back, which go to {@code inbox}. */
  static @Nullable InboundFill withoutTakenBack(@Nullable InboundFill first, WorkerInbox inbox) {
    InboundFill kept = null;
    InboundFill last = null;
    InboundFill fill = first;
    while (fill != null) {
      InboundFill following = fill.next;
      if (fill.isTakenBack()) {
        inbox.giveBack(fill);
      } else {
        fill.next = null;
        if (last == null) {
          kept = fill;
        } else {
          last.next = fill;
        }
        last = fill;
      }
      fill = following;
    }
    return kept;
  }
}
