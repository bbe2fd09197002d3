package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.api.actor.StreamCommand;
import io.millrace.api.actor.StreamEvent;
import java.util.EnumMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/** One side of a stream: what its actor would do, done by the test. */
final class ActorEnd {
  private final ActorInbox<StreamEvent> inbox;
  private final ActorRef<StreamCommand> stream;
  private int allowed;
  private int pushed;
  private int received;

  private ActorEnd(ActorInbox<StreamEvent> inbox, ActorRef<StreamCommand> stream) {
    this.inbox = inbox;
    this.stream = stream;
  }

  /** The stream whose first event comes to this inbox. */
  static ActorEnd opened(ActorInbox<StreamEvent> inbox) {
    return new ActorEnd(inbox, inbox.next(StreamEvent.Opened.class).stream());
  }

  ActorRef<StreamCommand> stream() {
    return stream;
  }

  void tell(StreamCommand command) {
    stream.tell(command);
  }

  /** The next event besides demand, which must be of this type and of this stream. */
  <E extends StreamEvent> E next(Class<E> type) {
    StreamEvent event = inbox.next(StreamEvent.class);
    while (event instanceof StreamEvent.Demand demand) {
      allowed += demand.count();
      event = inbox.next(StreamEvent.class);
    }
    assertEquals(stream, event.stream());
    return assertInstanceOf(type, event);
  }

  /** The next event besides demand and those of this type. */
  StreamEvent nextBesides(Class<? extends StreamEvent> type) {
    StreamEvent event = inbox.next(StreamEvent.class);
    while (event instanceof StreamEvent.Demand || type.isInstance(event)) {
      event = inbox.next(StreamEvent.class);
    }
    return event;
  }

  /** The failure of this direction; headers, and that the peer wants no more, may come before. */
  StreamEvent.Failed nextFailure(StreamEvent.Direction direction) {
    StreamEvent event = nextBesides(StreamEvent.NotWanted.class);
    if (event instanceof StreamEvent.Headers) {
      event = nextBesides(StreamEvent.NotWanted.class);
    }
    StreamEvent.Failed failed = assertInstanceOf(StreamEvent.Failed.class, event);
    assertEquals(direction, failed.direction(), failed.toString());
    return failed;
  }

  /** The texts of the failures of both directions, which come in either order. */
  Map<StreamEvent.Direction, String> nextFailures() {
    Map<StreamEvent.Direction, String> texts = new EnumMap<>(StreamEvent.Direction.class);
    while (texts.size() < 2) {
      StreamEvent.Failed failed =
          assertInstanceOf(StreamEvent.Failed.class, nextBesides(StreamEvent.NotWanted.class));
      assertNull(texts.put(failed.direction(), failed.text()), failed::toString);
    }
    return texts;
  }

  /** Pushes the next elements, each when there is demand for it. */
  void push(int count) {
    for (int i = 0; i < count; i++) {
      while (allowed == 0) {
        allowed += inbox.next(StreamEvent.Demand.class).count();
      }
      allowed--;
      tell(new StreamCommand.Push(StreamChecks.element(pushed++)));
    }
  }

  /** Asks for the next elements and gets them. */
  void receive(int count) {
    tell(new StreamCommand.Request(count));
    for (int i = 0; i < count; i++) {
      assertArrayEquals(StreamChecks.element(received++), next(StreamEvent.Element.class).bytes());
    }
  }
}
