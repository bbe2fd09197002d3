package io.millrace.testkit.internal.node;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.millrace.testkit.sim.NodeSettings;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The configuration of simulated actor systems: the defaults of all libraries, with every
 * dispatcher redirected to the simulator. Resolved once for all nodes of all runs. Any thread.
 */
final class NodeConfig {
  private static final String EXTENSIONS = "pekko.library-extensions";

  /**
   * Made at the first use instead: this extension takes a fifth of the start of an actor system.
   */
  private static final String SERIALIZATION =
      "org.apache.pekko.serialization.SerializationExtension$";

  private static final String WORKER_DISPATCHER = "millrace.worker-dispatcher";
  private static final String BASE =
      """
      pekko {
        loggers = ["io.millrace.testkit.internal.node.SimLogger"]
        loggers-dispatcher = "pekko.actor.internal-dispatcher"
        use-slf4j = off
        loglevel = ERROR
        stdout-loglevel = OFF
        log-dead-letters = 0
        jvm-shutdown-hooks = off
        jvm-exit-on-fatal-error = off
        java-flight-recorder.enabled = false
        fail-mixed-versions = off
        coordinated-shutdown {
          run-by-jvm-shutdown-hook = off
          run-by-actor-system-terminate = off
          terminate-actor-system = off
        }
        scheduler.implementation = "io.millrace.testkit.internal.node.SimScheduler"
      }
      millrace.worker-dispatcher.task-queue-capacity = 1024
      """;

  /** The settings that give a node a configuration of its own. */
  private record Variant(int throughput, boolean isFuzzing) {}

  private static final ConcurrentHashMap<Variant, Config> VARIANTS = new ConcurrentHashMap<>();

  private static final Config RESOLVED =
      ConfigFactory.parseString(BASE).withFallback(ConfigFactory.load()).resolve();

  private NodeConfig() {}

  /** The configuration of a node. */
  static Config of(NodeSettings settings) {
    return VARIANTS.computeIfAbsent(
        new Variant(settings.throughput(), settings.isFuzzing()), NodeConfig::make);
  }

  /**
   * A class loader that hides files from actor systems: the defaults, already in the configuration,
   * and the manifests of all jars. An actor system would read these files at each start.
   */
  static ClassLoader loader() {
    return Loader.INSTANCE;
  }

  private static Config make(Variant variant) {
    List<String> dispatchers = new ArrayList<>();
    find("", RESOLVED.root(), dispatchers);
    StringBuilder overrides = new StringBuilder();
    for (String path : dispatchers) {
      boolean isWorker = path.equals(WORKER_DISPATCHER);
      Class<?> executor = isWorker ? WorkerDispatcher.class : PoolDispatcher.class;
      overrides
          .append(path)
          .append(" { type = Dispatcher, mailbox-requirement = \"\", executor = \"")
          .append(executor.getName())
          .append('"');
      if (!isWorker) {
        overrides.append(", throughput = ").append(variant.throughput());
      }
      overrides.append(" }\n");
    }
    if (RESOLVED.hasPath("pekko.stream")) {
      overrides
          .append("pekko.stream.materializer.debug.fuzzing-mode = ")
          .append(variant.isFuzzing())
          .append('\n');
    }
    List<String> extensions =
        RESOLVED.getStringList(EXTENSIONS).stream()
            .filter(each -> !each.equals(SERIALIZATION))
            .toList();
    return ConfigFactory.parseString(overrides.toString())
        .withValue(EXTENSIONS, ConfigValueFactory.fromIterable(extensions))
        .withFallback(RESOLVED)
        .resolve();
  }

  /** Every object that has both a type and an executor is a dispatcher. */
  private static void find(String path, ConfigObject object, List<String> found) {
    if (object.containsKey("type") && object.containsKey("executor")) {
      found.add(path);
    }
    for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
      if (entry.getValue() instanceof ConfigObject child) {
        String key = ConfigUtil.joinPath(entry.getKey());
        find(path.isEmpty() ? key : path + "." + key, child, found);
      }
    }
  }

  private static final class Loader extends ClassLoader {
    private static final Loader INSTANCE = new Loader();

    private Loader() {
      super(NodeConfig.class.getClassLoader());
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals("reference.conf") || name.equals("META-INF/MANIFEST.MF")
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }
  }
}
