package io.millrace.protocol.region;

/**
 * The received bytes of a fill: a prefix and a bounded number of intervals behind the prefix. Owned
 * by a {@link ReceiveRegion}. No clock; does not allocate after construction.
 */
final class ReceivedRanges {
  static final int MAX_GAPS = 32;

  // Pairs of start (inclusive) and end (exclusive): ascending, apart, and beyond the prefix.
  private final int[] bounds = new int[2 * (MAX_GAPS + 1)];
  private int count;
  private int prefix;
  private int total;

  /** Bytes in all. */
  int totalBytes() {
    return total;
  }

  /** Whether everything before this position has arrived. */
  boolean covers(int end) {
    return prefix >= end;
  }

  /** Received bytes before this position. */
  int bytesBefore(int end) {
    int sum = Math.min(prefix, end);
    for (int i = 0; i < count && start(i) < end; i++) {
      sum += Math.min(end(i), end) - start(i);
    }
    return sum;
  }

  void clear() {
    count = 0;
    prefix = 0;
    total = 0;
  }

  /** Notes bytes: returns how many are new, or -1 when that would leave too many gaps. */
  int add(int at, int length) {
    final int end = at + length;
    int fresh;
    if (at <= prefix) {
      fresh = extendPrefix(end);
    } else {
      fresh = insert(at, end);
    }
    total += Math.max(fresh, 0);
    assert invariantsHold();
    return fresh;
  }

  /** Forgets bytes, received or not: returns the number of received bytes among them. */
  int remove(int at, int length) {
    final int end = at + length;
    final int before = total;
    if (prefix > at) {
      final int oldPrefix = prefix;
      prefix = at;
      total -= Math.min(oldPrefix, end) - at;
      if (oldPrefix > end) {
        open(0);
        set(0, end, oldPrefix);
      }
    }
    for (int i = count - 1; i >= 0; i--) {
      cut(i, at, end);
    }
    while (count > MAX_GAPS) {
      count--;
      total -= end(count) - start(count);
    }
    assert invariantsHold();
    return before - total;
  }

  private void cut(int i, int at, int end) {
    final int low = Math.max(start(i), at);
    final int high = Math.min(end(i), end);
    if (low >= high) {
      return;
    }
    final int oldStart = start(i);
    final int oldEnd = end(i);
    total -= high - low;
    if (oldStart == low && oldEnd == high) {
      close(i, i + 1);
    } else if (oldStart == low) {
      set(i, high, oldEnd);
    } else {
      set(i, oldStart, low);
      if (high < oldEnd) {
        open(i + 1);
        set(i + 1, high, oldEnd);
      }
    }
  }

  private int extendPrefix(int end) {
    if (end <= prefix) {
      return 0;
    }
    int newPrefix = end;
    int known = 0;
    int i = 0;
    while (i < count && start(i) <= newPrefix) {
      known += end(i) - start(i);
      newPrefix = Math.max(newPrefix, end(i));
      i++;
    }
    close(0, i);
    final int fresh = newPrefix - prefix - known;
    prefix = newPrefix;
    return fresh;
  }

  private int insert(int at, int end) {
    int first = count;
    while (first > 0 && end(first - 1) >= at) {
      first--;
    }
    int last = first;
    int known = 0;
    int low = at;
    int high = end;
    while (last < count && start(last) <= end) {
      known += end(last) - start(last);
      low = Math.min(low, start(last));
      high = Math.max(high, end(last));
      last++;
    }
    if (first == last) {
      if (count == MAX_GAPS) {
        return -1;
      }
      open(first);
    } else {
      close(first + 1, last);
    }
    set(first, low, high);
    return high - low - known;
  }

  private int start(int i) {
    return bounds[2 * i];
  }

  private int end(int i) {
    return bounds[2 * i + 1];
  }

  private void set(int i, int start, int end) {
    bounds[2 * i] = start;
    bounds[2 * i + 1] = end;
  }

  private void open(int i) {
    System.arraycopy(bounds, 2 * i, bounds, 2 * i + 2, 2 * (count - i));
    count++;
  }

  private void close(int from, int to) {
    System.arraycopy(bounds, 2 * to, bounds, 2 * from, 2 * (count - to));
    count -= to - from;
  }

  private boolean invariantsHold() {
    int sum = prefix;
    int floor = prefix;
    for (int i = 0; i < count; i++) {
      assert start(i) > floor && end(i) > start(i);
      floor = end(i);
      sum += end(i) - start(i);
    }
    assert sum == total && count <= MAX_GAPS;
    return true;
  }
}
