package io.millrace.engine;

import io.millrace.access.AccessPolicy;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.AeadProvider;
import io.millrace.driver.DriverProvider;
import io.millrace.ends.ExecutorLane;
import io.millrace.event.Subscriber;
import io.millrace.node.HangAction;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * The options for starting a node.
 *
 * @param settings all configured settings
 * @param system the application's actor system, or null for a system of the node's own
 * @param driver a driver by value, or null for the driver that the settings choose
 * @param aead a cipher by value, or null for the cipher that the settings choose
 * @param events where events go
 * @param hang the action upon a worker that hangs
 * @param lane runs the tasks of the application's executor
 * @param environment the node's view of the world around it; a system or driver by value comes
 *     first
 * @param access decides which peers may connect and call; the rules of the settings come first
 */
public record PoolOptions(
    TransportSettings settings,
    @Nullable ActorSystem<?> system,
    @Nullable DriverProvider driver,
    @Nullable AeadProvider aead,
    Subscriber events,
    HangAction hang,
    ExecutorLane lane,
    NodeEnvironment environment,
    AccessPolicy access) {
  /** Only settings and the executor; the rest is chosen. */
  public static PoolOptions of(TransportSettings settings, ExecutorLane lane) {
    return new PoolOptions(
        settings,
        null,
        null,
        null,
        Subscriber.NONE,
        HangAction.HALT,
        lane,
        NodeEnvironment.PROCESS,
        AccessPolicy.ALL);
  }
}
