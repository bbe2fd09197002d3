package io.millrace.api.actor;

import io.millrace.api.UnaryResponse;
import io.millrace.protocol.transfer.CallOutcome;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What happens in a stream. Each event names its stream, which takes {@link StreamCommand}s. What
 * comes from the peer ends with exactly one of {@link Completed}, {@link Responded} and {@link
 * Failed}, unless it was cancelled here. The stream's actor stops when both directions are over.
 */
public sealed interface StreamEvent {
  /** The stream. */
  ActorRef<StreamCommand> stream();

  /** The first event: the stream takes commands. */
  record Opened(ActorRef<StreamCommand> stream) implements StreamEvent {}

  /** The headers of the peer's response, ahead of its elements. */
  record Headers(ActorRef<StreamCommand> stream, byte[] bytes) implements StreamEvent {}

  /** One of the elements that were asked for with {@link StreamCommand.Request}. */
  record Element(ActorRef<StreamCommand> stream, byte[] bytes) implements StreamEvent {}

  /** The peer sends no more elements; told without having been asked for. */
  record Completed(ActorRef<StreamCommand> stream) implements StreamEvent {}

  /**
   * So many elements more may be pushed.
   *
   * @param count at least 1
   */
  record Demand(ActorRef<StreamCommand> stream, int count) implements StreamEvent {}

  /**
   * The peer wants no more elements, or the one response to its stream of requests no more; what is
   * pushed from now on is dropped, and so is a response. Its requests come as before.
   */
  record NotWanted(ActorRef<StreamCommand> stream) implements StreamEvent {}

  /** The one response to a stream of requests. */
  record Responded(ActorRef<StreamCommand> stream, UnaryResponse response) implements StreamEvent {}

  /**
   * A direction failed, or the stream as a whole. If the peer is lost each direction fails.
   *
   * @param direction what is over with it
   * @param outcome how; never {@link CallOutcome#OK}
   * @param text the same for people
   */
  record Failed(
      ActorRef<StreamCommand> stream, Direction direction, CallOutcome outcome, String text)
      implements StreamEvent {}

  /** Which elements. */
  enum Direction {
    /** What the peer sends: its elements, or its one response. */
    INCOMING,
    /** What is pushed here. */
    OUTGOING,
    /** The whole stream. */
    BOTH
  }
}
