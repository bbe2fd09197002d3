package io.millrace.testkit.internal.net;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.SendBuffer;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A send buffer and the train in it: taken, posted, on its way out, complete, free. */
final class Train {
  // What is left in a buffer that went out: whoever still reads it reads nonsense.
  private static final byte POISON = (byte) 0xD5;

  final SendBuffer buffer;
  final ByteBuffer memory;
  State state = State.FREE;
  @Nullable SimLink link;
  int port;
  int sourcePort;
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

  Train(int index, ByteBuffer memory) {
    this.memory = memory;
    this.buffer = new SendBuffer(index, new UnsafeBuffer(memory));
  }

  void fail() {
    status = CompletionHandler.STATUS_FAILED;
  }

  void poison() {
    buffer.buffer().setMemory(0, length, POISON);
  }
}
