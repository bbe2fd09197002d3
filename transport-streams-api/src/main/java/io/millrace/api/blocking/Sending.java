package io.millrace.api.blocking;

import io.millrace.api.CallException;
import io.millrace.api.codec.CodecException;
import io.millrace.transfer.CallOutcome;
import java.util.Objects;

/**
 * The sending end of a stream at the calling side. One thread at a time sends.
 *
 * @param departures the elements on their way
 * @param cancel cancels the stream after an interrupt
 */
record Sending<T>(Departures<T> departures, Runnable cancel) implements RowWriter<T> {
  @Override
  public boolean send(T element) {
    Objects.requireNonNull(element, "element");
    try {
      return departures.put(element);
    } catch (InterruptedException e) {
      cancel.run();
      throw Waits.interrupted();
    } catch (CodecException e) {
      throw new CallException(CallOutcome.SOURCE_FAILED, String.valueOf(e.getMessage()));
    }
  }

  void end() {
    departures.end(null);
  }

  void fail(String text) {
    departures.end(Waits.cancelled(text));
  }
}
