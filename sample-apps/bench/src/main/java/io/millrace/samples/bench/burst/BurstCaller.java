package io.millrace.samples.bench.burst;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Makes calls from one endpoint to another endpoint. Safe for use on any thread. */
@FunctionalInterface
interface BurstCaller {
  /** The end of a call. */
  enum End {
    /** The answer has arrived. */
    DONE,
    /** The call ended without an answer. */
    FAILED,
    /** The call has not begun, for want of room at this side; the caller may try again. */
    TRY_AGAIN
  }

  /** Receives the end of each call once, on any thread; must not block. */
  @FunctionalInterface
  interface Ending {
    /** The call ended. */
    void onEnd(End end);
  }

  /**
   * Begins a call.
   *
   * @param request the request; must not change before the end of the call
   * @param isProbe whether the call is of priority 0
   */
  void call(byte[] request, boolean isProbe, Ending ending);

  /** The mark at the start of a log line that gives the reason for a failed call. */
  String FAILED_MARK = "failed: ";

  /** Leaves the reason in the log, for the parent to count. */
  static void fail(Ending ending, String reason) {
    System.err.println(FAILED_MARK + reason);
    ending.onEnd(End.FAILED);
  }

  /** A request for {@code answerBytes} bytes of answer. */
  static byte[] request(int bytes, int answerBytes) {
    byte[] request = new byte[bytes];
    ByteBuffer.wrap(request).putInt(answerBytes);
    return request;
  }

  /** The bytes of answer that the request at {@code offset} asks for. */
  static int answerBytes(DirectBuffer buffer, int offset) {
    return buffer.getInt(offset, ByteOrder.BIG_ENDIAN);
  }

  /** The bytes of answer that the request asks for. */
  static int answerBytes(byte[] request) {
    return ByteBuffer.wrap(request).getInt();
  }
}
