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

/** The providers of a kind on the class path, found from any thread; see {@link Loaders}. */
public final class LoadableProviders {
  private LoadableProviders() {}

  /**
   * All loadable providers: an application's provider that cannot be loaded must not stop other
   * providers.
   */
  public static <P> List<P> of(Class<P> kind) {
    return of(kind, (_, _) -> {});
  }

  /**
   * All loadable providers, in a list that belongs to the caller.
   *
   * @param onPassedOver told the class of each provider that cannot be loaded, or {@code kind} if
   *     even its class is missing, and the reason
   */
  public static <P> List<P> of(Class<P> kind, BiConsumer<String, String> onPassedOver) {
    List<P> found = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (ClassLoader loader : Loaders.of(kind)) {
      add(kind, loader, found, seen, onPassedOver);
    }
    return found;
  }

  /** Adds the providers whose names, or failures, were not seen with another loader. */
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
