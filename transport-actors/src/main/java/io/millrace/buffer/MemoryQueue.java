package io.millrace.buffer;

import io.millrace.buffer.MemoryWaiter.Wait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which waiter gets memory next. Blocks are set aside for waiters in the order of their
 * arrival, and a later request takes no block of a size that an earlier waiter waits for. A waiter
 * with an exhausted share is passed over until bytes of the share are given back. A waiter for more
 * blocks than a buffer has collects the blocks. While nobody else waits, the waiter collects all
 * freed blocks, else up to half of the free blocks after each other waiter that got blocks of this
 * size. So neither large nor small waits last for ever, and while a large wait collects, the other
 * waits go on. The full size of a collecting wait counts in its share from the begin of the
 * collection.
 *
 * <p>Any thread; a thread that finds nobody serving serves the queue, also for waiters that come
 * meanwhile, so that nobody waits for a lock. Between two rounds any thread may take over, so that
 * a steady flow of waiters does not keep a thread.
 */
final class MemoryQueue {
  private final BlockPile[] piles;
  private final int mostBlocks;
  private final Consumer<MemoryWaiter> telling;
  private final Queue<Wait> entering = new ConcurrentLinkedQueue<>();
  private final Queue<Wait> ended = new ConcurrentLinkedQueue<>();
  private final Queue<BufferShare> relieved = new ConcurrentLinkedQueue<>();
  private final Queue<Wait> told = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger turns = new AtomicInteger();
  private volatile boolean closed;
  private volatile int openClasses;
  private volatile boolean isCollecting;

  // Touched only by the serving thread.
  private final List<WaitLine> lines = new ArrayList<>();
  private final WaitLine collecting = new WaitLine();
  private final Set<BufferShare> crowded = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean isCollectorsTurn;
  private boolean isUnsettled;
  private long waits;

  /**
   * A queue without waiters.
   *
   * @param mostBlocks blocks of the largest class beyond which a wait collects
   * @param telling tells a waiter; does not throw
   */
  MemoryQueue(BlockPile[] piles, int mostBlocks, Consumer<MemoryWaiter> telling) {
    this.piles = piles;
    this.mostBlocks = mostBlocks;
    this.telling = telling;
    openClasses = piles.length;
    for (int i = 0; i < piles.length; i++) {
      lines.add(new WaitLine());
    }
  }

  /** Whether a request without a wait may take this number of blocks of a class. */
  boolean isOpen(int classIndex, int blocks) {
    return classIndex < openClasses && !(isCollecting && blocks > mostBlocks);
  }

  /** Adds a wait. */
  void add(Wait wait) {
    waiting.incrementAndGet();
    entering.add(wait);
    serve();
  }

  /** A wait ended before the queue granted memory to the wait. */
  void onEnded(Wait wait) {
    ended.add(wait);
    serve();
  }

  /** A share has less in use; the queue is to be served. */
  void onRelieved(BufferShare share) {
    relieved.add(share);
  }

  /** The queue hands out nothing any more: all waiters are told. */
  void close() {
    closed = true;
    serve();
  }

  /** Memory was freed, or a wait has ended. */
  void serve() {
    if (waiting.get() == 0 || turns.getAndIncrement() != 0) {
      return;
    }
    boolean isMissed = true;
    while (isMissed) {
      int seen = turns.get();
      do {
        isUnsettled = false;
        serveOnce();
      } while (isUnsettled);
      isMissed = turns.getAndSet(0) != seen;
      tell();
      // The round may have missed a wait that came meanwhile; any thread that comes from here on
      // serves this wait as well.
      isMissed = isMissed && turns.getAndIncrement() == 0;
    }
  }

  private void tell() {
    Wait next = told.poll();
    while (next != null) {
      telling.accept(next.waiter());
      next = told.poll();
    }
  }

  private void serveOnce() {
    admit();
    if (closed) {
      lines.forEach(this::endAll);
      endAll(collecting);
    }
    boolean goesOn = true;
    while (goesOn) {
      goesOn = collect() || grantOldest() || completeCollection();
    }
    openClasses = openClasses();
    isCollecting = !collecting.isEmpty();
  }

  private void admit() {
    Wait wait = entering.poll();
    while (wait != null) {
      enter(wait);
      wait = entering.poll();
    }
    wait = ended.poll();
    while (wait != null) {
      leave(wait);
      wait = ended.poll();
    }
    BufferShare share = relieved.poll();
    while (share != null) {
      unpark(share);
      share = relieved.poll();
    }
    while (closed && !crowded.isEmpty()) {
      unpark(crowded.iterator().next());
    }
  }

  private void enter(Wait wait) {
    if (wait.isOpen()) {
      wait.number(waits++);
      line(wait).addLast(wait);
    } else {
      over(wait);
    }
  }

  /** The wait leaves its place, which may have been a turn in its share. */
  private void leave(Wait wait) {
    BufferShare share = wait.waiter().share();
    WaitLine line = wait.line();
    if (line == null) {
      return;
    }
    if (share == null || !share.remove(wait)) {
      line.remove(wait);
    } else if (share.isOpen()) {
      crowded.remove(share);
    }
    over(wait);
  }

  /** The wait is in no line and will have no memory. */
  private void over(Wait wait) {
    waiting.decrementAndGet();
    drop(wait);
    passOn(wait.waiter().share());
  }

  private WaitLine line(Wait wait) {
    return blocksOf(wait, top()) > mostBlocks ? collecting : lines.get(wait.firstClass());
  }

  /** A single wait at a time, so that a share with many waits costs no more than another. */
  private void unpark(BufferShare share) {
    Wait wait = share.unpark();
    if (share.isOpen()) {
      crowded.remove(share);
    }
    if (wait != null) {
      wait.setReturned(true);
      enter(wait);
    }
  }

  private void endAll(WaitLine line) {
    Wait wait = line.poll();
    while (wait != null) {
      waiting.decrementAndGet();
      drop(wait);
      if (wait.end()) {
        told.add(wait);
      }
      wait = line.poll();
    }
  }

  /** Gives the oldest satisfiable wait its memory; false without such a wait. */
  private boolean grantOldest() {
    int open = piles.length;
    while (open > 0) {
      Wait wait = oldest(open);
      if (wait == null) {
        return false;
      }
      if (isSettled(wait, open)) {
        return true;
      }
      open = wait.firstClass();
    }
    return false;
  }

  private @Nullable Wait oldest(int open) {
    Wait oldest = null;
    for (int i = 0; i < open; i++) {
      Wait first = lines.get(i).first();
      if (first != null && (oldest == null || first.number() < oldest.number())) {
        oldest = first;
      }
    }
    return oldest;
  }

  /**
   * Whether the wait left its line: the wait has memory, or has ended, or its share is exhausted.
   */
  private boolean isSettled(Wait wait, int open) {
    WaitLine line = lines.get(wait.firstClass());
    BufferShare share = wait.waiter().share();
    if (!wait.isOpen()) {
      line.remove(wait);
      over(wait);
      return true;
    }
    if (share != null && !share.isOpen() && !wait.isReturned()) {
      // Earlier waits of the same share are parked, and an earlier wait will pass the turn on.
      line.remove(wait);
      share.park(wait);
      return true;
    }
    for (int i = wait.firstClass(); i < open; i++) {
      int blocks = blocksOf(wait, i);
      long bytes = (long) blocks * piles[i].blockBytes();
      if (share != null && !share.reserve(i, bytes)) {
        line.remove(wait);
        park(wait, share, i, bytes);
        return true;
      }
      if (piles[i].free().tryCount(blocks)) {
        isCollectorsTurn |= i == top();
        line.remove(wait);
        grant(wait, i, blocks);
        passOn(share);
        return true;
      }
      if (share != null) {
        share.giveBack(i, bytes);
      }
    }
    return false;
  }

  private void park(Wait wait, BufferShare share, int classIndex, long bytes) {
    crowded.add(share);
    share.park(wait);
    // Bytes given back before the wait was visible here would otherwise go unnoticed.
    if (share.reserve(classIndex, bytes)) {
      share.giveBack(classIndex, bytes);
      isUnsettled = true;
    }
  }

  /** A wait of this share has ended: the next wait may have the bytes left over. */
  private void passOn(@Nullable BufferShare share) {
    if (share != null && !share.isOpen()) {
      relieved.add(share);
      isUnsettled = true;
    }
  }

  private void grant(Wait wait, int classIndex, int blocks) {
    waiting.decrementAndGet();
    wait.setAside(classIndex, blocks);
    if (wait.grant()) {
      told.add(wait);
    } else {
      letGo(wait);
      giveBackShare(wait, blocks);
    }
  }

  private void giveBackShare(Wait wait, int blocks) {
    BufferShare share = wait.waiter().share();
    if (share != null) {
      int index = wait.classIndex();
      share.giveBack(index, (long) blocks * piles[index].blockBytes());
    }
  }

  /** The blocks set aside for an ended wait are free again. */
  private void letGo(Wait wait) {
    piles[wait.classIndex()].free().uncount(wait.blocks());
  }

  /**
   * A wait goes before its collection is complete; the full size counts if the wait was counted.
   */
  private void drop(Wait wait) {
    letGo(wait);
    if (wait.isCounted()) {
      giveBackShare(wait, blocksOf(wait, top()));
    }
  }

  /** Sets blocks aside for the first collecting wait; true if the wait left its line. */
  private boolean collect() {
    Wait wait = collecting.first();
    if (wait == null) {
      return false;
    }
    if (!wait.isOpen()) {
      collecting.remove(wait);
      over(wait);
      return true;
    }
    if (!isCounted(wait)) {
      return true;
    }
    boolean isAlone = openClasses() == piles.length;
    int free = piles[top()].free().available();
    if (free == 0 || (!isAlone && !isCollectorsTurn)) {
      return false;
    }
    isCollectorsTurn = false;
    return collect(wait, isAlone ? free : (free + 1) / 2);
  }

  /**
   * Whether the share has room for the full size of the wait; without room, the wait parks in the
   * share.
   */
  private boolean isCounted(Wait wait) {
    BufferShare share = wait.waiter().share();
    if (share == null || wait.isCounted()) {
      return true;
    }
    if (!share.isOpen() && !wait.isReturned()) {
      collecting.remove(wait);
      share.park(wait);
      return false;
    }
    long bytes = (long) blocksOf(wait, top()) * piles[top()].blockBytes();
    if (!share.reserve(top(), bytes)) {
      collecting.remove(wait);
      park(wait, share, top(), bytes);
      return false;
    }
    wait.setAside(top(), 0);
    wait.setCounted();
    return true;
  }

  /**
   * Completes a collection with free blocks that other waits cannot use yet, if these are the last
   * blocks that the collection lacks.
   */
  private boolean completeCollection() {
    Wait wait = collecting.first();
    int free = piles[top()].free().available();
    return wait != null && free >= lacking(wait) && collect(wait, free);
  }

  private boolean collect(Wait wait, int free) {
    int more = Math.min(free, lacking(wait));
    if (piles[top()].free().tryCount(more)) {
      wait.setAside(top(), wait.blocks() + more);
    }
    if (lacking(wait) > 0) {
      return false;
    }
    collecting.remove(wait);
    grant(wait, top(), wait.blocks());
    passOn(wait.waiter().share());
    return true;
  }

  private int lacking(Wait wait) {
    return blocksOf(wait, top()) - wait.blocks();
  }

  private int top() {
    return piles.length - 1;
  }

  private int openClasses() {
    int open = 0;
    while (open < piles.length && lines.get(open).isEmpty()) {
      open++;
    }
    return open;
  }

  private int blocksOf(Wait wait, int classIndex) {
    return piles[classIndex].blocksOf(wait.sizeBytes());
  }
}
