package io.millrace.actor.dispatcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerDispatcherTest {
  private final ActorTestKit kit = ActorTestKit.create();

  @AfterEach
  void stop() {
    kit.shutdownTestKit();
  }

  @Test
  void shouldServeMailboxWhileLoopSpins() throws InterruptedException {
    WorkerDispatchers.register(kit.system(), "w0", idle("BUSY_SPIN"));
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    ActorRef<String> actor =
        kit.spawn(
            Behaviors.setup(
                context -> {
                  seen.add(EventLoop.current().name());
                  return Behaviors.receiveMessage(
                      message -> {
                        seen.add(message + EventLoop.current().name());
                        return Behaviors.same();
                      });
                }),
            "a",
            DispatcherSelector.fromConfig("w0"));
    actor.tell("x");
    String first = seen.poll(5, TimeUnit.SECONDS);
    assertNotNull(first);
    assertTrue(first.endsWith("-w0"), first);
    assertEquals("x" + first, seen.poll(5, TimeUnit.SECONDS));
  }

  private static Config idle(String strategy) {
    return ConfigFactory.parseString("idle-strategy = " + strategy);
  }
}
