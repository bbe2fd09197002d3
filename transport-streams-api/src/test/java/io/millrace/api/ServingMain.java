package io.millrace.api;

import io.millrace.config.TransportSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;

/** Serves until a signal ends the process; {@code main} returns at once. */
final class ServingMain {
  static final Route<ByteString, ByteString> SLOW = Route.bytes("slow");

  /** The life of the node. */
  enum Life {
    /** In an actor system of its own. */
    ALONE,
    /** In the application's actor system. */
    IN_A_SYSTEM
  }

  private ServingMain() {}

  public static void main(String[] args) {
    Transport transport = start(Life.valueOf(args[0]));
    transport.serve(
        SLOW,
        request -> {
          System.out.println("asked ");
          return CompletableFuture.supplyAsync(
              () -> request, CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
        });
    System.out.println("address " + transport.address());
  }

  private static Transport start(Life life) {
    TransportSettings settings = TwoNodes.settings("");
    return life == Life.ALONE
        ? Transport.start(settings)
        : Transport.builder(settings)
            .system(ActorSystem.create(Behaviors.empty(), "application"))
            .start();
  }
}
