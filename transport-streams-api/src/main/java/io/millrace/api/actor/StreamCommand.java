package io.millrace.api.actor;

import io.millrace.api.UnaryResponse;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;

/** What an application's actor tells one stream. */
public sealed interface StreamCommand
    permits StreamCommand.Accept,
        StreamCommand.Request,
        StreamCommand.Push,
        StreamCommand.Complete,
        StreamCommand.Fail,
        StreamCommand.Cancel,
        StreamCommand.Respond,
        StreamSignal {
  /**
   * Takes over a stream that a peer opened; the first one counts. {@link StreamEvent.Opened} is the
   * first event.
   *
   * @param events learns of everything that happens; the stream ends when that actor stops
   * @param headers of the response, which the caller gets ahead of its elements and before any of
   *     them is pushed; those of a single response are a part of it instead ({@link Respond})
   */
  record Accept(ActorRef<StreamEvent> events, byte[] headers) implements StreamCommand {
    private static final byte[] NO_BYTES = {};

    /** Neither may be null. */
    public Accept {
      Objects.requireNonNull(events, "events");
      Objects.requireNonNull(headers, "headers");
    }

    /** Without headers. */
    public Accept(ActorRef<StreamEvent> events) {
      this(events, NO_BYTES);
    }
  }

  /**
   * Asks for elements: only what was asked for comes.
   *
   * @param count at least 1
   */
  record Request(long count) implements StreamCommand {
    /** Checks the count. */
    public Request {
      if (count < 1) {
        throw new IllegalArgumentException("a request for " + count + " elements");
      }
    }
  }

  /**
   * Sends an element; only as many as {@link StreamEvent.Demand} allowed. One more fails the whole
   * stream. It is dropped when the peer wants no more, or after {@link Complete} or {@link Fail}.
   * The array must not be changed afterwards.
   */
  record Push(byte[] bytes) implements StreamCommand {
    /** It may not be null. */
    public Push {
      Objects.requireNonNull(bytes, "bytes");
    }
  }

  /** No more elements are pushed; those that were are still sent. */
  record Complete() implements StreamCommand {}

  /**
   * What was pushed is not all there should have been, or there will be no response; the peer sees
   * a failed stream. Before {@link Accept} it refuses the stream. Of a stream of requests that was
   * opened here it fails the response, too.
   */
  record Fail(String text) implements StreamCommand {
    /** It may not be null. */
    public Fail {
      Objects.requireNonNull(text, "text");
    }
  }

  /**
   * No more elements are wanted from the peer. Of a stream of requests that was opened here it is
   * the response that is not wanted: both directions end, and nothing more is told.
   */
  record Cancel() implements StreamCommand {}

  /** The one response to a stream of requests that a peer opened; the first one counts. */
  record Respond(UnaryResponse response) implements StreamCommand {
    /** It may not be null. */
    public Respond {
      Objects.requireNonNull(response, "response");
    }
  }
}
