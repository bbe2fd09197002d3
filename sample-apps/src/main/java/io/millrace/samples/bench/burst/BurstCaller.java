package io.millrace.samples.bench.burst;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Makes calls from one endpoint to one other. Safe on any thread. */
@FunctionalInterface
interface BurstCaller {
  /** How a call ended. */
  enum End {
    /** The answer is there. */
    DONE,
    /** There will be no answer. */
    FAILED,
    /** Not begun, for want of room at this side; may be tried again. */
    TRY_AGAIN
  }

  /** Told once for each call, on any thread; must not block. */
  @FunctionalInterface
  interface Ending {
    /** The call ended. */
    void onEnd(End end);
  }

  /**
   * Begins a call.
   *
   * @param request not changed before the call has ended
   * @param isProbe whether it is of priority 0
   */
  void call(byte[] request, boolean isProbe, Ending ending);

  /** Starts the line of a process's log that says why a call failed. */
  String FAILED_MARK = "failed: ";

  /** Leaves the reason in the log, for the parent to count. */
  static void fail(Ending ending, String reason) {
    System.err.println(FAILED_MARK + reason);
    ending.onEnd(End.FAILED);
  }

  /** A request that wants so many bytes of answer. */
  static byte[] request(int bytes, int answerBytes) {
    byte[] request = new byte[bytes];
    ByteBuffer.wrap(request).putInt(answerBytes);
    return request;
  }

  /** What a request wants that begins here. */
  static int answerBytes(DirectBuffer buffer, int offset) {
    return buffer.getInt(offset, ByteOrder.BIG_ENDIAN);
  }

  /** What a request wants. */
  static int answerBytes(byte[] request) {
    return ByteBuffer.wrap(request).getInt();
  }
}
