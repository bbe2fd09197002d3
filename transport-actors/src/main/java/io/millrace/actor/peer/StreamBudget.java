package io.millrace.actor.peer;

import io.millrace.buffer.ByteBudget;
import io.millrace.protocol.stream.ElementMemory;

/**
 * The memory of one node for elements that have arrived: those that wait for their application
 * share {@code millrace.streams.budget}, and the part of one beyond its flow's window comes from
 * {@code millrace.transfers.assembly} while it is put together. Any thread.
 *
 * @param waiting for their application
 * @param assembly shared with messages that are put together
 */
public record StreamBudget(ByteBudget waiting, ByteBudget assembly) implements ElementMemory {
  @Override
  public boolean reserve(long bytes) {
    return waiting.reserve(bytes);
  }

  @Override
  public void giveBack(long bytes) {
    waiting.giveBack(bytes);
  }

  @Override
  public boolean reserveAssembly(long bytes) {
    return assembly.reserve(bytes);
  }

  @Override
  public void giveBackAssembly(long bytes) {
    assembly.giveBack(bytes);
  }
}
