package io.millrace.path.peer;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.SendBuffer;
import io.millrace.path.packet.ControlPackets;
import io.millrace.path.packet.WorkerContext;
import io.millrace.wire.PacketHeader;
import java.util.ArrayDeque;
import java.util.function.LongPredicate;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayQueue;

/**
 * Answers packets of paths unknown to every worker of this node with UNKNOWN_PATH_SECRET; rules U-1
 * and U-2. The answer is shorter than any packet, at most {@value #PER_SECOND} answers leave in a
 * second, and so strangers gain nothing by asking. On the worker's thread; control plane,
 * allocates.
 */
public final class UnknownPaths {
  /** The most answers of one worker in a second. */
  static final int PER_SECOND = 1_000;

  private static final long SECOND_NS = 1_000_000_000L;
  private static final int MOST_ENDED = 1_024;
  private static final long NEVER = Long.MIN_VALUE;

  /** A number that is no path's id. */
  private static final long NO_PATH = 0;

  private static final int BURST = PER_SECOND / 10;
  private static final long PERIOD_NS = SECOND_NS / PER_SECOND;

  private final WorkerContext worker;
  private final ControlPackets controls;

  /**
   * Paths ended just now, by id, with the time of the end: the peers of these paths are being told
   * of the end.
   */
  private final Long2LongHashMap ended = new Long2LongHashMap(NEVER);

  /** The ids of these paths, in the order of their ends. */
  private final LongArrayQueue endedIds = new LongArrayQueue(NO_PATH);

  private final ArrayDeque<Answer> waiting = new ArrayDeque<>(BURST);

  /** The time until the bucket of answers is full, as of {@link #asOfNs}. */
  private long missingNs;

  private long asOfNs;

  /** Whether another worker of this node has the secret of this id. */
  private LongPredicate isKnownElsewhere = pathId -> false;

  private record Answer(int endpoint, EndpointAddress to, long pathId, long packetNumber) {}

  UnknownPaths(WorkerContext worker, ControlPackets controls) {
    this.worker = worker;
    this.controls = controls;
  }

  /** {@code predicate} knows the secrets of all workers of the node. */
  public void onNodeSecrets(LongPredicate predicate) {
    isKnownElsewhere = predicate;
  }

  /**
   * Packets under this secret belong to an ended path, and the path's peer is told of the end for a
   * while.
   */
  void onEnded(long pathId, long nowNs) {
    if (endedIds.size() == MOST_ENDED) {
      ended.remove(endedIds.removeLong());
    }
    if (pathId != NO_PATH && ended.put(pathId, nowNs) == NEVER) {
      endedIds.addLong(pathId);
    }
  }

  private boolean isToldOtherwise(long pathId, long nowNs) {
    long endedNs = ended.get(pathId);
    return endedNs != NEVER && nowNs - endedNs < SECOND_NS;
  }

  /**
   * Answers the present datagram, with the next {@link #post}, if the driver knows the datagram's
   * source. A packet of another worker's path came to the wrong address: the packet gets no answer,
   * and costs as much.
   */
  void answer(long pathId, long packetNumber, long nowNs) {
    if (!mayAnswer(nowNs) || isToldOtherwise(pathId, nowNs)) {
      return;
    }
    EndpointAddress source = worker.network().receiveSource();
    if (source != null) {
      missingNs += PERIOD_NS;
      if (!isKnownElsewhere.test(pathId)) {
        waiting.addLast(new Answer(worker.network().polled(), source, pathId, packetNumber));
      }
    }
  }

  /** Posts the waiting answers, or loses them; returns the number of these answers. */
  public int post(long nowNs) {
    int posted = 0;
    Answer answer;
    while ((answer = waiting.pollFirst()) != null) {
      post(answer, nowNs);
      posted++;
    }
    return posted;
  }

  private boolean mayAnswer(long nowNs) {
    missingNs = Math.max(0, missingNs - Math.max(0, nowNs - asOfNs));
    asOfNs = nowNs;
    return missingNs <= (BURST - 1) * PERIOD_NS;
  }

  private void post(Answer answer, long nowNs) {
    SendBuffer buffer = controls.take(answer.endpoint());
    if (buffer == null) {
      return;
    }
    long proof = worker.terms().tokens().of(answer.pathId()).proofOf(answer.packetNumber());
    int length = PacketHeader.UNKNOWN_LENGTH;
    PacketHeader.encodeUnknown(buffer.buffer(), 0, answer.pathId(), answer.packetNumber(), proof);
    try {
      worker.network().postOnce(answer.endpoint(), answer.to(), buffer, length);
    } catch (DriverException e) {
      controls.giveBack(answer.endpoint(), buffer);
      return;
    }
    worker.schedule().of(answer.endpoint()).shaper().onUrgent(length, nowNs);
    worker.counters().unknownSecretsSent++;
  }
}
