package io.millrace.api.actor;

import io.millrace.actor.body.BodyTarget;
import io.millrace.api.bulk.BulkOffer;
import java.util.Objects;

/**
 * A bulk write that an actor takes or refuses: with {@link #accept} or {@link #fail}. Any thread.
 */
public final class IncomingWrite extends Incoming<BodyTarget> {
  private final BulkOffer offer;

  IncomingWrite(BulkOffer offer) {
    this.offer = offer;
  }

  /** Who writes, and what. */
  public BulkOffer offer() {
    return offer;
  }

  /**
   * The bytes go here; the target then belongs to the transfer. If the write was decided already
   * the target is aborted.
   */
  public void accept(BodyTarget target) {
    if (!decide(Objects.requireNonNull(target, "target"))) {
      target.abort(new ActorFailedException("the write was decided already"));
    }
  }
}
