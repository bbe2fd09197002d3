package io.millrace.provider;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The providers of one kind on the class path, found from any thread; see {@link Loaders}. */
public final class LoadableProviders {
  private LoadableProviders() {}

  /** All that can be loaded: one that an application added and that cannot must not stop others. */
  public static <P> List<P> of(Class<P> kind) {
    return of(kind, (_, _) -> {});
  }

  /**
   * All that can be loaded, in a list that is the caller's.
   *
   * @param onPassedOver told the class of each that cannot, or {@code kind} if even its class is
   *     not there, and why
   */
  public static <P> List<P> of(Class<P> kind, BiConsumer<String, String> onPassedOver) {
    List<P> found = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (ClassLoader loader : Loaders.of(kind)) {
      add(kind, loader, found, seen, onPassedOver);
    }
    return found;
  }

  /** Adds those whose names, or failures, were not seen with another loader. */
  private static <P> void add(
      Class<P> kind,
      ClassLoader loader,
      List<P> found,
      Set<String> seen,
      BiConsumer<String, String> onPassedOver) {
    Iterator<ServiceLoader.Provider<P>> candidates =
        ServiceLoader.load(kind, loader).stream().iterator();
    boolean more = true;
    while (more) {
      String name = kind.getName();
      try {
        more = candidates.hasNext();
        ServiceLoader.@Nullable Provider<P> candidate = more ? candidates.next() : null;
        name = candidate == null ? name : candidate.type().getName();
        if (candidate != null && seen.add(name)) {
          found.add(candidate.get());
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        String why = String.valueOf(e.getMessage());
        if (seen.add(name + ": " + why)) {
          onPassedOver.accept(name, why);
        }
      }
    }
  }
}
