package io.millrace.provider;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The class loaders that have Millrace's configuration and services, whatever thread asks. The
 * context loader of a thread is often another loader: the system's for the common pool while a fat
 * jar has a loader of its own, the host's while a plug-in runs, or null.
 */
public final class Loaders {
  private Loaders() {}

  /**
   * The loaders to search for services of a kind: first the loader with Millrace's own services,
   * then the thread's, where applications add drivers, if the thread's loader knows the same kind.
   */
  public static List<ClassLoader> of(Class<?> kind) {
    ClassLoader own = own();
    ClassLoader thread = ofThread(kind);
    return thread == null || thread.equals(own) ? List.of(own) : List.of(own, thread);
  }

  /** Whether services of a kind are looked for in Millrace's own class loader and nowhere else. */
  public static boolean areOwnAlone(Class<?> kind) {
    return of(kind).size() == 1;
  }

  /**
   * The loader of the configuration: the thread's loader if it has this very Millrace, since the
   * thread's loader may have more of the application; Millrace's own loader otherwise.
   */
  public static ClassLoader ofApplication() {
    ClassLoader thread = ofThread(Loaders.class);
    return thread == null ? own() : thread;
  }

  /**
   * The thread's loader, or null without a loader that knows this very class and not another of its
   * name.
   */
  @SuppressWarnings("ReferenceEquality") // a class of another loader is another class
  private static @Nullable ClassLoader ofThread(Class<?> known) {
    ClassLoader thread = Thread.currentThread().getContextClassLoader();
    if (thread == null) {
      return null;
    }
    try {
      return Class.forName(known.getName(), false, thread) == known ? thread : null;
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private static ClassLoader own() {
    ClassLoader own = Loaders.class.getClassLoader();
    return own == null ? ClassLoader.getSystemClassLoader() : own;
  }
}
