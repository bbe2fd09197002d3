package io.millrace.path.peer;

import io.millrace.body.BodyTerms;
import io.millrace.body.SharedPayload;
import io.millrace.path.call.PeerCall;
import io.millrace.path.call.RequestBody;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A call, or a bulk write if the call has a source, that remembers its end and can throw on demand.
 */
public final class TestCall extends PeerCall {
  public final boolean throwing;
  public @Nullable CallOutcome outcome;
  public String text = "";
  public int endings;

  public TestCall(PeerLink link, long route, int payloadBytes) {
    this(link, route, payloadBytes, false);
  }

  public TestCall(PeerLink link, long route, int payloadBytes, boolean throwing) {
    this(link, route, new byte[payloadBytes], throwing);
  }

  public TestCall(PeerLink link, long route, byte[] payload, boolean throwing) {
    super(link, route, 3, new byte[0], payload);
    this.throwing = throwing;
  }

  public TestCall(
      PeerLink link, long route, int priority, byte[] payload, @Nullable BodySource source) {
    super(link, route, priority, new byte[0], payload);
    throwing = false;
    if (source != null) {
      sendBody(
          new RequestBody() {
            @Override
            public BodySource source() {
              return source;
            }
          });
    }
  }

  /** A bulk write of a payload sealed for several calls; takes over a hold. */
  public TestCall(PeerLink link, long route, SharedPayload shared) {
    super(link, route, 3, new byte[0], new byte[0]);
    throwing = false;
    sendBody(
        new RequestBody() {
          @Override
          public SharedPayload shared() {
            return shared;
          }
        });
  }

  @Override
  public int pattern() {
    return isBody() ? BodyTerms.PATTERN_BULK : 0;
  }

  @Override
  public void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    end(outcome, "");
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    end(CallOutcome.OK, "");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    end(outcome, text);
  }

  public boolean isSentAsBody() {
    return request() != null;
  }

  private void end(CallOutcome outcome, String text) {
    this.outcome = outcome;
    this.text = text;
    endings++;
    if (throwing) {
      throw new IllegalStateException("planted in a completion");
    }
  }
}
