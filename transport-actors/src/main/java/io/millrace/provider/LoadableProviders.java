package io.millrace.provider;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.BiConsumer;

/** The providers of one kind on the class path. */
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
    Iterator<ServiceLoader.Provider<P>> candidates = ServiceLoader.load(kind).stream().iterator();
    boolean more = true;
    while (more) {
      String name = kind.getName();
      try {
        more = candidates.hasNext();
        if (more) {
          ServiceLoader.Provider<P> candidate = candidates.next();
          name = candidate.type().getName();
          found.add(candidate.get());
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        onPassedOver.accept(name, String.valueOf(e.getMessage()));
      }
    }
    return found;
  }
}
