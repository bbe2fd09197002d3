package io.millrace.samples.sim;

import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.sim.SimRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads the log and its scenario once more, with a single changed class; all other classes are the
 * parent's.
 */
final class ChangedLog extends ClassLoader {
  private static final String LOG = "io.millrace.samples.log.";

  private final Path changed;

  /**
   * A log loaded at the first use of its scenario.
   *
   * @param changed a folder with the changed class, at its place in a class path
   */
  ChangedLog(Path changed) {
    super(ChangedLog.class.getClassLoader());
    this.changed = changed;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      return name.startsWith(LOG) ? define(name) : super.loadClass(name, resolve);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    Path other = changed.resolve(file);
    try (InputStream in =
        Files.exists(other) ? Files.newInputStream(other) : getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length, ChangedLog.class.getProtectionDomain());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The scenario of {@code LogScenario} in this log. */
  Scenario scenario(int replicas) throws ReflectiveOperationException {
    Method run = loadClass(LOG + "LogScenario").getMethod("run", SimRun.class, int.class);
    return simulated -> {
      try {
        run.invoke(null, simulated, replicas);
      } catch (InvocationTargetException e) {
        throw e.getCause() instanceof Exception exception ? exception : thrown(e);
      }
    };
  }

  private static Exception thrown(InvocationTargetException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e;
  }
}
