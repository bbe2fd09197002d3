package io.millrace.path.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.access.admission.Caller;
import io.millrace.buffer.BlockPool;
import io.millrace.ends.FailureText;
import io.millrace.ends.LaneTask;
import io.millrace.ends.RequestBudget;
import io.millrace.ends.Submission;
import io.millrace.path.causality.SlotToken;
import io.millrace.path.packet.WorkerContext;
import io.millrace.protocol.transfer.ParkedCall;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.codec.CallStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call to be answered by an executor, or later by a handler of the worker. Pooled and filled by
 * the worker; then owned by the executor until the answer. The answer gives the call back to the
 * worker through the submission rings. Each use has a number: an answer names its use, and only the
 * first answer to an open use counts.
 *
 * <pre>
 * FREE -(worker fills it)-> OPEN -(first answer)-> ANSWERED -(worker takes it)-> FREE
 * </pre>
 */
public final class DeferredCall extends ParkedCall implements LaneTask, Submission {
  private static final VarHandle LIFE;
  private static final byte[] NO_BYTES = {};

  /** Shorter answers are not counted on their way to the worker. */
  private static final int SHORT_BYTES = 512;

  /** The node's memory or queue for requests refuses, and knows when another try may go well. */
  static final int BY_BUDGET = -1;

  private static final int FREE = 0;
  private static final int OPEN = 1;
  private static final int ANSWERED = 2;
  private static final int STATE_BITS = 2;
  private static final int STATE_MASK = (1 << STATE_BITS) - 1;

  static {
    try {
      LIFE = MethodHandles.lookup().findVarHandle(DeferredCall.class, "life", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Home worker;
  private InboundCall.@Nullable Answering answering;
  private DeferredAnswer.@Nullable Parties parties;

  /** The request, until the handler has read the parts that the handler wants. */
  private BlockPool.@Nullable Block block;

  /** The share of the memory budget with the request's memory until the answer. */
  private RequestBudget.@Nullable Share share;

  /** Memory set aside; 0 if no memory was left. */
  private int heldBytes;

  private int headersLength;
  private int payloadLength;
  private boolean isScreened;
  private @Nullable SlotToken token;

  /** The answer on its way to the worker; null before the answer. */
  private @Nullable Answer response;

  private volatile boolean abandoned;
  private volatile @Nullable Object work;

  // The number of the use above, the state of the use in the lowest bits. A single word, so that an
  // answer to an ended use never ends the next use.
  private volatile int life;

  /**
   * An answer, of an array or of a source.
   *
   * @param payload the text of a status other than {@code OK}; empty with a source
   * @param retryAfterMs of a refusal, the time after which another try may go well; 0 if unknown,
   *     {@link #BY_BUDGET} for the estimate of the node's {@link RequestBudget}
   */
  record Answer(
      CallStatus status,
      byte[] headers,
      byte[] payload,
      @Nullable BodySource source,
      Protection protection,
      int retryAfterMs) {
    private static Answer of(CallStatus status, byte[] headers, byte[] payload) {
      return new Answer(status, headers, payload, null, Protection.SEALED, 0);
    }

    private static Answer refused(String problem) {
      byte[] text = problem.getBytes(UTF_8);
      return new Answer(CallStatus.OVERLOADED, NO_BYTES, text, null, Protection.SEALED, BY_BUDGET);
    }

    /** Bytes in arrays. */
    private int bytes() {
      return headers.length + payload.length;
    }
  }

  /** The worker of the object. */
  interface Home {
    /** The services of the worker. */
    WorkerContext context();

    /** The object may serve another call. On the worker's thread. */
    void recycle(DeferredCall call);
  }

  DeferredCall(Home worker) {
    this.worker = worker;
  }

  /** Begins a use; an exception leaves nothing behind, and the object unused. */
  void start(InboundCall.Answering answering, InboundCall call, RequestBudget.Share share) {
    if ((life & STATE_MASK) != FREE) {
      throw new IllegalStateException("the call's object serves another call");
    }
    this.share = share;
    this.answering = answering;
    abandoned = false;
    work = null;
    isScreened = call.isScreened();
    token = call.token();
    heldBytes = Math.toIntExact(call.takeHeld());
    if (heldBytes == 0) {
      heldBytes = (int) share.reserve(call.headersLength() + call.payloadLength());
    }
    headersLength = heldBytes == 0 ? 0 : call.headersLength();
    payloadLength = heldBytes == 0 ? 0 : call.payloadLength();
    try {
      block = copyOf(call);
    } catch (RuntimeException | Error e) {
      giveMemoryBack();
      throw e;
    }
    life = ((life >>> STATE_BITS) + 1 << STATE_BITS) | OPEN;
  }

  private BlockPool.Block copyOf(InboundCall call) {
    BlockPool.Block copy = blocks().acquire(headersLength + payloadLength);
    call.buffer().getBytes(call.headersOffset(), copy.bytes(), 0, headersLength);
    call.buffer().getBytes(call.payloadOffset(), copy.bytes(), headersLength, payloadLength);
    return copy;
  }

  private BlockPool blocks() {
    return worker.context().blocks();
  }

  /** The right to answer this use of the call. To be taken before the answer. */
  public DeferredAnswer answers() {
    DeferredAnswer.Parties known = parties;
    return new DeferredAnswer(this, use(), known == null ? owner().parties(null) : known);
  }

  private int use() {
    return life >>> STATE_BITS;
  }

  boolean isOpen(int use) {
    return life == (use << STATE_BITS | OPEN);
  }

  /** The thread with the result true answers this use, and no other thread does. */
  private boolean claim(int use) {
    int open = use << STATE_BITS | OPEN;
    return LIFE.compareAndSet(this, open, use << STATE_BITS | ANSWERED);
  }

  /** The caller. */
  public Caller caller() {
    return owner().caller();
  }

  /** The handshake address under which this node knows the caller. */
  public String peer() {
    return owner().caller().peer();
  }

  private InboundCall.Answering owner() {
    InboundCall.Answering owner = answering;
    if (owner == null) {
      throw new IllegalStateException("the call was answered");
    }
    return owner;
  }

  /** The token of the call at this node; null if the caller wants no token. */
  public @Nullable SlotToken token() {
    return token;
  }

  /** The request's headers, copied. */
  public byte[] headers() {
    return Arrays.copyOf(request(), headersLength);
  }

  /** The request's payload, copied. */
  public byte[] payload() {
    return Arrays.copyOfRange(request(), headersLength, headersLength + payloadLength);
  }

  /**
   * The handler has read the request, which is empty from here on: a call waiting for an answer
   * holds no part of the request. On the executor, before the answer.
   */
  public void forgetRequest() {
    letGo();
    headersLength = 0;
    payloadLength = 0;
    token = null;
  }

  private byte[] request() {
    BlockPool.Block present = block;
    return present == null ? NO_BYTES : present.bytes();
  }

  private void letGo() {
    BlockPool.Block request = block;
    block = null;
    if (request != null) {
      blocks().release(request);
    }
  }

  /** Whether the request came as a body whose headers have passed the handler's screen. */
  public boolean isScreened() {
    return isScreened;
  }

  /**
   * Runs {@code handler} on its lane. Without memory for the request, with a full lane or after a
   * refusal by the executor, the call is answered {@code OVERLOADED}. On the worker's thread.
   */
  public void handOver(DeferredHandler handler) {
    parties = owner().parties(handler);
    int use = use();
    String problem = heldBytes == 0 ? RequestBudget.FULL : share().handOver(handler.lane(), this);
    if (problem != null && claim(use)) {
      finish(Answer.refused(problem));
      onTaken(0);
    }
  }

  /**
   * Leaves the answer to a handler that has read the request on the worker's thread: the call keeps
   * no part of the request. Without memory for the request the call is answered {@code OVERLOADED}.
   * On the worker's thread.
   *
   * @return null if the call was answered
   */
  public @Nullable DeferredAnswer leave() {
    if (heldBytes == 0) {
      int use = use();
      if (claim(use)) {
        finish(Answer.refused(RequestBudget.FULL));
        onTaken(0);
      }
      return null;
    }
    forgetRequest();
    return answers();
  }

  private RequestBudget.Share share() {
    return Objects.requireNonNull(share);
  }

  private void giveMemoryBack() {
    Answer given = response;
    response = null;
    if (given != null && given.bytes() > SHORT_BYTES) {
      share().onAnswering(-given.bytes());
    }
    if (heldBytes != 0) {
      share().giveBack(heldBytes);
      heldBytes = 0;
    }
  }

  /** As described at {@link DeferredAnswer#awaits}. */
  void awaits(Object work) {
    this.work = work;
    if (abandoned) {
      handler().onAbandoned(work);
    }
  }

  @Override
  public int level() {
    return priority();
  }

  /** Whether no caller waits for the answer any more. */
  @Override
  public boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public void onAbandoned() {
    abandoned = true;
    Object present = work;
    if (present != null && parties != null) {
      DeferredHandler told = handler();
      told.lane().give(LaneTask.always(() -> told.onAbandoned(present)));
    }
  }

  private DeferredHandler handler() {
    DeferredHandler current = parties == null ? null : parties.handler();
    if (current == null) {
      throw new IllegalStateException("the call was not handed over");
    }
    return current;
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  /** Runs the handler; an exception becomes the answer, unless the handler has answered before. */
  @Override
  public void run() {
    share().onTaken(level());
    DeferredAnswer answer = answers();
    if (abandoned) {
      answer.fail(CallStatus.CANCELLED, "");
      return;
    }
    if (!owner().canExecute(share())) {
      answer.fail(CallStatus.OVERLOADED, InboundCall.ANSWERS_WAIT);
      return;
    }
    try {
      handler().onCall(this, answer);
    } catch (RuntimeException | Error e) {
      answer.fail(CallStatus.HANDLER_FAILED, FailureText.of(e));
    }
  }

  /**
   * The executor refuses; answered through the rings, since this may be another worker's thread.
   */
  @Override
  public void onRejected() {
    share().onTaken(level());
    fail(use(), CallStatus.OVERLOADED, "the executor refuses tasks", 0);
  }

  boolean answer(int use, byte[] headers, byte[] payload) {
    Objects.requireNonNull(headers);
    Objects.requireNonNull(payload);
    boolean isFirst = claim(use);
    if (isFirst) {
      finish(Answer.of(CallStatus.OK, headers, payload));
      worker.context().giveBack(this);
    }
    return isFirst;
  }

  boolean answer(int use, byte[] headers, BodySource source, Protection protection) {
    Objects.requireNonNull(headers);
    boolean isFirst = claim(use);
    if (isFirst) {
      finish(new Answer(CallStatus.OK, headers, NO_BYTES, source, protection, 0));
      worker.context().giveBack(this);
    } else {
      worker.context().bodies().letGo(source);
    }
    return isFirst;
  }

  boolean fail(int use, CallStatus status, String text, int retryAfterMs) {
    byte[] told = text.getBytes(UTF_8);
    boolean isFirst = claim(use);
    if (isFirst) {
      finish(new Answer(status, NO_BYTES, told, null, Protection.SEALED, retryAfterMs));
      worker.context().giveBack(this);
    }
    return isFirst;
  }

  private void finish(Answer given) {
    response = given;
    letGo();
    if (given.bytes() > SHORT_BYTES) {
      share().onAnswering(given.bytes());
    }
  }

  @Override
  public void onTaken(long nowNs) {
    if ((life & STATE_MASK) != ANSWERED) {
      throw new IllegalStateException("a call came back without an answer, or came back twice");
    }
    InboundCall.Answering owner = owner();
    Answer given = Objects.requireNonNull(response);
    answering = null;
    parties = null;
    work = null;
    token = null;
    giveMemoryBack();
    life = use() << STATE_BITS | FREE;
    ServedCall call = owner.resume(this);
    worker.recycle(this);
    if (call == null || owner.isOver()) {
      letGo(given);
    }
    if (owner.isOver()) {
      return;
    }
    try {
      owner.onDeferredAnswer(call, given);
    } catch (RuntimeException | Error e) {
      owner.onFault(e);
    }
  }

  @Override
  public void onRefused(CallOutcome outcome, String text) {
    // The worker and its paths are gone: nobody waits for the answer.
    Answer given = response;
    giveMemoryBack();
    if (given != null) {
      letGo(given);
    }
  }

  private void letGo(Answer unwanted) {
    BodySource source = unwanted.source();
    if (source != null) {
      worker.context().bodies().letGo(source);
    }
  }
}
