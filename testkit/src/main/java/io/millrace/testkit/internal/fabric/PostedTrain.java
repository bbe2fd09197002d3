package io.millrace.testkit.internal.fabric;

import io.millrace.driver.SendBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A send buffer and the messages in it: free, taken, or posted and not yet complete. */
final class PostedTrain {
  // What is left in a buffer that went out: whoever still reads it reads nonsense.
  private static final byte POISON = (byte) 0xD5;

  final SendBuffer buffer;
  State state = State.FREE;
  @Nullable FabricDestination destination;
  int length;
  int segmentLength;
  int status;
  long context;
  long doneNs;

  enum State {
    FREE,
    TAKEN,
    POSTED
  }

  PostedTrain(int index, UnsafeBuffer memory) {
    buffer = new SendBuffer(index, memory);
  }

  void poison() {
    buffer.buffer().setMemory(0, length, POISON);
  }
}
