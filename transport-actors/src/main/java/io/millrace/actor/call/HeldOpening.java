package io.millrace.actor.call;

import io.millrace.protocol.causality.HeldTransfer;
import java.util.function.Consumer;

/**
 * A stream that is open and not offered to anybody yet, because others must be answered first; rule
 * D-7. On the worker's thread.
 */
final class HeldOpening extends HeldTransfer {
  private final Runnable offer;
  private final Consumer<String> refuse;

  HeldOpening(Runnable offer, Consumer<String> refuse) {
    this.offer = offer;
    this.refuse = refuse;
  }

  void offer() {
    offer.run();
  }

  void refuse(String text) {
    refuse.accept(text);
  }
}
