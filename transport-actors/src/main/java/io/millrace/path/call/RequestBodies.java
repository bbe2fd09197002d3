package io.millrace.path.call;

import io.millrace.access.CallPattern;
import io.millrace.body.BodyAcceptor;
import io.millrace.body.BodyListener;
import io.millrace.body.BodyOpener;
import io.millrace.body.BodyServices;
import io.millrace.body.BodyTerms;
import io.millrace.body.MessageAssembly;
import io.millrace.body.OfferedBody;
import io.millrace.body.RequestScreen;
import io.millrace.ends.RequestBudget;
import io.millrace.ends.RequestHold;
import io.millrace.ends.TaskSubmission;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.PathContext;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.path.packet.WorkerContext;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one path received as bodies: the takers of the bodies, and the answers to the calls
 * at the end of their bodies. Listeners run on an executor; all else on the worker's thread.
 */
final class RequestBodies {
  private final PathContext path;
  private final WorkerCalls shared;
  private final PathCalls calls;
  private final PathBodies all;
  private final WorkerContext worker;
  private final BodyServices bodies;

  RequestBodies(PathContext path, WorkerCalls shared, PathCalls calls, PathBodies all) {
    this.path = path;
    this.shared = shared;
    this.calls = calls;
    this.all = all;
    worker = path.worker();
    bodies = worker.bodies();
  }

  /** Begins the body of a request; null if the request is not new, or nobody serves the request. */
  @Nullable BodyOpener begin(BodyTerms terms) {
    return switch (calls.served().onRequest(terms.transferId(), terms.priority())) {
      case NEW -> {
        all.onSlotTaken(TransferId.slot(terms.transferId()));
        worker.counters().requestsServed++;
        worker
            .counters()
            .data()
            .transferServed(path.pathId(), terms.transferId(), terms.priority(), terms.bodyBytes());
        yield startServing(calls.serving().servedCall(terms.transferId()), terms);
      }
      case DUPLICATE, STALE -> null;
      case BEYOND_LIMIT ->
          throw new ProtocolViolationException(PathServing.beyondLimit(terms.transferId()));
    };
  }

  private @Nullable BodyOpener startServing(ServedCall call, BodyTerms terms) {
    if (worker.isDraining()) {
      return refuse(call, terms, CallStatus.SHUTTING_DOWN, StreamOpenings.DRAINING);
    }
    String denial = denial(terms);
    if (denial != null) {
      return refuse(call, terms, CallStatus.NOT_AUTHORISED, denial);
    }
    BodyListener listener = listener(call, terms);
    if (listener == null) {
      String asked =
          terms.pattern() == BodyTerms.PATTERN_BULK
              ? CallPattern.BULK_WRITE.text()
              : CallRoutes.SINGLE_REQUEST;
      String problem = shared.routes().unserved(terms.route(), asked);
      return refuse(call, terms, CallStatus.UNKNOWN_ROUTE, problem);
    }
    if (listener instanceof Reserving request && !request.reserve()) {
      return refuse(call, terms, CallStatus.OVERLOADED, RequestBudget.FULL);
    }
    BodyOpener opener = new BodyOpener(bodies, listener, worker::giveBack, terms, all.share());
    all.onRequest(call, opener);
    return opener;
  }

  private @Nullable BodyOpener refuse(
      ServedCall call, BodyTerms terms, CallStatus status, String text) {
    refuse(call, isOpening(terms), status, text);
    return null;
  }

  /** Answers the call with a status; {@code isOpening} for the opening of a stream. */
  private void refuse(ServedCall call, boolean isOpening, CallStatus status, String text) {
    if (isOpening) {
      calls.streams().onRefusal(call.transferId());
    }
    calls.serving().answer(call, status, text);
  }

  private static boolean isOpening(BodyTerms terms) {
    return terms.pattern() != BodyTerms.PATTERN_BULK && StreamOpenings.isStream(terms.pattern());
  }

  /** Ahead of memory, keys and the application: no byte of a denied request is taken. */
  private @Nullable String denial(BodyTerms terms) {
    if (terms.pattern() == BodyTerms.PATTERN_BULK) {
      return path.access().denial(terms.route(), CallPattern.BULK_WRITE);
    }
    if (isOpening(terms)) {
      return path.access().streamDenial(terms.route(), terms.pattern());
    }
    InboundHandler handler = shared.routes().find(terms.route());
    return handler == null ? null : path.access().denial(terms.route(), handler.pattern());
  }

  private @Nullable BodyListener listener(ServedCall call, BodyTerms terms) {
    CallRoutes routes = shared.routes();
    if (terms.pattern() == BodyTerms.PATTERN_BULK) {
      BodyAcceptor acceptor = routes.findAcceptor(terms.route());
      return acceptor == null ? null : new BulkWrite(call, acceptor, terms.headersBytes());
    }
    if (isOpening(terms)) {
      // A caller of an unserved route or pattern is told so after the opening is whole, as for an
      // opening in a frame.
      RequestScreen screen = calls.streams().screen(terms.route(), terms.pattern());
      return new Request(call, null, screen, terms);
    }
    InboundHandler handler = routes.find(terms.route());
    return handler == null ? null : new Request(call, handler, handler.screen(), terms);
  }

  /** A request with memory set aside at the beginning of its body. */
  private interface Reserving {
    /** Sets the memory aside; false without enough memory. */
    boolean reserve();
  }

  /**
   * A unary request, or the opening of a stream, put together from a body and handled as any other
   * request.
   */
  private final class Request extends MessageAssembly implements Reserving {
    private final ServedCall call;
    private final long transferId;
    private final @Nullable InboundHandler handler;
    private final RequestScreen screen;
    private final BodyTerms terms;

    /** Memory set aside until the answer, or until the failure of the body; null before. */
    private @Nullable RequestHold memory;

    private Request(
        ServedCall call, @Nullable InboundHandler handler, RequestScreen screen, BodyTerms terms) {
      super(bodies, all.share());
      this.terms = terms;
      this.call = call;
      this.transferId = call.transferId();
      this.handler = handler;
      this.screen = screen;
    }

    /** Sets memory aside for the request; no memory for a length that is refused anyway. */
    @Override
    public boolean reserve() {
      boolean isMessage = terms.bodyBytes() <= bodies.settings().messageBytes();
      long bytes = isMessage ? Math.max(0, terms.bodyBytes()) : 0;
      memory = calls.serving().requests().hold(bytes);
      return memory != null;
    }

    private RequestHold memory() {
      return Objects.requireNonNull(memory);
    }

    @Override
    protected boolean isWanted(byte[] headers, long payloadBytes, Consumer<String> refusing) {
      return screen.takes(
          path.access().caller(), terms.priority(), headers, payloadBytes, refusing);
    }

    @Override
    protected void onMessage(byte[] headers, byte[] payload) {
      tell(call.priority(), () -> onWhole(headers, payload), memory()::release);
    }

    private void onWhole(byte[] headers, byte[] payload) {
      if (isOpen(call, transferId)) {
        // The handler may take long; the assembly of the request is not kept for so long.
        all.onRequestTaken(transferId);
        serve(headers, payload);
      } else {
        memory().release();
      }
    }

    private void serve(byte[] headers, byte[] payload) {
      worker.counters().payloadBytesDelivered += headers.length + payload.length;
      if (handler == null) {
        StreamOpenings.Opening opening =
            new StreamOpenings.Opening(
                terms.route(),
                terms.pattern(),
                headers,
                payload,
                /* isScreened= */ true,
                null,
                memory());
        calls.serving().open(call, opening);
        return;
      }
      byte[] both = payload;
      if (headers.length > 0) {
        both = new byte[headers.length + payload.length];
        System.arraycopy(headers, 0, both, 0, headers.length);
        System.arraycopy(payload, 0, both, headers.length, payload.length);
      }
      InboundCall inbound = shared.inbound();
      inbound.show(0, headers.length, headers.length, payload.length);
      inbound.screened();
      inbound.held(memory().take());
      calls.serving().serve(handler, call, new SegmentBuffer(both), 0);
    }

    @Override
    public void onFailed(CallOutcome outcome, String text) {
      memory().release();
      tellFailure(call, transferId, isOpening(terms), outcome, text);
    }
  }

  /** A bulk write: the answer says that all bytes are at their place. */
  private final class BulkWrite extends OfferedBody implements Reserving {
    private final ServedCall call;
    private final long transferId;
    private final int headersBytes;

    /** Set aside for the headers, for the acceptor to keep; null before the offer. */
    private @Nullable RequestHold memory;

    private BulkWrite(ServedCall call, BodyAcceptor acceptor, int headersBytes) {
      super(acceptor, path.access().caller(), call.priority());
      this.call = call;
      this.transferId = call.transferId();
      this.headersBytes = headersBytes;
    }

    @Override
    public boolean reserve() {
      memory = calls.serving().requests().hold(headersBytes);
      return memory != null;
    }

    @Override
    protected void onStored(long payloadBytes, byte[] headers) {
      Objects.requireNonNull(memory).release();
      tell(
          call.priority(),
          () -> {
            worker.counters().payloadBytesDelivered += payloadBytes;
            if (isOpen(call, transferId)) {
              byte[] text = PathBodies.bytes(Long.toString(payloadBytes));
              calls.serving().answer(call, headers, text);
            }
          });
    }

    @Override
    public void onFailed(CallOutcome outcome, String text) {
      Objects.requireNonNull(memory).release();
      tellFailure(call, transferId, /* isOpening= */ false, outcome, text);
    }
  }

  private void tellFailure(
      ServedCall call, long transferId, boolean isOpening, CallOutcome outcome, String text) {
    tell(
        call.priority(),
        () -> {
          all.onRequestFailed(transferId);
          if (isOpen(call, transferId)) {
            refuse(call, isOpening, statusOf(outcome), text);
          }
        });
  }

  private static CallStatus statusOf(CallOutcome outcome) {
    return switch (outcome) {
      case REFUSED -> CallStatus.REFUSED;
      case TARGET_FAILED -> CallStatus.TARGET_FAILED;
      case SOURCE_FAILED -> CallStatus.SOURCE_FAILED;
      case NOT_AUTHENTIC -> CallStatus.NOT_AUTHENTIC;
      case OVERLOADED -> CallStatus.OVERLOADED;
      case PAYLOAD_TOO_LARGE -> CallStatus.PAYLOAD_TOO_LARGE;
      default -> CallStatus.HANDLER_FAILED;
    };
  }

  /** Whether the call is still this call and waits for an answer. */
  private boolean isOpen(ServedCall call, long transferId) {
    ServedCall open =
        calls.served().find(TransferId.slot(transferId), TransferId.generation(transferId));
    return open == call && !call.isAnswered() && !path.isEnded();
  }

  private void tell(int priority, Runnable task) {
    tell(priority, task, () -> {});
  }

  /**
   * An exception of the task stays with the path, whose end answers the calls left open; {@code
   * refused} runs instead of the task after the worker's end.
   */
  private void tell(int priority, Runnable task, Runnable refused) {
    worker.giveBack(
        new TaskSubmission(
            priority,
            () -> {
              try {
                task.run();
              } catch (RuntimeException | Error e) {
                path.onFault(e);
              }
            },
            refused));
  }
}
