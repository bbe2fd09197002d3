package io.millrace.testkit.internal.path;

import io.millrace.ends.ElementInlet;
import io.millrace.ends.ElementOutlet;
import io.millrace.ends.ElementStream;
import io.millrace.ends.StreamEnd;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An end of a stream of a pair. Each turn of the worker gives the path the elements for which the
 * path has room, and takes the elements that have arrived. The caller's end keeps the arrived
 * elements; the served end answers each of them with an element.
 */
public final class PumpedStream {
  private final ElementStream ends;
  private final @Nullable UnaryOperator<byte[]> answers;
  private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
  private final List<byte[]> received = new ArrayList<>();
  private boolean isEnding;
  private boolean isEndSent;

  /** The first element of a response is its headers, which the caller's end does not show. */
  private boolean hasHeaders;

  private @Nullable StreamEnd end;

  private PumpedStream(ElementStream ends, @Nullable UnaryOperator<byte[]> answers) {
    this.ends = ends;
    this.answers = answers;
  }

  static PumpedStream ofCaller(ElementStream ends) {
    return new PumpedStream(ends, null);
  }

  static PumpedStream served(ElementStream ends, UnaryOperator<byte[]> answers) {
    PumpedStream stream = new PumpedStream(ends, answers);
    stream.waiting.add(new byte[0]);
    return stream;
  }

  /** Sends an element once the path has room. */
  public void send(byte[] element) {
    if (isEnding) {
      throw new IllegalStateException("the flow of this stream has ended");
    }
    waiting.add(element.clone());
  }

  /** Ends the flow of this end behind the elements that wait. */
  public void end() {
    isEnding = true;
  }

  /** The elements that have arrived, in their order. */
  public List<byte[]> received() {
    return List.copyOf(received);
  }

  /** The outcome of the peer's flow, once all its elements have arrived; null before. */
  public @Nullable CallOutcome outcome() {
    return end == null ? null : end.outcome();
  }

  /** The reason of a failure, for a person; empty without a failure. */
  public String text() {
    return end == null ? "" : end.text();
  }

  /** Takes and gives elements; returns whether both flows are done. */
  boolean pump() {
    take();
    give();
    return end != null && isEndSent;
  }

  private void take() {
    ElementInlet inlet = ends.inlet();
    StreamEnd how = inlet.end();
    for (byte[] element = inlet.poll(); element != null; element = inlet.poll()) {
      onElement(element);
    }
    if (how != null && inlet.isEmpty() && end == null) {
      end = how;
      isEnding |= answers != null;
    }
  }

  private void onElement(byte[] element) {
    if (answers != null) {
      answer(answers, element);
    } else if (hasHeaders) {
      received.add(element);
    } else {
      hasHeaders = true;
    }
  }

  private void answer(UnaryOperator<byte[]> server, byte[] element) {
    try {
      waiting.add(server.apply(element));
    } catch (RuntimeException e) {
      ends.outlet().fail(CallStatus.HANDLER_FAILED, String.valueOf(e.getMessage()));
      stop();
    }
  }

  private void give() {
    ElementOutlet outlet = ends.outlet();
    if (outlet.cancelled() != null) {
      stop();
    }
    while (!waiting.isEmpty() && outlet.hasRoom()) {
      if (outlet.refuse(waiting.getFirst()) != null) {
        stop();
      } else {
        outlet.offer(waiting.removeFirst());
      }
    }
    if (isEnding && !isEndSent && waiting.isEmpty()) {
      isEndSent = true;
      outlet.end();
    }
  }

  /** No element leaves any more. */
  private void stop() {
    waiting.clear();
    isEnding = true;
    isEndSent = true;
  }
}
