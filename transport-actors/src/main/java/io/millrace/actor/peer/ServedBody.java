package io.millrace.actor.peer;

import io.millrace.actor.body.BodyOpener;
import io.millrace.actor.body.OutboundBody;
import io.millrace.protocol.transfer.ServedCall;
import org.jspecify.annotations.Nullable;

/** The bodies of one call that this node serves. Worker's thread only. */
final class ServedBody {
  final ServedCall call;
  final long transferId;
  @Nullable BodyOpener request;
  @Nullable OutboundBody response;

  ServedBody(ServedCall call) {
    this.call = call;
    transferId = call.transferId();
  }
}
