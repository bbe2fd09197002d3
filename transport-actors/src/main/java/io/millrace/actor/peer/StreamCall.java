package io.millrace.actor.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.config.TransportSettings;
import io.millrace.protocol.transfer.CallOutcome;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A stream that this node opens, from its submission to the end of both flows. It holds a slot like
 * a unary call and ends with its path like one; rules S-1 and S-10.
 */
public final class StreamCall extends PeerCall {
  private final int pattern;
  private final ElementStream ends;
  private @Nullable PathStream stream;

  /**
   * A stream to the peer of {@code handle}.
   *
   * @param pattern one of {@link io.millrace.protocol.stream.StreamPattern}
   * @param payload the request of a streaming response, otherwise empty
   */
  public StreamCall(
      PeerHandle handle,
      int pattern,
      long route,
      int priority,
      byte[] headers,
      byte[] payload,
      TransportSettings settings) {
    super(handle.link(), route, priority, headers, payload);
    this.pattern = pattern;
    ends = new ElementStream(handle.port(), priority, settings, /* isServed= */ false);
  }

  /** The application's side. */
  public ElementStream ends() {
    return ends;
  }

  @Override
  public int pattern() {
    return pattern;
  }

  @Nullable PathStream stream() {
    return stream;
  }

  void stream(PathStream opened) {
    stream = opened;
  }

  /** The peer answered before there was a stream: it does not want one. */
  @Override
  public void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    byte[] text = new byte[payloadLength];
    buffer.getBytes(payloadOffset, text);
    onFailure(refusal(outcome), new String(text, UTF_8));
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    onFailure(CallOutcome.PEER_RESET, "the peer answered a stream with a message");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    PathStream opened = stream;
    if (opened != null) {
      opened.onGone();
    }
    ends.fail(outcome, text);
  }

  /** Both flows end here so, and the peer is told of both. */
  void giveUp(CallOutcome outcome, String text) {
    ends.giveUp(outcome, text);
  }

  private static CallOutcome refusal(CallOutcome outcome) {
    return outcome == CallOutcome.OK ? CallOutcome.PEER_RESET : outcome;
  }
}
