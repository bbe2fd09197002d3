package io.millrace.api.actor;

import io.millrace.actor.body.BodySource;
import io.millrace.api.bulk.BulkOffer;
import java.util.Objects;

/** A bulk read that an actor allows or refuses: with {@link #open} or {@link #fail}. Any thread. */
public final class IncomingRead extends Incoming<BodySource> {
  private final BulkOffer offer;

  IncomingRead(BulkOffer offer) {
    this.offer = offer;
  }

  /** Who reads, and what. */
  public BulkOffer offer() {
    return offer;
  }

  /**
   * The bytes come from here; the source then belongs to the transfer. If the read was decided
   * already the source is closed.
   */
  public void open(BodySource source) {
    if (!decide(Objects.requireNonNull(source, "source"))) {
      source.close();
    }
  }
}
