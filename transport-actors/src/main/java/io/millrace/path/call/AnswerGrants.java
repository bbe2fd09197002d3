package io.millrace.path.call;

import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedCalls;
import io.millrace.protocol.transfer.TransferId;
import java.util.Arrays;
import java.util.function.Consumer;
import org.agrona.collections.LongArrayQueue;

/**
 * The grants for answers that came with the requests of one path; rule C-10. Sends an answer by its
 * grant, holds the answer back until its time, or sends the answer by credit. {@link
 * AnswerPromises} has the other direction. On the worker's thread; allocates only while the number
 * of open calls with grants grows.
 */
final class AnswerGrants implements TimerHandler {
  private static final int FIRST_SLOTS = 16;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MOST_DELAY_US = 4_000_000;

  private final PathPackets path;
  private final PathFrames frames;
  private final ServedCalls served;
  private final Consumer<ServedCall> asBody;
  private final int limit;
  private final Timer timer = new Timer(this, 0);
  private final LongArrayQueue held = new LongArrayQueue();

  // For each slot of a call.
  private int[] generations = {};
  private int[] bytes = {};
  private long[] dueNs = {};
  private long[] endNs = {};

  /** No request has come. Answers that have to ask for memory go to {@code asBody}. */
  AnswerGrants(PathPackets path, ServedCalls served, Consumer<ServedCall> asBody) {
    this.path = path;
    this.served = served;
    this.asBody = asBody;
    frames = path.frames();
    limit = path.worker().settings().limits().concurrentTransfers();
  }

  /** A request has come, perhaps again, with a grant for its answer. */
  void onGrant(long transferId, int grantedBytes, long delayUs, long withinUs) {
    int slot = TransferId.slot(transferId);
    int generation = TransferId.generation(transferId);
    boolean isTaken = grantedBytes > 0 && delayUs <= MOST_DELAY_US;
    if (!isTaken || slot < 0 || slot >= limit || !served.isAhead(transferId)) {
      return;
    }
    if (slot >= generations.length) {
      grow(slot);
    }
    generations[slot] = generation;
    bytes[slot] = grantedBytes;
    dueNs[slot] = path.nowNs() + delayUs * NANOS_PER_MICRO;
    endNs[slot] = dueNs[slot] + withinUs * NANOS_PER_MICRO;
  }

  /** Sends an answer, now or at the time that the caller wants. */
  void send(ServedCall call) {
    call.setCosting(frames.answersCost());
    boolean isFrame = call.encodedLength() <= path.size().maxFrameBytes();
    if (isFrame && call.costBytes() > 0 && isGranted(call)) {
      sendByGrant(call);
    } else if (isFrame && frames.isWorthWaiting(call)) {
      queue(call);
    } else {
      asBody.accept(call);
    }
  }

  private boolean isGranted(ServedCall call) {
    int slot = TransferId.slot(call.transferId());
    return slot < generations.length
        && generations[slot] == TransferId.generation(call.transferId())
        && call.costBytes() <= bytes[slot]
        && path.nowNs() <= endNs[slot];
  }

  private void sendByGrant(ServedCall call) {
    long waitNs = dueNs[TransferId.slot(call.transferId())] - path.nowNs();
    if (waitNs <= 0) {
      call.goByGrant();
      queue(call);
    } else if (frames.isWorthWaiting(call)) {
      queue(call);
    } else {
      held.addLong(call.transferId());
      wakeAt(path.nowNs() + waitNs);
    }
  }

  private void queue(ServedCall call) {
    frames.queue(call);
    call.tellAnswered(true);
  }

  private void wakeAt(long deadlineNs) {
    if (deadlineNs < timer.deadlineNs()) {
      path.worker().time().paced().schedule(timer, deadlineNs);
    }
  }

  /**
   * The peer told a limit: held answers may have credit. Goes up to the first answer that has to
   * wait on, because each packet may bring a limit.
   */
  void onCredit() {
    while (!held.isEmpty() && sendIfReady(held.peekLong())) {
      held.pollLong();
    }
  }

  @Override
  public void onTimer(Timer fired, long firedNs) {
    if (!path.isOver()) {
      try {
        path.touch();
        sendHeld();
      } catch (RuntimeException | Error e) {
        path.onFault(e);
      }
    }
  }

  /** Looks at each held answer once; answers that are still early are held again. */
  private void sendHeld() {
    long nextNs = Long.MAX_VALUE;
    for (int left = held.size(); left > 0; left--) {
      long transferId = held.pollLong();
      if (!sendIfReady(transferId)) {
        held.addLong(transferId);
        nextNs = Math.min(nextNs, dueNs[TransferId.slot(transferId)]);
      }
    }
    if (!held.isEmpty()) {
      wakeAt(nextNs);
    }
  }

  /** Returns false if the answer has neither time nor credit; sends the answer if still wanted. */
  private boolean sendIfReady(long transferId) {
    int slot = TransferId.slot(transferId);
    ServedCall call = served.find(slot, TransferId.generation(transferId));
    if (call == null || call.isObsolete() || !call.isAnswered()) {
      return true;
    }
    if (dueNs[slot] > path.nowNs() && !frames.isWorthWaiting(call)) {
      return false;
    }
    send(call);
    return true;
  }

  /** The path is over. */
  void close() {
    held.clear();
    path.worker().time().paced().cancel(timer);
  }

  private void grow(int slot) {
    int length = Math.min(limit, Math.max(Math.max(slot + 1, FIRST_SLOTS), generations.length * 2));
    generations = Arrays.copyOf(generations, length);
    bytes = Arrays.copyOf(bytes, length);
    dueNs = Arrays.copyOf(dueNs, length);
    endNs = Arrays.copyOf(endNs, length);
  }
}
