package io.millrace.path.call;

import io.millrace.body.BodyOpener;
import io.millrace.body.OutboundBody;
import io.millrace.transfer.Protection;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link PeerCall} whose request or answer is a body, or may become one. Apart from
 * the call, because most open calls have frames alone. Owned by the call.
 */
final class CallBodies {
  /** The payload that never goes in a frame, or null. */
  @Nullable RequestBody body;

  /** The request sent as a body and not yet taken over whole by the peer, or null. */
  @Nullable OutboundBody request;

  /** The opener of the answer's body, or null. */
  @Nullable BodyOpener response;

  /** The protection of a payload sent as a body and not sealed before. */
  Protection protection = Protection.SEALED;

  /** Bytes of the answer's headers and payload; 0 if unknown. */
  long expectedResponseBytes;
}
