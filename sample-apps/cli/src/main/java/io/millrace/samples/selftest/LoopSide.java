package io.millrace.samples.selftest;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.Endpoint;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.util.Objects;

/** One of the two endpoints of the self-test, with all its reports. Owned by the test's thread. */
final class LoopSide implements CompletionHandler {
  private static final int NONE = -1;

  final Endpoint endpoint;
  private final boolean isEchoing;

  /** The destination of the other side. */
  int other;

  int received;
  long lastWord;
  int lastBytes;
  int writesComplete;
  int writesFailed;
  int lastStatus = NONE;
  int immediates;
  long lastImmediate;

  /**
   * @param isEchoing whether the side sends each message back to the other side
   */
  LoopSide(Endpoint endpoint, boolean isEchoing) {
    this.endpoint = endpoint;
    this.isEchoing = isEchoing;
  }

  /** Posts a message that begins with {@code word}; false if no send buffer is free. */
  boolean send(long word, int bytes) {
    SendBuffer buffer = endpoint.acquireSendBuffer();
    if (buffer == null) {
      return false;
    }
    buffer.buffer().putLong(0, word);
    endpoint.postSend(other, buffer, bytes, bytes, word);
    endpoint.flush();
    return true;
  }

  /** Posts a write to the other side; false if the queue is full. */
  boolean write(RemoteWrite write) {
    return memory().postWrite(other, write, 0);
  }

  RemoteMemory memory() {
    return Objects.requireNonNull(endpoint.remoteMemory(), "the driver has one-sided writes");
  }

  void forgetStatus() {
    lastStatus = NONE;
  }

  boolean hasStatus() {
    return lastStatus != NONE;
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    received++;
    lastBytes = length;
    lastWord = length >= Long.BYTES ? buffer.getLong(offset) : 0;
    if (isEchoing) {
      // without a free buffer the message counts as lost, and the sender asks again
      send(lastWord, length);
    }
  }

  @Override
  public void onWriteComplete(long context, int status) {
    lastStatus = status;
    if (status == STATUS_OK) {
      writesComplete++;
    } else {
      writesFailed++;
    }
  }

  @Override
  public void onRemoteWrite(long immediate) {
    immediates++;
    lastImmediate = immediate;
  }
}
