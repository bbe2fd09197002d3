package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.Transport;
import io.millrace.api.actor.ServeReply;
import io.millrace.api.actor.TransportActor;
import io.millrace.api.actor.TransportCommand;
import io.millrace.config.TransportSettings;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example in docs/actors.md is code that compiles and does what it seems to do. */
final class ActorsExampleTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final String EXAMPLE = "docs/src/test/java/io/millrace/tree/ActorsExample.java";

  @Test
  void shouldShowTheExampleAsItCompiles() {
    String source = TREE.file(EXAMPLE).orElseThrow().text();
    String withoutPackage = source.substring(source.indexOf("import "));
    String document = TREE.file("docs/actors.md").orElseThrow().text();
    List<MatchResult> blocks = JAVA_BLOCK.matcher(document).results().toList();
    assertEquals(1, blocks.size());
    assertEquals(withoutPackage, blocks.getFirst().group(1));
  }

  @Test
  @Timeout(60)
  void shouldGreetAndCount() throws Exception {
    TransportSettings settings = TransportSettings.defaults().withPsk("0123456789abcdef".repeat(4));
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "example");
    try (Transport there = Transport.builder(settings).system(system).start();
        Transport here = Transport.builder(settings).system(system).start()) {
      ActorRef<TransportCommand> serving = spawn(system, TransportActor.create(there), "there");
      ActorRef<TransportCommand> calling = spawn(system, TransportActor.create(here), "here");
      BlockingQueue<ServeReply> served = new LinkedBlockingQueue<>();
      BlockingQueue<String> heard = new LinkedBlockingQueue<>();
      ActorRef<ServeReply> isServing = spawn(system, into(served), "served");
      ActorRef<String> listener = spawn(system, into(heard), "listener");
      spawn(system, ActorsExample.greeter(serving, isServing), "greeter");
      assertEquals(new ServeReply.Served(ActorsExample.GREET), next(served));
      spawn(system, ActorsExample.counters(serving, isServing), "counters");
      assertEquals(new ServeReply.Served(ActorsExample.COUNT), next(served));

      spawn(system, ActorsExample.caller(calling, there.address(), listener), "caller");
      assertEquals("hello actor", next(heard));
      spawn(system, ActorsExample.taker(calling, there.address(), 50, listener), "taker");
      for (int i = 0; i < 50; i++) {
        assertEquals(Integer.toString(i), next(heard));
      }
    } finally {
      system.terminate();
    }
  }

  private static <T> ActorRef<T> spawn(ActorSystem<?> system, Behavior<T> behavior, String name) {
    return system.systemActorOf(behavior, name, Props.empty());
  }

  private static <T> Behavior<T> into(BlockingQueue<T> queue) {
    return Behaviors.receiveMessage(
        message -> {
          queue.add(message);
          return Behaviors.same();
        });
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(20, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("nothing came");
    }
    return next;
  }
}
