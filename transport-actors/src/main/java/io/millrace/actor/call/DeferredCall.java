package io.millrace.actor.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.actor.causality.SlotToken;
import io.millrace.actor.packet.WorkerContext;
import io.millrace.actor.submission.FailureText;
import io.millrace.actor.submission.LaneTask;
import io.millrace.actor.submission.Submission;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedWork;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.codec.CallStatus;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call that an executor answers. Pooled by its worker, which fills it; then owned by the executor
 * until it is answered, which gives it back to the worker through the submission rings. It is what
 * hears of the end of its handler's work, too: a call that waits for its answer is to be small.
 */
public final class DeferredCall
    implements LaneTask, Submission, ServedWork, BiConsumer<@Nullable Object, @Nullable Throwable> {
  private static final byte[] NO_BYTES = {};

  /** Shorter answers are not counted while they are on their way to the worker. */
  private static final int SHORT_BYTES = 512;

  private static final Protection[] PROTECTIONS = Protection.values();

  private final WorkerContext worker;
  private final Consumer<DeferredCall> pool;
  private InboundCall.@Nullable Answering answering;
  private @Nullable ServedCall served;
  private @Nullable DeferredHandler handler;

  /** Where memory for the request is set aside until the answer. */
  private RequestBudget.@Nullable Share share;

  /** Memory set aside; 0 if there was none left. */
  private long heldBytes;

  /** Bytes of the answer while it is on its way to the worker. */
  private int answeringBytes;

  /** The request; from the answer on, the payload of that. */
  private byte[] block = NO_BYTES;

  private int headersLength;
  private int payloadLength;
  private boolean isScreened;
  private @Nullable SlotToken token;
  private byte status;
  private byte responseProtection;
  private byte[] responseHeaders = NO_BYTES;
  private @Nullable BodySource responseSource;
  private volatile boolean abandoned;
  private volatile @Nullable Object work;

  DeferredCall(WorkerContext worker, Consumer<DeferredCall> pool) {
    this.worker = worker;
    this.pool = pool;
  }

  void start(
      InboundCall.Answering answering,
      ServedCall served,
      InboundCall call,
      RequestBudget.Share share) {
    this.share = share;
    this.answering = answering;
    this.served = served;
    abandoned = false;
    work = null;
    isScreened = call.isScreened();
    token = call.token();
    heldBytes = call.takeHeld();
    if (heldBytes == 0) {
      heldBytes = share.reserve(call.headersLength() + call.payloadLength());
    }
    headersLength = heldBytes == 0 ? 0 : call.headersLength();
    payloadLength = heldBytes == 0 ? 0 : call.payloadLength();
    block = worker.blocks().acquire(headersLength + payloadLength);
    call.buffer().getBytes(call.headersOffset(), block, 0, headersLength);
    call.buffer().getBytes(call.payloadOffset(), block, headersLength, payloadLength);
  }

  /** Identity of the caller. */
  public String peer() {
    return owner().peer();
  }

  private InboundCall.Answering owner() {
    InboundCall.Answering owner = answering;
    if (owner == null) {
      throw new IllegalStateException("the call was answered");
    }
    return owner;
  }

  /** What names the call at this node; null if its caller wants no token. */
  public @Nullable SlotToken token() {
    return token;
  }

  /** The request's headers, copied. */
  public byte[] headers() {
    return Arrays.copyOf(block, headersLength);
  }

  /** The request's payload, copied. */
  public byte[] payload() {
    return Arrays.copyOfRange(block, headersLength, headersLength + payloadLength);
  }

  /**
   * The handler has what it wants of the request, which is empty from here on: a call that waits
   * for its answer holds none of it. On the executor, before the answer.
   */
  public void forgetRequest() {
    letGo(NO_BYTES);
    headersLength = 0;
    payloadLength = 0;
    token = null;
  }

  private void letGo(byte[] next) {
    byte[] request = block;
    block = next;
    worker.blocks().release(request);
  }

  /** Whether the request came as a body whose headers have passed the handler's screen. */
  public boolean isScreened() {
    return isScreened;
  }

  /**
   * Runs {@code handler} on its lane; when there is no memory for the request, the lane is full or
   * the executor refuses, the call is answered {@code OVERLOADED}. On the worker's thread.
   */
  public void handOver(DeferredHandler handler) {
    this.handler = handler;
    String problem = heldBytes == 0 ? RequestBudget.FULL : share().handOver(handler.lane(), this);
    if (problem != null) {
      finish(CallStatus.OVERLOADED, NO_BYTES, problem.getBytes(UTF_8));
      onTaken(0);
    }
  }

  private RequestBudget.Share share() {
    return Objects.requireNonNull(share);
  }

  private void giveMemoryBack() {
    if (answeringBytes > SHORT_BYTES) {
      share().onAnswering(-answeringBytes);
    }
    answeringBytes = 0;
    if (heldBytes != 0) {
      share().giveBack(heldBytes);
      heldBytes = 0;
    }
  }

  /**
   * What its handler is told of, perhaps twice, if the caller gives the call up or goes; the answer
   * is to come all the same. On the executor, before the handler can answer.
   */
  public void awaits(Object work) {
    this.work = work;
    if (abandoned) {
      handler().onAbandoned(work);
    }
  }

  @Override
  public void onAbandoned() {
    abandoned = true;
    Object present = work;
    DeferredHandler told = handler;
    if (present != null && told != null) {
      told.lane().give(LaneTask.always(() -> told.onAbandoned(present)));
    }
  }

  /** The work of its handler has ended; any thread. */
  @Override
  public void accept(@Nullable Object response, @Nullable Throwable failure) {
    handler().onEnd(this, response, failure);
  }

  private DeferredHandler handler() {
    DeferredHandler current = handler;
    if (current == null) {
      throw new IllegalStateException("the call was not handed over");
    }
    return current;
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  /** Runs the handler; what it throws becomes the answer. */
  @Override
  public void run() {
    share().onTaken();
    if (abandoned) {
      fail(CallStatus.CANCELLED, "");
      return;
    }
    if (!owner().canExecute(share())) {
      fail(CallStatus.OVERLOADED, InboundCall.ANSWERS_WAIT);
      return;
    }
    try {
      handler().onCall(this);
    } catch (RuntimeException | Error e) {
      fail(FailureText.of(e));
    }
  }

  /**
   * The executor refuses; answered through the rings, since this may be another worker's thread.
   */
  @Override
  public void onRejected() {
    share().onTaken();
    finish(CallStatus.OVERLOADED, NO_BYTES, "the executor refuses tasks".getBytes(UTF_8));
    worker.giveBack(this);
  }

  /** Answers; any thread, once. The arrays belong to the call afterwards. */
  public void answer(byte[] headers, byte[] payload) {
    finish(CallStatus.OK, Objects.requireNonNull(headers), Objects.requireNonNull(payload));
    worker.giveBack(this);
  }

  /** Answers with what a source yields, of any length, protected so; any thread, once. */
  public void answer(byte[] headers, BodySource source, Protection protection) {
    responseSource = source;
    responseProtection = (byte) protection.ordinal();
    finish(CallStatus.OK, headers, NO_BYTES);
    worker.giveBack(this);
  }

  /** Answers that the call is not wanted; any thread, once. */
  public void refuse(String text) {
    fail(CallStatus.REFUSED, text);
  }

  /** Answers that the handler failed; any thread, once. */
  public void fail(String text) {
    fail(CallStatus.HANDLER_FAILED, text);
  }

  /** Answers with a status that is not {@code OK}, and why; any thread, once. */
  public void fail(CallStatus status, String text) {
    finish(status, NO_BYTES, text.getBytes(UTF_8));
    worker.giveBack(this);
  }

  private void finish(CallStatus status, byte[] headers, byte[] payload) {
    this.status = (byte) status.value();
    responseHeaders = headers;
    letGo(payload);
    answeringBytes = headers.length + payload.length;
    if (answeringBytes > SHORT_BYTES) {
      share().onAnswering(answeringBytes);
    }
  }

  @Override
  public int priority() {
    ServedCall current = served;
    return current == null ? 0 : current.priority();
  }

  @Override
  public void onTaken(long nowNs) {
    InboundCall.Answering owner = answering;
    ServedCall call = served;
    byte[] headers = responseHeaders;
    byte[] payload = block;
    BodySource source = responseSource;
    CallStatus answered = CallStatus.get((short) (status & 0xFF));
    Protection protection = PROTECTIONS[responseProtection];
    answering = null;
    served = null;
    handler = null;
    work = null;
    responseSource = null;
    responseHeaders = NO_BYTES;
    block = NO_BYTES;
    giveMemoryBack();
    pool.accept(this);
    if (owner == null || call == null || owner.isOver()) {
      if (source != null) {
        worker.bodies().letGo(source);
      }
    } else {
      try {
        if (source != null) {
          owner.onDeferredSource(call, headers, source, protection);
        } else {
          owner.onDeferredAnswer(call, answered, headers, payload);
        }
      } catch (RuntimeException | Error e) {
        owner.onFault(e);
      }
    }
  }

  @Override
  public void onRefused(CallOutcome outcome, String text) {
    // The worker is gone and its paths with it: nobody waits for the answer.
    giveMemoryBack();
    if (responseSource != null) {
      worker.bodies().letGo(responseSource);
    }
  }
}
