package io.millrace.path.call;

import io.millrace.body.BodyListener;
import io.millrace.body.BodyOpener;
import io.millrace.body.BodyServices;
import io.millrace.body.BodyTerms;
import io.millrace.body.MessageAssembly;
import io.millrace.ends.TaskSubmission;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.path.packet.WorkerContext;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.ResetReason;
import org.jspecify.annotations.Nullable;

/**
 * Responses of one path received as bodies: the takers of the bodies, and the end of the call at
 * the end of the body. Listeners run on an executor; all else on the worker's thread.
 */
final class ResponseBodies {
  private final PathPackets path;
  private final PathFrames frames;
  private final PathCalls calls;
  private final PathBodies requests;
  private final WorkerContext worker;
  private final BodyServices bodies;

  ResponseBodies(PathPackets path, PathCalls calls, PathBodies requests) {
    this.path = path;
    this.calls = calls;
    this.requests = requests;
    frames = path.frames();
    worker = path.worker();
    bodies = worker.bodies();
  }

  /**
   * Begins the body of a response; null if nobody waits for the response. A stream has no such
   * response; rule S-1.
   */
  @Nullable BodyOpener begin(BodyTerms terms) {
    PeerCall call = (PeerCall) calls.find(terms.transferId());
    if (call == null) {
      return null;
    }
    if (StreamPattern.isStream(call.pattern())) {
      throw new ProtocolViolationException("the peer answered a stream with a body");
    }
    calls.promises().onBody(call, terms.bodyBytes());
    if (call.isGivenUp()) {
      calls.onLateBody(call);
      return null;
    }
    BodyOpener opener =
        new BodyOpener(bodies, responseListener(call), worker::giveBack, terms, requests.share());
    call.response(opener);
    return opener;
  }

  private BodyListener responseListener(PeerCall call) {
    return new ResponseBody(
        call instanceof BodyListener wanted ? wanted : new Assembled(call), call);
  }

  /** Ends the call on the worker when its response body has ended on the executor. */
  private final class ResponseBody implements BodyListener {
    private final BodyListener wanted;
    private final PeerCall call;

    private ResponseBody(BodyListener wanted, PeerCall call) {
      this.wanted = wanted;
      this.call = call;
    }

    @Override
    public @Nullable BodyTarget onHeaders(BodyOpener opener, byte[] headers, long payloadBytes) {
      return wanted.onHeaders(opener, headers, payloadBytes);
    }

    @Override
    public void onDelivered(long payloadBytes) {
      try {
        onEnded(call, true, "");
      } finally {
        wanted.onDelivered(payloadBytes);
      }
    }

    @Override
    public void onFailed(CallOutcome outcome, String text) {
      try {
        onEnded(call, false, text);
      } finally {
        wanted.onFailed(outcome, text);
      }
    }
  }

  /** Puts the response of a unary call together. */
  private final class Assembled extends MessageAssembly {
    private final PeerCall call;

    private Assembled(PeerCall call) {
      super(bodies, requests.share());
      this.call = call;
    }

    @Override
    protected void onMessage(byte[] headers, byte[] payload) {
      call.onMessage(headers, payload);
    }

    @Override
    public void onFailed(CallOutcome outcome, String text) {
      call.onFailure(ofResponse(outcome), text);
    }

    /** An outcome that means "not executed" for a request means a lost answer for a response. */
    private static CallOutcome ofResponse(CallOutcome outcome) {
      return switch (outcome) {
        case OVERLOADED -> CallOutcome.RESPONSE_DROPPED;
        case PAYLOAD_TOO_LARGE -> CallOutcome.RESPONSE_TOO_LARGE;
        default -> outcome;
      };
    }
  }

  private void onEnded(PeerCall call, boolean isWhole, String text) {
    worker.giveBack(
        new TaskSubmission(
            call.priority(),
            () -> {
              try {
                end(call, isWhole, text);
              } catch (RuntimeException | Error e) {
                path.onFault(e);
              }
            }));
  }

  private void end(PeerCall call, boolean isWhole, String text) {
    call.onOutcome(isWhole ? CallOutcome.OK : CallOutcome.PEER_RESET);
    if (calls.end(call) && !isWhole) {
      frames.sendRare(
          new FlowResetFrame(
              call.transferId(), WriteFlags.RESPONSE, ResetReason.TARGET_FAILED, text));
    }
    requests.stopRequest(call);
    if (!isWhole) {
      requests.discard(call.response());
    }
  }
}
