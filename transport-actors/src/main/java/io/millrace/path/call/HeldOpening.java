package io.millrace.path.call;

import io.millrace.ends.RequestHold;
import io.millrace.protocol.causality.HeldTransfer;
import io.millrace.protocol.transfer.ServedWork;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream that a peer has opened, until it is over; perhaps it is not offered to anybody yet,
 * because others must be answered first: then it keeps its inline credit; rule D-7. On the worker's
 * thread.
 */
final class HeldOpening extends HeldTransfer implements ServedWork {
  private final @Nullable RequestHold memory;
  private final Consumer<HeldOpening> abandoned;
  private int costBytes;
  private @Nullable Runnable offer;
  private @Nullable Consumer<String> refuse;

  /**
   * A stream.
   *
   * @param memory set aside for its request, or null
   * @param costBytes what the opening keeps of inline credit until it is offered
   * @param abandoned is told when the stream is over
   */
  HeldOpening(@Nullable RequestHold memory, int costBytes, Consumer<HeldOpening> abandoned) {
    this.memory = memory;
    this.costBytes = costBytes;
    this.abandoned = abandoned;
  }

  /** It has to wait; one of the two is run when it need not any more. */
  void await(Runnable offer, Consumer<String> refuse) {
    this.offer = offer;
    this.refuse = refuse;
  }

  /** Whether the stream was over before it was offered. */
  boolean isOver() {
    return offer == null;
  }

  void offer() {
    Objects.requireNonNull(offer).run();
  }

  void refuse(String text) {
    Objects.requireNonNull(refuse).accept(text);
  }

  /** What it keeps of inline credit; nothing from here on. */
  int takeCost() {
    int taken = costBytes;
    costBytes = 0;
    return taken;
  }

  @Override
  public void onAbandoned() {
    offer = null;
    refuse = null;
    abandoned.accept(this);
    if (memory != null) {
      memory.release();
    }
  }
}
