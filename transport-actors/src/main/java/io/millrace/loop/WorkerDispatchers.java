package io.millrace.loop;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.dispatch.Dispatcher;
import org.apache.pekko.dispatch.DispatcherConfigurator;
import org.apache.pekko.dispatch.Dispatchers;
import org.apache.pekko.dispatch.MessageDispatcher;

/**
 * Gives any actor system a dispatcher for each worker.
 *
 * <p>Each dispatcher is the block {@code millrace.worker-dispatcher} with the worker's overrides,
 * above all its core. Called while a transport opens; may lock and allocate.
 */
public final class WorkerDispatchers {
  /** The block in the configuration that every worker's dispatcher starts from. */
  public static final String BASE_PATH = "millrace.worker-dispatcher";

  private WorkerDispatchers() {}

  /**
   * Registers a dispatcher; actors are put on it by {@code DispatcherSelector.fromConfig(id)}.
   * Asking again for the same id and settings changes nothing.
   *
   * @param id of the new dispatcher, for example {@code millrace.worker-0}
   * @param override keys of the base block that differ for this worker
   * @return whether the dispatcher is new
   * @throws com.typesafe.config.ConfigException naming the missing or wrong key
   * @throws IllegalStateException if the id is taken with other settings
   */
  public static boolean register(ActorSystem<?> system, String id, Config override) {
    Dispatchers dispatchers = Adapter.toClassic(system).dispatchers();
    Config named =
        ConfigFactory.empty()
            .withValue("id", ConfigValueFactory.fromAnyRef(id))
            .withValue("name", ConfigValueFactory.fromAnyRef(id));
    Config block =
        named
            .withFallback(override)
            .withFallback(system.settings().config().getConfig(BASE_PATH))
            .withFallback(dispatchers.defaultDispatcherConfig());
    LoopSettings settings = LoopSettings.of(block);
    boolean isNew =
        dispatchers.registerConfigurator(
            id, new DispatcherConfigurator(block, dispatchers.prerequisites()));
    if (!isNew && !settings.equals(LoopSettings.of(lookup(system, id).configurator().config()))) {
      throw new IllegalStateException("dispatcher " + id + " exists with other settings");
    }
    return isNew;
  }

  /**
   * The handle by which application threads drive a dispatcher with the idle strategy {@code
   * CALLER_RUNS}; always the same handle. When the system begins its coordinated shutdown, a thread
   * of its own drives the loop whenever the application does not.
   *
   * @throws IllegalArgumentException if the dispatcher is of another kind
   */
  public static DrivenLoop callerLoop(ActorSystem<?> system, String id) {
    MessageDispatcher found = lookup(system, id);
    if (found instanceof Dispatcher dispatcher
        && dispatcher.executorService().executor() instanceof LoopExecutor executor
        && executor.caller() != null) {
      DrivenLoop caller = executor.caller();
      CoordinatedShutdown.get(system)
          .addTask(
              CoordinatedShutdown.PhaseBeforeServiceUnbind(),
              "drive " + id,
              () -> {
                caller.standInFromNowOn();
                return CompletableFuture.completedStage(Done.getInstance());
              });
      // A dispatcher ends its executor only after a task has run there, and this dispatcher is new.
      dispatcher.execute(() -> {});
      return caller;
    }
    throw new IllegalArgumentException("dispatcher " + id + " is not driven by its callers");
  }

  /**
   * The loop that runs a worker's dispatcher now.
   *
   * @throws IllegalArgumentException if the dispatcher is of another kind
   */
  public static WatchedLoop watchedLoop(ActorSystem<?> system, String id) {
    if (lookup(system, id) instanceof Dispatcher dispatcher
        && dispatcher.executorService().executor() instanceof LoopExecutor executor) {
      return executor.loop();
    }
    throw new IllegalArgumentException("dispatcher " + id + " is no dispatcher of a worker");
  }

  private static MessageDispatcher lookup(ActorSystem<?> system, String id) {
    return Adapter.toClassic(system).dispatchers().lookup(id);
  }
}
