package io.millrace.actor.peer;

import io.millrace.actor.body.BodyServices;
import io.millrace.protocol.stream.ElementMemory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of one node for elements that have arrived: those that wait for their application
 * share {@code millrace.streams.budget}, and the part of one beyond its flow's window comes from
 * {@code millrace.transfers.assembly} while it is put together. Any thread.
 */
public final class StreamBudget implements ElementMemory {
  private final long budgetBytes;
  private final BodyServices bodies;
  private final AtomicLong leftBytes;

  /** The whole budget. */
  public StreamBudget(long budgetBytes, BodyServices bodies) {
    this.budgetBytes = budgetBytes;
    this.bodies = bodies;
    leftBytes = new AtomicLong(budgetBytes);
  }

  /** Bytes that are set aside. */
  public long usedBytes() {
    return budgetBytes - leftBytes.get();
  }

  @Override
  public boolean reserve(long bytes) {
    if (leftBytes.addAndGet(-bytes) >= 0) {
      return true;
    }
    leftBytes.addAndGet(bytes);
    return false;
  }

  @Override
  public void giveBack(long bytes) {
    leftBytes.addAndGet(bytes);
  }

  @Override
  public boolean reserveAssembly(long bytes) {
    return bodies.reserve(bytes);
  }

  @Override
  public void giveBackAssembly(long bytes) {
    bodies.giveBack(bytes);
  }
}
