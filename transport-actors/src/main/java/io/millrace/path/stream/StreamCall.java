package io.millrace.path.stream;

import io.millrace.config.TransportSettings;
import io.millrace.ends.ElementStream;
import io.millrace.ends.WorkerInbox;
import io.millrace.path.call.CallLink;
import io.millrace.path.call.PeerCall;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PeerText;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A stream opened by this node, from the submission to the end of both flows. The call holds a slot
 * and ends with its path, like a unary call; rules S-1 and S-10.
 */
public final class StreamCall extends PeerCall {
  private final int pattern;
  private final ElementStream ends;
  private @Nullable PathStream stream;

  /**
   * The opening of a stream.
   *
   * @param route the route's id
   * @param priority 0 to 7
   * @param headers the headers of the request
   * @param payload the request of a streaming response, otherwise empty
   */
  public record Opening(long route, int priority, byte[] headers, byte[] payload) {}

  /**
   * A stream to the peer of {@code link}.
   *
   * @param pattern a pattern of {@link io.millrace.protocol.stream.StreamPattern}
   * @param worker takes the signals of the stream's stages
   */
  public StreamCall(
      CallLink link, WorkerInbox worker, int pattern, Opening opening, TransportSettings settings) {
    super(link, opening.route(), opening.priority(), opening.headers(), opening.payload());
    this.pattern = pattern;
    ends = new ElementStream(worker, opening.priority(), settings, /* isServed= */ false);
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

  /** The peer answered before the stream was open: the peer refuses the stream. */
  @Override
  public void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    String text = PeerText.of(buffer, payloadOffset, payloadLength);
    PathStream opened = stream;
    if (opened != null && opened.owesCost()) {
      opened.onRefused();
      ends.fail(refusal(outcome), text);
    } else {
      onFailure(refusal(outcome), text);
    }
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    throw new IllegalStateException("the response of a stream is no body");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    PathStream opened = stream;
    if (opened != null) {
      opened.onGone();
    }
    ends.fail(outcome, text);
  }

  private static CallOutcome refusal(CallOutcome outcome) {
    return outcome == CallOutcome.OK ? CallOutcome.PEER_RESET : outcome;
  }
}
