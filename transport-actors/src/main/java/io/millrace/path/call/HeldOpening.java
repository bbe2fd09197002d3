package io.millrace.path.call;

import io.millrace.ends.RequestHold;
import io.millrace.protocol.causality.HeldTransfer;
import io.millrace.protocol.transfer.ServedWork;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream opened by a peer, until the stream's end. A stream that waits for answers to other calls
 * is not offered to the application yet, and keeps its inline credit; rule D-7. On the worker's
 * thread.
 */
final class HeldOpening extends HeldTransfer implements ServedWork {
  private final @Nullable RequestHold memory;
  private final Consumer<HeldOpening> abandoned;
  private int costBytes;
  private @Nullable Runnable offer;
  private @Nullable Consumer<String> refuse;

  /**
   * A stream opened by a peer.
   *
   * @param memory memory set aside for the request, or null
   * @param costBytes the inline credit kept by the opening until the offer
   * @param abandoned told at the end of the stream
   */
  HeldOpening(@Nullable RequestHold memory, int costBytes, Consumer<HeldOpening> abandoned) {
    this.memory = memory;
    this.costBytes = costBytes;
    this.abandoned = abandoned;
  }

  /** The stream has to wait; either {@code offer} or {@code refuse} runs after the wait. */
  void await(Runnable offer, Consumer<String> refuse) {
    this.offer = offer;
    this.refuse = refuse;
  }

  /** Whether the stream was over before its offer. */
  boolean isOver() {
    return offer == null;
  }

  void offer() {
    Objects.requireNonNull(offer).run();
  }

  void refuse(String text) {
    Objects.requireNonNull(refuse).accept(text);
  }

  /** Returns the inline credit kept by the stream; the stream keeps no credit from here on. */
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
