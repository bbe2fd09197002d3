package io.millrace.testkit.internal.path;

import io.millrace.body.ArraySource;
import io.millrace.body.BodyTerms;
import io.millrace.body.SharedPayload;
import io.millrace.path.call.CallLink;
import io.millrace.path.call.PeerCall;
import io.millrace.path.call.RequestBody;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PeerText;
import io.millrace.wire.RouteId;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** A unary call or a bulk write of a pair; keeps its outcome and its response. */
public final class RecordedCall extends PeerCall {
  static final int PRIORITY = 3;
  private static final byte[] NO_BYTES = {};

  private @Nullable CallOutcome outcome;
  private String text = "";
  private byte[] response = NO_BYTES;

  private RecordedCall(CallLink link, RouteId route, byte[] payload) {
    super(link, route.id(), PRIORITY, NO_BYTES, payload);
  }

  static RecordedCall unary(CallLink link, RouteId route, byte[] payload) {
    return new RecordedCall(link, route, payload);
  }

  static RecordedCall write(CallLink link, RouteId route, byte[] payload) {
    RecordedCall call = new RecordedCall(link, route, NO_BYTES);
    call.sendBody(
        new RequestBody() {
          @Override
          public BodySource source() {
            return new ArraySource(payload, 0, payload.length);
          }
        });
    return call;
  }

  /** A bulk write whose payload {@link #share} gives before the call is submitted. */
  static RecordedCall broadcast(CallLink link, RouteId route) {
    return new RecordedCall(link, route, NO_BYTES);
  }

  /** The payload, sealed for several writes; the call takes over one hold of the payload. */
  void share(SharedPayload payload) {
    sendBody(
        new RequestBody() {
          @Override
          public SharedPayload shared() {
            return payload;
          }
        });
  }

  /** The outcome of the call; null before its end. */
  public @Nullable CallOutcome outcome() {
    return outcome;
  }

  /** The reason of a failure, for a person; empty without a failure. */
  public String text() {
    return text;
  }

  /** The payload of the response; empty before the end of the call and after a failure. */
  public byte[] response() {
    return response.clone();
  }

  @Override
  public int pattern() {
    return isBody() ? BodyTerms.PATTERN_BULK : 0;
  }

  @Override
  public void onResponse(
      CallOutcome how,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    if (how == CallOutcome.OK) {
      byte[] payload = new byte[payloadLength];
      buffer.getBytes(payloadOffset, payload);
      onMessage(NO_BYTES, payload);
    } else {
      onFailure(how, PeerText.of(buffer, payloadOffset, payloadLength));
    }
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    outcome = CallOutcome.OK;
    response = payload;
  }

  @Override
  public void onFailure(CallOutcome how, String why) {
    outcome = how;
    text = why;
  }
}
