package io.millrace.path.call;

import io.millrace.path.packet.InlineCredit;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.protocol.congestion.AnswerLengths;
import io.millrace.protocol.congestion.AnswerSchedule;
import io.millrace.protocol.recovery.RttEstimator;
import io.millrace.protocol.transfer.InlineCost;
import io.millrace.protocol.transfer.OutboundCall;
import io.millrace.protocol.transfer.ServedCall;
import org.jspecify.annotations.Nullable;

/**
 * The grants for answers that go with the requests of one path; rule C-10. Foresees nothing where
 * the setting is off or nothing is bounded. {@link AnswerGrants} has the grants of the peer. On the
 * worker's thread; does not allocate in the steady state.
 */
final class AnswerPromises implements AnswerSchedule.Owner {
  private static final String NO_GRANT = "an answer went by a grant that its request did not have";

  /** Longer bodies count as this long. */
  private static final int MOST_BODY_BYTES = 1 << 30;

  private final PathPackets path;
  private final InlineCredit credit;
  private final AnswerSchedule schedule;
  private final @Nullable AnswerLengths lengths;

  AnswerPromises(PathPackets path, WorkerCalls worker) {
    this.path = path;
    credit = path.credit();
    schedule = path.worker().receiveBudget().answers();
    lengths = worker.answerLengths();
  }

  /**
   * A request waits to go: makes room for a grant if the answer is foreseen and not free. An answer
   * of level 0 must not wait behind the answers that other calls foresee, so its request has no
   * grant.
   */
  void onOpening(OutboundCall call) {
    AnswerLengths known = lengths;
    if (known != null && call.pattern() == 0 && call.wantedPriority() > 0) {
      int most = path.size().maxFrameBytes();
      int answer = known.forecastBytes(call.route());
      boolean isFrame = ServedCall.encodedLength(answer - InlineCost.of(0, 0)) <= most;
      boolean hasRoom = call.encodedLength() + OutboundCall.GRANT_LENGTH <= most;
      if (answer > 0 && isFrame && hasRoom && known.isTimely(call.route())) {
        AnswerSchedule.Promise promise = schedule.prepare(this);
        if (promise != null) {
          call.promise(promise);
        }
      }
    }
  }

  /** The request goes now, for the first time. */
  void onFirstSent(OutboundCall call) {
    AnswerSchedule.Promise promise = call.promise();
    AnswerLengths known = lengths;
    if (promise != null && known != null) {
      RttEstimator rtt = path.recovery().rtt();
      long rttNs = rtt.hasSample() ? rtt.minNs() : 0;
      schedule.promise(promise, known.forecastBytes(call.route()), rttNs, path.nowNs());
    }
  }

  /** An answer came in a frame. */
  void onAnswer(OutboundCall call, int headersLength, int payloadLength, boolean isByGrant) {
    int cost = InlineCost.ofAnswer(headersLength, payloadLength);
    AnswerSchedule.Promise promise = call.promise();
    if (isByGrant) {
      if (promise == null || !promise.covers(cost)) {
        throw new ProtocolViolationException(NO_GRANT);
      }
    } else {
      credit.account(cost);
    }
    learn(call.route(), cost);
    if (isByGrant && lengths != null) {
      lengths.onTimely(call.route());
    }
    if (promise != null) {
      schedule.onAnswer(promise, cost, path.nowNs());
    }
  }

  /** An answer of this length, headers included, begins to come as a body. */
  void onBody(OutboundCall call, long bytes) {
    int cost = InlineCost.ofAnswer(0, Math.clamp(bytes, 0, MOST_BODY_BYTES));
    learn(call.route(), cost);
    AnswerSchedule.Promise promise = call.promise();
    if (promise != null) {
      if (lengths != null && cost <= promise.toldBytes()) {
        lengths.onLate(call.route());
      }
      schedule.onMissed(promise);
    }
  }

  private void learn(long route, int cost) {
    if (lengths != null) {
      lengths.onAnswer(route, cost);
    }
  }

  /** The call has ended: no answer comes any more. */
  void release(OutboundCall call) {
    AnswerSchedule.Promise promise = call.promise();
    if (promise != null) {
      call.dropPromise();
      if (promise.pulledBytes() > 0) {
        credit.onPulledOver(promise.pulledBytes());
      }
      schedule.release(promise);
    }
  }

  @Override
  public void onPulled(int bytes) {
    credit.onPulled(bytes);
  }
}
