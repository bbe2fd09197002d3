package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** An actor of a node that keeps its messages until the test takes them. */
final class ActorInbox<T> {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final NodePair nodes;
  private final ConcurrentLinkedQueue<Object> messages = new ConcurrentLinkedQueue<>();
  private final ActorRef<Object> ref;

  private record Stop() {}

  private record Watch(ActorRef<?> other, Object told) {}

  ActorInbox(NodePair nodes, Transport node) {
    this.nodes = nodes;
    ref =
        node.pool()
            .system()
            .systemActorOf(
                Behaviors.receive(
                    (context, message) -> {
                      switch (message) {
                        case Watch(ActorRef<?> other, Object told) ->
                            context.watchWith(other, told);
                        case Stop() -> {
                          return Behaviors.stopped();
                        }
                        default -> messages.add(message);
                      }
                      return Behaviors.same();
                    }),
                "inbox-" + NUMBER.incrementAndGet(),
                Props.empty());
  }

  ActorRef<T> ref() {
    return ref.narrow();
  }

  /** The next message, which must be of this type. */
  <M> M next(Class<M> type) {
    assertTrue(nodes.awaitUntil(() -> !messages.isEmpty()), "no " + type.getSimpleName());
    return assertInstanceOf(type, messages.poll());
  }

  /** Nothing has come that was not taken. */
  void assertEmpty() {
    assertEquals("[]", messages.toString());
  }

  /** This message comes when the other actor has stopped. */
  void watch(ActorRef<?> other, T told) {
    ref.tell(new Watch(other, told));
  }

  void stop() {
    ref.tell(new Stop());
  }
}
